"""The verb ``release``: review, pay, draw, write, all without a screen."""

import argparse
import secrets
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

from commands.arguments import (
    data_arguments,
    file_of,
    informed,
    method,
    scenario_arguments,
    scenario_from,
    study_from,
)
from commands.output import Document, amounts, picked, say, write_lines, write_table
from commands.stating import declared_from, declaring_arguments, print_dossier, try_printing
from commands.values import cost, exact, filled, keyed, number, numbers, options, portion
from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.study.quantities import ROW_ALIKE
from release.acceptance import Acceptance, read_criterion
from release.ledger.account import Account
from release.ledger.book import Ledger
from release.order import AS_MEASURED, fingerprints, spend_of, synthetic_wish
from release.preview import preview
from release.publish import Outcome, publish
from release.review.checklist import Checklist
from release.review.facts import Statements
from release.review.rehearsing import OWN, RANDOM, rehearsed, stand_in
from release.review.request import Reason, Request
from release.review.reviewed import Reviewed, reviewed
from release.review.standin import StandInRehearsal
from release.review.thresholds import Thresholds
from sources.study import Study


def reason(text: str) -> Reason:
    """``KEY=REASON``: why one check may pass."""
    return Reason(*keyed(text, "names no check", "KEY=REASON"))


def add(parser: argparse.ArgumentParser) -> None:
    """What is released where, and what only the steward can say."""
    data_arguments(parser)
    scenario_arguments(parser)
    options(parser, method("equipoise", learners=True))
    declaring_arguments(parser)
    limits, group = Thresholds(), parser.add_argument_group("release")
    options(
        group,
        ("--ledger", Path, ..., "FILE", "made where there is none"),
        ("--budget", exact, None, "B", "ε of all releases of these data, set once"),
        ("--delta-budget", portion, None, "D", "δ of all releases, set once (default 1e-6)"),
        ("--out", Path, ..., "DIR", "gets one directory per release"),
        ("--name", str, "", None, "the steward's name for the data"),
        ("--people", str, "", "ACCOUNT|none", "whose records data new to the ledger are: of people "
         "in that account, which is charged, or in none of its accounts, which is recorded"),
        ("--override", str, "", "REASON",
         "why failed checks may pass, in a sentence; recorded"),
        ("--reason", [reason], [], "KEY=REASON",
         "why one failed check may pass, in a sentence; recorded (repeatable)"),
        ("--signed", str, "", "NAME", "who gives these reasons; recorded with them"),
        ("--token", str, "", None, "one order: the same token never draws or pays twice"),
    )  # fmt: skip
    group.add_argument(
        "--synthetic", type=int, nargs="?", const=AS_MEASURED, metavar="N",
        help="synthetic records (without N: as many as are measured; 0: none, even of privbayes)",
    )  # fmt: skip
    options(
        group,
        ("--pdf", Path, None, "FILE", "also print the dossier; needs a Chromium"),
        ("--preview", bool, False, None, "review only: nothing is spent or drawn"),
        ("--unit", str, "", "WORD", "what one record is, such as person"),
        ("--public-records", int, 0, "N", "public number of records"),
        ("--domain", ("public",), "", None,
         "the states of the network file are known without the records"),
        ("--graph", ("known", "private", "rows"), "", None,
         "known without the records, or learned from them: privately, or not"),
        ("--graph-epsilon", cost, 0.0, "E",
         "what learning the graph privately has cost; charged once"),
        ("--rehearse", str, "", "network|random|FILE", "before spending, on records drawn from the "
         "network's own parameters, from random tables, or from the model file of an earlier "
         "release"),
        ("--study-runs", int, 0, "N",
         "how often errors on the rows were looked at before ε was settled"),
        ("--limits", numbers, [*limits.powers, limits.auc], "A,B,C,AUC",
         "most members found at 0.1, 1 and 10 %% false alarms, and AUC"),
        ("--noise-limit", number, limits.noise, "X",
         "most noise of a cell, as a share of the records"),
        ("--row-limit", number, limits.row_error, "X",
         f"most {ROW_ALIKE.name}, in the rehearsal"),
        ("--groups", str, "", "VARIABLE",
         "rehearse who bears the error by the states of this variable, too"),
        ("--group-size", number, limits.group, "X",
         "smallest group that must be told, as a share of the records"),
        ("--group-limit", number, limits.group_error, "X",
         "most noise of a cell, as a share of such a group"),
        ("--accept", [str], [], "WAYS:X,Y<=SHARE", "publish only if every table of so many of "
         "these columns ('all': of all) is off by at most that share of the records; tested "
         "privately after the draw (up to 8)"),
        ("--accept-epsilon", exact, Fraction(0), "E",
         "ε of these tests together, on top of --epsilon; always charged"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """One release from the review to the files; refused lines are named and nothing is spent."""
    request, ledger = _request(arguments), Ledger(arguments.ledger)
    account = _account(request, ledger)
    seen = reviewed(request, account, rehearsal=_rehearsal(arguments, request, ledger))
    if arguments.preview:
        return _reviewed(seen)
    order = seen.order(arguments.token or secrets.token_hex(16))
    shown = preview(order.network, order.method, order.scenario)
    repeated = ledger.foresee(spend_of(order, shown, ledger)) is not None
    if seen.checklist.open and not repeated:
        raise EquipoiseError(f"{seen.refusal} Nothing was spent.")
    if arguments.pdf and not repeated:
        try_printing(seen, arguments.pdf)
    outcome = publish(order, ledger, arguments.out, extra=seen.papers)
    if arguments.pdf:
        print_dossier(outcome, arguments.pdf)
    return _released(outcome, seen.checklist)


def _request(arguments: argparse.Namespace) -> Request:
    *powers, auc = arguments.limits
    chosen = arguments.synthetic
    study = _study(arguments)
    declared, records = declared_from(arguments), arguments.public_records
    return filled(
        Request,
        arguments,
        study=study,
        network=None,
        scenario=informed(scenario_from(arguments), arguments, study.network),
        statements=filled(Statements, arguments, records=records, declared=declared),
        thresholds=Thresholds(
            powers=tuple(powers),
            auc=auc,
            noise=arguments.noise_limit,
            row_error=arguments.row_limit,
            group=arguments.group_size,
            group_error=arguments.group_limit,
        ),
        synthetic=synthetic_wish(arguments.method) if chosen is None else chosen,
        reasons=tuple(arguments.reason),
        acceptance=Acceptance(
            tuple(read_criterion(text, study.network.names) for text in arguments.accept),
            arguments.accept_epsilon,
        ),
        group_by=arguments.groups,
    )


def _study(arguments: argparse.Namespace) -> Study:
    """The files; one that cannot be read is refused for what it is, before any review."""
    try:
        graph = not method_named(arguments.method).learns
        own = {"key": Ledger(arguments.ledger).key()} if arguments.unit_column else {}
        return study_from(arguments, counted=False, graph=graph, **own)
    except EquipoiseError as problem:
        raise EquipoiseError(
            f"{problem} (said of the file as it is written, to its keeper alone: no review was "
            "made of it and nothing was spent)"
        ) from None


def _account(request: Request, ledger: Ledger) -> Account | None:
    """The account of the data, or the one that a release would open; none without a budget."""
    known = ledger.account(fingerprints(request.study, ledger), request.name, request.people)
    if known is not None or request.budget is None:
        return known
    order = request.order("review")
    shown = preview(order.network, order.method, order.scenario)
    return ledger.charged(spend_of(order, shown, ledger))


def _rehearsal(
    arguments: argparse.Namespace, request: Request, ledger: Ledger
) -> StandInRehearsal | None:
    """On the stand-in that is asked for."""
    kind = arguments.rehearse
    if not kind:
        return None
    file = file_of(None if kind in (OWN, RANDOM) else Path(kind))
    return rehearsed(request, stand_in(request, kind, file, ledger))


def _checked(checklist: Checklist, **more: object) -> Document:
    keys = ("key", "title", "state", "number", "sentence", "advice", "reason")
    lines = [picked(line, *keys) for line in checklist.lines]
    return {**picked(checklist, "verdict", "sentence"), **more, "checklist": lines}


def _reviewed(seen: Reviewed) -> Document:
    shown, passing = seen.proposal.preview, seen.passing
    known = () if shown is None or shown.parts else shown.measurements
    ways = [] if passing is None else [asdict(way) for way in passing.ways]
    more = passing and {**picked(passing, "sentence"), "ways": ways}
    return {
        "id": None,
        **_checked(seen.checklist, passing=more),
        "parts": {} if shown is None else {name: str(part) for name, part in shown.parts},
        "measurements": [
            {"variables": list(m.variables), "cells": m.cells, "noise": m.noise,
             "budget": str(m.budget), "scale": str(m.scale)}
            for m in known
        ],
        "dossier": seen.document(),
    }  # fmt: skip


def _released(outcome: Outcome, checklist: Checklist) -> Document:
    account, published = outcome.account, outcome.published
    if outcome.repeated:
        say("note: this token has released before; nothing was drawn or spent again")
    return {
        **picked(published, "id", "method", "guarantee"),
        **amounts(published, "epsilon", "delta"),
        **amounts(account, "spent", "remaining", "delta_remaining"),
        "files": [str(outcome.directory / file.name) for file in published.files],
        "checksums": {file.name: file.sha256 for file in published.files},
        "fingerprint": account.fingerprints[0],
        "dataset": account.name,
        "receipt": f"{published.receipt.number}:{published.receipt.digest}",
        "repeated": outcome.repeated,
        "override": published.override,
        **_checked(checklist),
    }


def show(document: Document) -> None:
    """As sentences, the checklist, and the files."""
    heads = {"check": "title", "state": "state", "number": "number", "what it says": "sentence"}
    write_table(heads, document["checklist"])
    if document["id"] is None:
        more = [document["passing"]["sentence"]] if document["passing"] else []
        write_lines("", document["sentence"], *more, "Preview: nothing was spent.")
        return
    write_lines(
        "",
        document["sentence"],
        f"Release {document['id']} of {document['dataset']} with {document['method']}: "
        f"{document['guarantee']}, ε = {document['epsilon']:g}.",
        f"Spent so far ε = {document['spent']:g}, left {document['remaining']:g}; what is spent "
        "cannot be had back, and the next release costs again.",
        *document["files"],
        f"Receipt of the ledger, to be kept elsewhere: {document['receipt']}",
    )
