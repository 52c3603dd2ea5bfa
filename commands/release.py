"""The verb ``release``: review, pay, draw, write, all without a screen."""

from __future__ import annotations

import argparse
import secrets
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

from commands.arguments import (
    cost,
    data_arguments,
    exact,
    informed,
    method_argument,
    number,
    numbers,
    portion,
    scenario_arguments,
    scenario_from,
    study_from,
)
from commands.output import Document, say, write_lines, write_table
from commands.stating import declared_from, declaring_arguments, print_dossier, try_printing
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
from release.review.passing import Passing
from release.review.rehearsing import OWN, RANDOM, rehearsed, stand_in
from release.review.request import Reason, Request
from release.review.reviewed import Reviewed, reviewed
from release.review.standin import StandInRehearsal
from release.review.thresholds import Thresholds
from sources.study import Study
from sources.text import read_bytes


def reason(text: str) -> Reason:
    """``KEY=REASON``: why one check may pass."""
    key, sign, why = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} names no check; write KEY=REASON")
    return Reason(key.strip(), why)


def add(parser: argparse.ArgumentParser) -> None:
    """What is released where, and what only the steward can say."""
    data_arguments(parser)
    scenario_arguments(parser)
    method_argument(parser, default="equipoise", learners=True)
    declaring_arguments(parser)
    add = parser.add_argument_group("release").add_argument
    add("--ledger", type=Path, required=True, metavar="FILE", help="made where there is none")
    add("--budget", type=exact, metavar="B", help="ε of all releases of these data, set once")
    add(
        "--delta-budget", type=portion, metavar="D",
        help="δ of all releases, set once (default 1e-6)",
    )  # fmt: skip
    add("--out", type=Path, required=True, metavar="DIR", help="gets one directory per release")
    add("--name", default="", help="the steward's name for the data")
    add("--people", default="", metavar="ACCOUNT|none",
        help="whose records data new to the ledger are: of people in that account, which is "
        "charged, or in none of its accounts, which is recorded")  # fmt: skip
    add("--override", default="", metavar="REASON",
        help="why failed checks may pass, in a sentence; recorded")  # fmt: skip
    add(
        "--reason", type=reason, action="append", default=[], metavar="KEY=REASON",
        help="why one failed check may pass, in a sentence; recorded (repeatable)",
    )  # fmt: skip
    add("--signed", default="", metavar="NAME", help="who gives these reasons; recorded with them")
    add("--token", default="", help="one order: the same token never draws or pays twice")
    add(
        "--synthetic", type=int, nargs="?", const=AS_MEASURED, metavar="N",
        help="synthetic records (without N: as many as are measured; 0: none, even of privbayes)",
    )  # fmt: skip
    add("--pdf", type=Path, metavar="FILE", help="also print the dossier; needs a Chromium")
    add("--preview", action="store_true", help="review only: nothing is spent or drawn")
    add("--unit", default="", metavar="WORD", help="what one record is, such as person")
    add("--public-records", type=int, default=0, metavar="N", help="public number of records")
    add("--domain", choices=("public",), default="",
        help="the states of the network file are known without the records")  # fmt: skip
    add("--graph", choices=("known", "private", "rows"), default="",
        help="known without the records, or learned from them: privately, or not")  # fmt: skip
    add("--graph-epsilon", type=cost, default=0.0, metavar="E",
        help="what learning the graph privately has cost; charged once")  # fmt: skip
    add("--rehearse", default="", metavar="network|random|FILE",
        help="before spending, on records drawn from the network's own parameters, from random "
        "tables, or from the model file of an earlier release")  # fmt: skip
    add("--study-runs", type=int, default=0, metavar="N",
        help="how often errors on the rows were looked at before ε was settled")  # fmt: skip
    limits = Thresholds()
    add("--limits", type=numbers, default=[*limits.powers, limits.auc], metavar="A,B,C,AUC",
        help="most members found at 0.1, 1 and 10 %% false alarms, and AUC")  # fmt: skip
    add("--noise-limit", type=number, default=limits.noise, metavar="X",
        help="most noise of a cell, as a share of the records")  # fmt: skip
    add("--row-limit", type=number, default=limits.row_error, metavar="X",
        help=f"most {ROW_ALIKE.name}, in the rehearsal")  # fmt: skip
    add("--groups", default="", metavar="VARIABLE",
        help="rehearse who bears the error by the states of this variable, too")  # fmt: skip
    add("--group-size", type=number, default=limits.group, metavar="X",
        help="smallest group that must be told, as a share of the records")  # fmt: skip
    add("--group-limit", type=number, default=limits.group_error, metavar="X",
        help="most noise of a cell, as a share of such a group")  # fmt: skip
    add("--accept", action="append", default=[], metavar="WAYS:X,Y<=SHARE",
        help="publish only if every table of so many of these columns ('all': of all) is off by "
        "at most that share of the records; tested privately after the draw (up to 8)")  # fmt: skip
    add("--accept-epsilon", type=exact, default=Fraction(0), metavar="E",
        help="ε of these tests together, on top of --epsilon; always charged")  # fmt: skip


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
    """Everything the arguments order."""
    *powers, auc = arguments.limits
    chosen = arguments.synthetic
    study = _study(arguments)
    return Request(
        study=study,
        method=arguments.method,
        scenario=informed(scenario_from(arguments), arguments, study.network),
        statements=Statements(
            unit=arguments.unit,
            per_unit=arguments.per_unit,
            records=arguments.public_records,
            graph=arguments.graph,
            graph_epsilon=arguments.graph_epsilon,
            domain=arguments.domain,
            declared=declared_from(arguments),
        ),
        thresholds=Thresholds(
            powers=tuple(powers),
            auc=auc,
            noise=arguments.noise_limit,
            row_error=arguments.row_limit,
            group=arguments.group_size,
            group_error=arguments.group_limit,
        ),
        name=arguments.name,
        people=arguments.people,
        budget=arguments.budget,
        delta_budget=arguments.delta_budget,
        synthetic=synthetic_wish(arguments.method) if chosen is None else chosen,
        override=arguments.override,
        reasons=tuple(arguments.reason),
        signed=arguments.signed,
        study_runs=arguments.study_runs,
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
    path = None if kind in (OWN, RANDOM) else Path(kind)
    file = None if path is None else (path.name, read_bytes(path))
    return rehearsed(request, stand_in(request, kind, file, ledger))


def _lines(checklist: Checklist) -> list[Document]:
    keys = ("key", "title", "state", "number", "sentence", "advice", "reason")
    return [{key: getattr(line, key) for key in keys} for line in checklist.lines]


def _reviewed(seen: Reviewed) -> Document:
    shown, checklist = seen.proposal.preview, seen.checklist
    known = () if shown is None or shown.parts else shown.measurements
    return {
        "id": None,
        "verdict": checklist.verdict,
        "sentence": checklist.sentence,
        "passing": _passing(seen.passing),
        "checklist": _lines(checklist),
        "parts": {} if shown is None else {name: str(part) for name, part in shown.parts},
        "measurements": [
            {"variables": list(m.variables), "cells": m.cells, "noise": m.noise,
             "budget": str(m.budget), "scale": str(m.scale)}
            for m in known
        ],
        "dossier": seen.document(),
    }  # fmt: skip


def _passing(passing: Passing | None) -> Document | None:
    """What would pass, where a check fails that depends on ε."""
    if passing is None:
        return None
    return {"sentence": passing.sentence, "ways": [asdict(way) for way in passing.ways]}


def _released(outcome: Outcome, checklist: Checklist) -> Document:
    account, published = outcome.account, outcome.published
    if outcome.repeated:
        say("note: this token has released before; nothing was drawn or spent again")
    return {
        "id": published.id,
        "method": published.method,
        "guarantee": published.guarantee,
        "epsilon": float(published.epsilon),
        "delta": float(published.delta),
        "spent": float(account.spent),
        "remaining": float(account.remaining),
        "delta_remaining": float(account.delta_remaining),
        "files": [str(outcome.directory / file.name) for file in published.files],
        "checksums": {file.name: file.sha256 for file in published.files},
        "fingerprint": account.fingerprints[0],
        "dataset": account.name,
        "receipt": f"{published.receipt.number}:{published.receipt.digest}",
        "repeated": outcome.repeated,
        "override": published.override,
        "verdict": checklist.verdict,
        "sentence": checklist.sentence,
        "checklist": _lines(checklist),
    }


def show(document: Document) -> None:
    """As sentences, the checklist, and the files."""
    write_table(
        ("check", "state", "number", "what it says"),
        [[x["title"], x["state"], x["number"], x["sentence"]] for x in document["checklist"]],
    )
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
