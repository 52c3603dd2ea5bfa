"""The verb ``ledger``: what was spent on which data, and whether it was tampered with."""

import argparse
from dataclasses import asdict
from pathlib import Path

from commands.output import Document, amounts, picked, write_lines, write_table
from commands.values import options
from core.errors import EquipoiseError
from release.ledger.account import NOBODY, Account, PaidItem
from release.ledger.book import Ledger
from release.ledger.folders import changed_files, check_receipts, released_files
from release.published import Receipt
from release.words import counted


def receipt(text: str) -> Receipt:
    """``NUMBER:DIGEST`` as a release gave it."""
    first, _, digest = text.partition(":")
    if not first.isdecimal() or len(digest) != 64:
        raise EquipoiseError(f"{text!r} is not a receipt; write NUMBER:DIGEST")
    return Receipt(int(first), digest)


def add(parser: argparse.ArgumentParser) -> None:
    """Which ledger, and what it is checked against."""
    options(
        parser,
        ("--ledger", Path, ..., "FILE", None),
        ("--receipt", [receipt], [], "NUMBER:DIGEST",
         "of a release, kept elsewhere: shows whether the ledger was rewritten (repeatable)"),
        ("--out", [Path], [], "DIR", "also look there for releases that the ledger lacks "
         "(repeatable); where it has put files itself it always looks"),
        ("--check", bool, False, None,
         "refuse (exit 2) also where a released file is missing or was changed"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """Every account; a ledger that was tampered with is refused with what is wrong.

    So is one that lacks a release whose folder is there. Files that are missing or were changed
    are named: they may have gone elsewhere on purpose.
    """
    ledger = Ledger(arguments.ledger, create=False)
    verified = ledger.verify(arguments.receipt)
    if not verified.sound:
        problems = "; ".join(verified.problems)
        raise EquipoiseError(f"the ledger {arguments.ledger} is not as it was written: {problems}")
    check_receipts(ledger, *arguments.out)
    differing = changed_files(ledger)
    if arguments.check and differing:
        raise EquipoiseError("; ".join(differing))
    return {
        "datasets": [_account(account) for account in ledger.accounts()],
        "verification": {**asdict(verified), "sound": verified.sound},
        "files": list(differing),
    }


def _account(account: Account) -> Document:
    return {
        "name": account.name,
        "fingerprint": next(iter(account.fingerprints), ""),
        "fingerprints": list(account.fingerprints),
        "neighbours": account.neighbours.value,
        **picked(account, "people", "apart"),
        **amounts(account, "budget", "spent", "remaining", "delta_budget", "delta_spent"),
        "exact": {"budget": str(account.budget), "spent": str(account.spent)},
        "releases": [_line(line) for line in account.lines],
    }


def _line(line: PaidItem) -> Document:
    return {
        **picked(line, "id", "what", "time", "method"),
        **amounts(line, "epsilon", "delta"),
        "parts": {name: str(part) for name, part in line.parts},
        **picked(line, "state", "reason", "override", "signed"),
        "receipt": f"{line.receipt.number}:{line.receipt.digest}",
        "files": [
            {**asdict(file), "path": None if path is None else str(path)}
            for file, path in zip(line.files, released_files(line).values(), strict=True)
        ],
    }


def _people(account: Document) -> str:
    if account["people"] != NOBODY:
        return ""
    return f"; stated: nobody of it is in the {counted(account['apart'], 'account')} before it"


def show(document: Document) -> None:
    """As one table for each dataset."""
    for account in document["datasets"]:
        write_lines(
            f"{account['name']} ({account['fingerprint'][:12]}, {account['neighbours']}): ε "
            f"{account['spent']:g} of {account['budget']:g} spent, {account['remaining']:g} left"
            f"{_people(account)}"
        )
        keys = ("time", "id", "what", "method", "epsilon", "delta", "state", "reason")
        write_table(keys, account["releases"])
        files = [file for line in account["releases"] for file in line["files"]]
        write_lines(*(file["path"] for file in files if file["path"]))
        write_lines("")
    check = document["verification"]
    write_lines(f"Sound: {check['entries']} entries, each holds the one before.", check["unseen"])
    write_lines(*(f"Files: {one}" for one in document["files"] or ["as they were released"]))
