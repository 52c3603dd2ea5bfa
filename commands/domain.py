"""The verb ``domain``: the states of a column that nobody can state, bought with (ε, δ)."""

import argparse
import secrets
from pathlib import Path

from commands.arguments import file_of
from commands.output import Document, amounts, say, write_lines
from commands.values import exact, filled, options, portion
from core.notation import short
from core.privacy import Neighbours
from release.domain import DomainOrder, planned, publish_domain
from release.ledger.book import Ledger
from release.words import counted
from sources.places import place_of, table_file
from sources.text import read_bytes


def add(parser: argparse.ArgumentParser) -> None:
    """Which column, what it may cost, who pays."""
    relation = [n.value for n in Neighbours]
    options(
        parser,
        ("--data", place_of, ..., "FILE", "the table"),
        ("--column", str, ..., "C", None),
        ("--epsilon", exact, ..., "E", None),
        ("--delta", portion, ..., "D",
         "most that a state of one person alone may show, as a probability"),
        ("--neighbours", relation, Neighbours.ADD_REMOVE.value, None, None),
        ("--per-unit", int, 1, "K", "most records of one person"),
        ("--schema", Path, None, "FILE", "the schema that the column is added to"),
        ("--ledger", Path, ..., "FILE", "made where there is none"),
        ("--budget", exact, None, "B", "ε of all releases of these data, set once"),
        ("--delta-budget", portion, None, "D", "δ of all releases, set once"),
        ("--name", str, "", None, "the steward's name for the data"),
        ("--people", str, "", "ACCOUNT|none", "as in release"),
        ("--out", Path, ..., "DIR", "gets one directory per release"),
        ("--token", str, "", None, "one order: the same token never draws or pays twice"),
        ("--preview", bool, False, None, "noise and threshold only: nothing is spent"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """The states, or with ``--preview`` what would be drawn; that looks at no record."""
    order = filled(
        DomainOrder,
        arguments,
        data=(table_file(arguments.data)[0], read_bytes(arguments.data.path)),
        neighbours=Neighbours(arguments.neighbours),
        token=arguments.token or secrets.token_hex(16),
        schema=file_of(arguments.schema),
    )
    limit = planned(order)
    document = {
        "column": order.column,
        **amounts(order, "epsilon", "delta"),
        "neighbours": order.neighbours.value,
        "per_unit": order.per_unit,
        "scale": limit.scale,
        "threshold": limit.least,
        "likely": limit.count_for(0.95),
        "id": None,
    }
    if arguments.preview:
        return document
    domain = publish_domain(order, Ledger(arguments.ledger), arguments.out)
    if domain.repeated:
        say("note: this token has bought a domain before; nothing was drawn or spent again")
    return document | {
        "id": domain.line.id,
        "states": list(domain.states),
        **amounts(domain.account, "spent", "remaining", "delta_remaining"),
        "files": [str(domain.directory / file) for file in ("domain.json", "schema.json")],
        "receipt": f"{domain.line.receipt.number}:{domain.line.receipt.digest}",
        "repeated": domain.repeated,
    }


def show(document: Document) -> None:
    """As sentences."""
    write_lines(
        f"A value of {document['column']} is a state if its records and noise of scale "
        f"{document['scale']:.4g} reach {document['threshold']:,}: with "
        f"{counted(document['likely'], 'record')} that is 95 % likely, and one person's own value "
        f"shows with probability {short(document['delta'], 6)} at most. All others are 'other'."
    )
    if document["id"] is None:
        write_lines("Preview: nothing was spent and no record was counted.")
        return
    write_lines(
        f"States: {', '.join(document['states'])}.",
        f"Spent so far ε = {document['spent']:g}, left {document['remaining']:g}.",
        *document["files"],
        f"Receipt of the ledger, to be kept elsewhere: {document['receipt']}",
    )
