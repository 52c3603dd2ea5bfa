"""The verb ``audit``: a method on neighbouring data, and what its outputs prove about its ε."""

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict

from commands.arguments import knobs_from
from commands.output import Document, picked, progress_bar, write_lines, write_table
from commands.values import NEIGHBOURS, filled, number, numbers, options
from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.network import Network
from core.scenario import Scenario
from release.audit.audited import Audit
from release.audit.auditing import SMALL, Ask, auditing
from release.audit.planted import EVERY_BUG
from release.process import Worker
from sources.loaded import EdgeList
from sources.named_numbers import named_numbers
from sources.study import open_network

EXACT_SECONDS = 3600
"""Longest that the process may draw which releases draw from."""

ALL = "all"


def add(parser: argparse.ArgumentParser) -> None:
    """Which method, which claim, how many runs."""
    default = Scenario()
    options(
        parser,
        ("--method", [ALL, *METHODS, *LEARNERS], "equipoise", None, None),
        ("--epsilon", numbers, [1.0], "E,F", "claims (default: 1)"),
        ("--trials", int, 100_000, "N",
         "runs on each data set of each pair of neighbours (default: 100000)"),
        ("--planted", EVERY_BUG, "", None, "audit a copy with this bug, to see it caught; choices "
         "and tables of graphs that are learned have their own"),
        ("--confidence", number, 0.99, "C", None),
        ("--exact", bool, False, None,
         "meter and draw each run as a release does; takes about 4 ms a run"),
        ("--no-power", bool, False, None, "leave out the copy with half the noise"),
        ("--delta", number, default.options.delta, "D",
         "δ proposed for methods with an (ε, δ) guarantee (default: 1e-6)"),
        ("--pseudo-count", number, 0.0, "A", None),
        ("--floors", named_numbers, (), "X=S,Y=T",
         "locked shares as proposed; variables of the small domains stand for X and Y"),
        ("--weights", named_numbers, (), "X=W,Y=V", None),
        ("--split", number, default.split, "B", None),
        ("--rate", number, default.rate, "G", None),
        NEIGHBOURS,
        ("--seed", int, 0, "N", None),
        ("--network", str, None, "NAME", "domain of a sample network (default: two small ones)"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """What the runs prove; of several audits, the worst first and all of them."""
    private = [name for name, method in METHODS.items() if method.guarantee.private]
    methods = private if arguments.method == ALL else [arguments.method]
    asks = [_ask(arguments, m, e) for m in methods for e in arguments.epsilon]
    audits: list[Audit] = []
    with Worker(seconds=EXACT_SECONDS) if arguments.exact else nullcontext() as drawer:
        for at, ask in enumerate(asks):
            for state in auditing(ask, drawer):
                progress_bar(at * state.total + state.done, len(asks) * state.total)
            audits.append(state)
    documents = [_document(audit) for audit in audits]
    if len(documents) == 1:
        return documents[0]
    worst = max(audits, key=lambda audit: audit.lower_bound / audit.tested.epsilon)
    return {**_document(worst), "audits": documents}


def _ask(arguments: argparse.Namespace, method: str, epsilon: float) -> Ask:
    return filled(
        Ask,
        arguments,
        method=method,
        scenario=knobs_from(arguments, epsilon),
        networks=SMALL if arguments.network is None else (_domain(arguments.network),),
        bug=arguments.planted,
        power=not arguments.no_power,
    )


def _domain(name: str) -> Network:
    loaded = open_network(name, None)
    if isinstance(loaded, EdgeList):
        raise EquipoiseError(f"{loaded.name} gives no states; name a network that does")
    return loaded.network


def _document(audit: Audit) -> Document:
    return {
        **picked(audit, "method", "claimed", "delta"),
        "tested": asdict(audit.tested),
        "neighbours": audit.neighbours,
        "noise": "exact" if audit.exact else "rehearsal",
        "planted": audit.bug or None,
        **picked(audit, "lower_bound", "confidence", "trials", "verdict"),
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
    broken = sum(one["verdict"] == "violated" for one in many)
    write_lines(
        f"{broken} of {len(many)} claims are broken, {document['trials']:,} runs on each data set.",
        "",
    )
    heads = ("method", "claimed", "lower_bound", "verdict", "δ tested", "half the noise", "seconds")
    seen = {True: "caught", False: "not caught", None: ""}
    told = ({"δ tested": f"{one['tested']['delta']:.2g}",
             "half the noise": seen[one["catches_half_the_noise"]]} for one in many)  # fmt: skip
    write_table(heads, [one | more for one, more in zip(many, told, strict=True)])


def _closest(tables: Sequence[Document]) -> str:
    """The table that comes nearest to its part of the budget."""
    if not tables:
        return ""
    worst = max(tables, key=lambda t: t["lower_bound"] - t["claim"]["epsilon"])
    return f"{worst['table']}: {worst['lower_bound']:.3f} of {worst['claim']['epsilon']:.3f}"
