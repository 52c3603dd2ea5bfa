"""The verb ``audit``: a method on neighbouring data, and what its outputs prove about its ε."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict

from commands.arguments import named, number, numbers
from commands.output import Document, progress_bar, write_lines, write_table
from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from release.audit.audited import Audit
from release.audit.auditing import SMALL, Ask, auditing
from release.audit.planted import EVERY_BUG
from release.meter import Drawer
from release.process import Worker
from sources.loaded import EdgeList
from sources.study import open_network

EXACT_SECONDS = 3600
"""Longest that the process may draw which releases draw from."""

ALL = "all"


def add(parser: argparse.ArgumentParser) -> None:
    """Which method, which claim, how many runs."""
    default = Scenario()
    parser.add_argument("--method", default="equipoise", choices=[ALL, *METHODS, *LEARNERS])
    parser.add_argument(
        "--epsilon", type=numbers, default=[1.0], metavar="E,F", help="claims (default: 1)"
    )
    parser.add_argument(
        "--trials",
        type=int,
        default=100_000,
        metavar="N",
        help="runs on each data set of each pair of neighbours (default: 100000)",
    )
    parser.add_argument(
        "--planted",
        choices=EVERY_BUG,
        default="",
        help="audit a copy with this bug, to see it caught; choices and tables of graphs that are "
        "learned have their own",
    )
    parser.add_argument("--confidence", type=number, default=0.99, metavar="C")
    parser.add_argument(
        "--exact",
        action="store_true",
        help="meter and draw each run as a release does; takes about 4 ms a run",
    )
    parser.add_argument(
        "--no-power", action="store_true", help="leave out the copy with half the noise"
    )
    parser.add_argument(
        "--delta",
        type=number,
        default=default.options.delta,
        metavar="D",
        help="δ proposed for methods with an (ε, δ) guarantee (default: 1e-6)",
    )
    parser.add_argument("--pseudo-count", type=number, default=0.0, metavar="A")
    parser.add_argument(
        "--floors",
        type=named,
        default=(),
        metavar="X=S,Y=T",
        help="locked shares as proposed; variables of the small domains stand for X and Y",
    )
    parser.add_argument("--weights", type=named, default=(), metavar="X=W,Y=V")
    parser.add_argument("--split", type=number, default=default.split, metavar="B")
    parser.add_argument("--rate", type=number, default=default.rate, metavar="G")
    parser.add_argument(
        "--neighbours",
        choices=[n.value for n in Neighbours],
        default=default.neighbours.value,
        help="(default: add-remove)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--network", metavar="NAME", help="domain of a sample network (default: two small ones)"
    )


def run(arguments: argparse.Namespace) -> Document:
    """What the runs prove; of several audits, the worst first and all of them."""
    private = [name for name, method in METHODS.items() if method.guarantee.private]
    methods = private if arguments.method == ALL else [arguments.method]
    asks = [_ask(arguments, m, e) for m in methods for e in arguments.epsilon]
    with Worker(seconds=EXACT_SECONDS) if arguments.exact else nullcontext() as drawer:
        audits = [_audited(ask, drawer, at, len(asks)) for at, ask in enumerate(asks)]
    documents = [_document(audit) for audit in audits]
    if len(documents) == 1:
        return documents[0]
    worst = max(audits, key=lambda audit: audit.lower_bound / audit.tested.epsilon)
    return {**_document(worst), "audits": documents}


def _ask(arguments: argparse.Namespace, method: str, epsilon: float) -> Ask:
    scenario = Scenario(
        epsilon=epsilon,
        split=arguments.split,
        rate=arguments.rate,
        neighbours=Neighbours(arguments.neighbours),
        seed=arguments.seed,
        options=Options(
            arguments.pseudo_count, arguments.floors, arguments.weights, arguments.delta
        ),
    )
    return Ask(
        method=method,
        scenario=scenario,
        networks=SMALL if arguments.network is None else (_domain(arguments.network),),
        trials=arguments.trials,
        confidence=arguments.confidence,
        bug=arguments.planted,
        power=not arguments.no_power,
    )


def _domain(name: str) -> Network:
    loaded = open_network(name, None)
    if isinstance(loaded, EdgeList):
        raise EquipoiseError(f"{loaded.name} gives no states; name a network that does")
    return loaded.network


def _audited(ask: Ask, drawer: Drawer | None, at: int, of: int) -> Audit:
    for state in auditing(ask, drawer):
        progress_bar(at * state.total + state.done, of * state.total)
    return state


def _document(audit: Audit) -> Document:
    return {
        "method": audit.method,
        "claimed": audit.claimed,
        "delta": audit.delta,
        "tested": asdict(audit.tested),
        "neighbours": audit.neighbours,
        "noise": "exact" if audit.exact else "rehearsal",
        "planted": audit.bug or None,
        "lower_bound": audit.lower_bound,
        "confidence": audit.confidence,
        "trials": audit.trials,
        "verdict": audit.verdict,
        "catches_half_the_noise": audit.catches_half,
        "sentence": audit.sentence,
        "pairs": [asdict(shown) for shown in audit.pairs],
        "seconds": audit.seconds,
    }


def show(document: Document) -> None:
    """As a sentence and a table."""
    many = document.get("audits")
    if many is None:
        write_lines(document["sentence"], "")
        pairs = [[p["pair"], p["lower_bound"], _closest(p["tables"])] for p in document["pairs"]]
        write_table(("neighbours", "ε of at least", "closest table, of its part"), pairs)
        return
    keys = ("method", "claimed", "lower_bound", "verdict", "seconds")
    broken = sum(one["verdict"] == "violated" for one in many)
    write_lines(
        f"{broken} of {len(many)} claims are broken, {document['trials']:,} runs on each data set.",
        "",
    )
    told = [*keys[:-1], "δ tested", "half the noise", keys[-1]]
    write_table(told, [[*_row(one, keys[:-1]), one[keys[-1]]] for one in many])


def _row(one: Document, keys: Sequence[str]) -> list[object]:
    seen = {True: "caught", False: "not caught", None: ""}[one["catches_half_the_noise"]]
    return [*(one[key] for key in keys), f"{one['tested']['delta']:.2g}", seen]


def _closest(tables: Sequence[Document]) -> str:
    """The table that comes nearest to its part of the budget."""
    if not tables:
        return ""
    worst = max(tables, key=lambda t: t["lower_bound"] - t["claim"]["epsilon"])
    return f"{worst['table']}: {worst['lower_bound']:.3f} of {worst['claim']['epsilon']:.3f}"
