"""The verb ``audit``: a method on neighbouring data, and what its outputs prove about its ε."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from commands.arguments import number, numbers
from commands.output import Document, progress_bar, write_lines, write_table
from core.errors import EquipoiseError
from core.methods.registry import METHODS
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from release.audit.auditing import SMALL, Ask, Audit, auditing
from release.audit.planted import PLANTED
from sources.loaded import Structure
from sources.study import open_network

DELTA = 0.01
"""δ of (ε, δ) methods under audit: large enough for events of that size to be seen."""

ALL = "all"


def add(parser: argparse.ArgumentParser) -> None:
    """Which method, which claim, how many runs."""
    default = Scenario()
    parser.add_argument("--method", default="equipoise", choices=[ALL, *METHODS])
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
        choices=PLANTED,
        default="",
        help="audit a copy with this bug, to see it caught",
    )
    parser.add_argument("--confidence", type=number, default=0.99, metavar="C")
    parser.add_argument("--delta", type=number, default=DELTA, metavar="D", help="(default: 0.01)")
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
    found = [_audited(ask, at, len(asks)) for at, ask in enumerate(asks)]
    documents = [_document(audit) for audit in found]
    if len(documents) == 1:
        return documents[0]
    worst = max(found, key=lambda audit: audit.lower_bound - audit.claimed)
    return {**_document(worst), "audits": documents}


def _ask(arguments: argparse.Namespace, method: str, epsilon: float) -> Ask:
    scenario = Scenario(
        epsilon=epsilon,
        split=arguments.split,
        rate=arguments.rate,
        neighbours=Neighbours(arguments.neighbours),
        seed=arguments.seed,
        options=Options(delta=arguments.delta),
    )
    return Ask(
        method=method,
        scenario=scenario,
        networks=SMALL if arguments.network is None else (_domain(arguments.network),),
        trials=arguments.trials,
        confidence=arguments.confidence,
        bug=arguments.planted,
    )


def _domain(name: str) -> Network:
    loaded = open_network(name, None)
    if isinstance(loaded, Structure):
        raise EquipoiseError(f"{loaded.name} gives no states; name a network that does")
    return loaded.network


def _audited(ask: Ask, at: int, of: int) -> Audit:
    for state in auditing(ask):
        progress_bar(at * state.total + state.done, of * state.total)
    return state


def _document(audit: Audit) -> Document:
    return {
        "method": audit.method,
        "claimed": audit.claimed,
        "delta": audit.delta,
        "neighbours": audit.neighbours,
        "planted": audit.bug or None,
        "lower_bound": audit.lower_bound,
        "confidence": audit.confidence,
        "trials": audit.trials,
        "verdict": audit.verdict,
        "sentence": audit.sentence,
        "pairs": [asdict(shown) for shown in audit.pairs],
        "seconds": audit.seconds,
    }


def show(document: Document) -> None:
    """As a sentence and a table."""
    many = document.get("audits")
    if many is None:
        write_lines(document["sentence"], "")
        pairs = [[p["pair"], p["lower_bound"]] for p in document["pairs"]]
        write_table(("neighbours", "ε of at least"), pairs)
        return
    keys = ("method", "claimed", "lower_bound", "verdict", "seconds")
    broken = sum(one["verdict"] == "violated" for one in many)
    write_lines(
        f"{broken} of {len(many)} claims are broken, {document['trials']:,} runs on each data set.",
        "",
    )
    write_table(keys, [[one[key] for key in keys] for one in many])
