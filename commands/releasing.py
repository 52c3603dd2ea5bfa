"""The verb ``release``: review, pay, draw, write, all without a screen."""

from __future__ import annotations

import argparse
import secrets
import shlex
from fractions import Fraction
from pathlib import Path

from commands.arguments import number, numbers, scenario_from, study_from
from commands.output import Document, say, write_lines, write_table
from core.errors import EquipoiseError
from core.methods.registry import METHODS
from core.privacy import EPSILON_LIMIT
from core.scenario import Scenario
from core.study.quantities import ROW_ALIKE
from figures.chromium import to_pdf
from release.dossier.document import dossier, dossier_files
from release.folders import check_unchanged
from release.ledger.account import Account
from release.ledger.book import Ledger
from release.order import AS_MEASURED, Order, spend_of
from release.preview import preview
from release.publish import Outcome, publish
from release.published import Published
from release.review.checklist import Checklist, review
from release.review.facts import Facts, Statements
from release.review.proposal import Proposal
from release.review.standin import StandIn, earlier_release, own_parameters, random_tables, rehearse
from release.review.thresholds import Thresholds
from sources.loaded import Loaded
from sources.study import Study, open_network
from sources.text import read_bytes


def exact(text: str) -> Fraction:
    """A positive number, exactly as written: 0.1 is one tenth."""
    if not 0 < number(text) <= EPSILON_LIMIT:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {EPSILON_LIMIT:g}")
    return Fraction(text)


def portion(text: str) -> Fraction:
    """A δ, exactly as written."""
    if not 0 < number(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return Fraction(text)


def cost(text: str) -> float:
    """What something has cost: zero or more."""
    if not 0 <= number(text) <= EPSILON_LIMIT:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {EPSILON_LIMIT:g}")
    return number(text)


def release_arguments(parser: argparse.ArgumentParser) -> None:
    """What is released where, and what only the steward can say."""
    parser.add_argument("--method", default="equipoise", choices=METHODS)
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
    add("--override", default="", metavar="REASON", help="why failed checks may pass; recorded")
    add("--token", default="", help="one order: the same token never draws or pays twice")
    add(
        "--synthetic", type=int, nargs="?", const=AS_MEASURED, default=0, metavar="N",
        help="also synthetic records (without N: as many as the noisy tables say)",
    )  # fmt: skip
    add("--pdf", type=Path, metavar="FILE", help="also print the dossier; needs a Chromium")
    add("--preview", action="store_true", help="review only: nothing is spent or drawn")
    add("--unit", default="", metavar="WORD", help="what one record is, such as person")
    add("--per-unit", type=int, default=1, metavar="K", help="most records of one unit")
    add("--public-records", type=int, default=0, metavar="N", help="public number of records")
    add("--graph", choices=("known", "private", "rows"), default="",
        help="known without the records, or learned from them: privately, or not")  # fmt: skip
    add("--graph-epsilon", type=cost, default=0.0, metavar="E",
        help="what learning the graph privately has cost; charged once")  # fmt: skip
    add("--rehearse", default="", metavar="network|random|FILE",
        help="before spending, on records drawn from the network's own parameters, from random "
        "tables, or from the model file of an earlier release")  # fmt: skip
    limits = Thresholds()
    add("--limits", type=numbers, default=[*limits.powers, limits.auc], metavar="A,B,C,AUC",
        help="most members found at 0.1, 1 and 10 %% false alarms, and AUC")  # fmt: skip
    add("--noise-limit", type=number, default=limits.noise, metavar="X",
        help="most noise of a cell, as a share of the records")  # fmt: skip
    add("--row-limit", type=number, default=limits.row_error, metavar="X",
        help=f"most {ROW_ALIKE.name}, in the rehearsal")  # fmt: skip


def run_release(arguments: argparse.Namespace) -> Document:
    """One release from the review to the files; refused lines are named and nothing is spent."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    order = _order(arguments, scenario, study)
    ledger = Ledger(arguments.ledger)
    spend = spend_of(order, preview(order.network, order.method, scenario), ledger)
    repeated = ledger.foresee(spend) is not None
    proposal = _proposal(arguments, scenario, study, ledger, ledger.charged(spend))
    checklist = review(proposal)
    if arguments.override:
        checklist = checklist.override_all(arguments.override)
    if arguments.preview:
        return _reviewed(proposal, checklist)
    if checklist.open and not repeated:
        raise EquipoiseError(f"{checklist.sentence} Nothing was spent.")
    order = _order(arguments, scenario, study, checklist)

    def papers(published: Published, account: Account) -> dict[str, bytes]:
        command = _command(arguments, scenario)
        return dossier_files(
            dossier(proposal, checklist, published=published, account=account, command=command)
        )

    outcome = publish(order, ledger, arguments.out, extra=papers)
    if arguments.pdf:
        _print(outcome, arguments.pdf)
    return _released(outcome, checklist)


def _print(outcome: Outcome, target: Path) -> None:
    """Write the dossier as PDF; the release stands also where it cannot be printed."""
    try:
        target.write_bytes(to_pdf((outcome.directory / "dossier.html").read_bytes()))
    except (EquipoiseError, OSError) as problem:
        say(f"note: released, but the dossier was not printed: {problem}")


def _order(
    arguments: argparse.Namespace,
    scenario: Scenario,
    study: Study,
    checklist: Checklist | None = None,
) -> Order:
    passed = checklist.overridden if checklist else ()
    if not arguments.token:
        arguments.token = secrets.token_hex(16)
    return Order(
        study=study,
        network=study.network,
        method=arguments.method,
        scenario=scenario,
        token=arguments.token,
        name=arguments.name,
        people=arguments.people,
        budget=arguments.budget,
        delta_budget=arguments.delta_budget,
        synthetic=arguments.synthetic,
        graph_epsilon=arguments.graph_epsilon,
        override=arguments.override if passed else "",
        failed=tuple(line.key for line in passed),
    )


def _proposal(
    arguments: argparse.Namespace,
    scenario: Scenario,
    study: Study,
    ledger: Ledger,
    account: Account,
) -> Proposal:
    stated = Statements(
        unit=arguments.unit,
        per_unit=arguments.per_unit,
        records=arguments.public_records,
        graph=arguments.graph,
        graph_epsilon=arguments.graph_epsilon,
    )
    facts = Facts.of(study, stated, scenario.neighbours)
    *powers, auc = arguments.limits
    limits = Thresholds(
        powers=tuple(powers), auc=auc, noise=arguments.noise_limit, row_error=arguments.row_limit
    )
    rehearsal = None
    if arguments.rehearse:
        stand_in = _stand_in(arguments, study, ledger)
        rehearsal = rehearse(stand_in, arguments.method, scenario, records=max(facts.records, 1))
    return Proposal(
        facts=facts,
        method=arguments.method,
        scenario=scenario,
        thresholds=limits,
        account=account,
        rehearsal=rehearsal,
    )


def _stand_in(arguments: argparse.Namespace, study: Study, ledger: Ledger) -> StandIn:
    """Public records to rehearse on."""
    if arguments.rehearse == "random":
        return random_tables(study.network)
    own = arguments.rehearse == "network"
    path = arguments.dag if own else Path(arguments.rehearse)
    file = None if path is None else (path.name, read_bytes(path))
    if file is not None:
        check_unchanged(ledger, *file)
    loaded = open_network(arguments.network if own else None, file)
    if not isinstance(loaded, Loaded) or loaded.model is None:
        raise EquipoiseError(f"{loaded.name} has no probabilities; rehearse with --rehearse random")
    kind = own_parameters if own else earlier_release
    return kind(loaded.name, study.network, loaded.model)


def _command(arguments: argparse.Namespace, scenario: Scenario) -> str:
    """The same order as a line for a shell; files by name, without where they lie."""
    words = ["python", "cli.py", "release", "--method", arguments.method]
    words += ["--epsilon", f"{scenario.epsilon:g}", "--neighbours", scenario.neighbours.value]
    words += ["--split", f"{scenario.split:g}", "--rate", f"{scenario.rate:g}"]
    if arguments.graph:
        words += ["--graph", arguments.graph]
    if arguments.graph_epsilon:
        words += ["--graph-epsilon", f"{arguments.graph_epsilon:g}"]
    if arguments.people:
        words += ["--people", arguments.people]
    for name in ("network", "dag", "data", "schema", "ledger", "out"):
        value = getattr(arguments, name)
        if value is not None:
            words += [f"--{name}", value.name if isinstance(value, Path) else value]
    return shlex.join(words)


def _lines(checklist: Checklist) -> list[Document]:
    keys = ("key", "title", "state", "number", "sentence", "advice", "reason")
    return [{key: getattr(line, key) for key in keys} for line in checklist.lines]


def _reviewed(proposal: Proposal, checklist: Checklist) -> Document:
    shown = proposal.preview
    return {
        "id": None,
        "verdict": checklist.verdict,
        "sentence": checklist.sentence,
        "checklist": _lines(checklist),
        "measurements": []
        if shown is None
        else [
            {"variables": list(m.variables), "cells": m.cells, "noise": m.noise,
             "budget": str(m.budget), "scale": str(m.scale)}
            for m in shown.measurements
        ],
    }  # fmt: skip


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
        "checklist": _lines(checklist),
    }


def show_release(document: Document) -> None:
    """As sentences, the checklist, and the files."""
    write_table(
        ("check", "state", "number", "what it says"),
        [[x["title"], x["state"], x["number"], x["sentence"]] for x in document["checklist"]],
    )
    if document["id"] is None:
        write_lines("", document["sentence"], "Preview: nothing was spent.")
        return
    write_lines(
        "",
        f"Release {document['id']} of {document['dataset']} with {document['method']}: "
        f"{document['guarantee']}, ε = {document['epsilon']:g}.",
        f"Spent so far ε = {document['spent']:g}, left {document['remaining']:g}; what is spent "
        "cannot be had back, and the next release costs again.",
        *document["files"],
        f"Receipt of the ledger, to be kept elsewhere: {document['receipt']}",
    )
