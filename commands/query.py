"""The verb ``query``: one question to the exact and to the private models."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from commands.arguments import (
    asked_from,
    data_arguments,
    evidence,
    method_argument,
    names,
    scenario_arguments,
)
from commands.output import STUDY, Document, write_lines, write_table
from commands.scenario_files import scenario_file_arguments
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.study.answered import Answered, answered, explained
from core.study.bands import QUANTILES
from core.study.metrics import Truth


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method, and the question."""
    data_arguments(parser)
    scenario_arguments(parser)
    scenario_file_arguments(parser)
    method_argument(parser)
    parser.add_argument("--target", type=names, default=[], metavar="X,Y")
    parser.add_argument("--given", type=evidence, default={}, metavar="A=a,B=b")
    parser.add_argument(
        "--most-probable",
        action="store_true",
        help="the most probable explanation of all other variables, or of --target alone",
    )


def run(arguments: argparse.Namespace) -> Document:
    """One question to the exact model and to the private ones."""
    scenario, study = asked_from(arguments)
    asked = (
        arguments.method,
        Truth.of(study.network, study.counts, scenario.options),
        study.counts,
        scenario,
    )
    if arguments.most_probable:
        explanation = explained(arguments.given, *asked, arguments.target)
        answer, rows = explanation.as_answer, [explanation.states]
        shares = zip(explanation.states, explanation.agreement.tolist(), strict=True)
        more = {"agreement": dict(shares)}
    else:
        if not arguments.target:
            raise EquipoiseError("name at least one --target, or ask with --most-probable")
        answer = answered(Query(tuple(arguments.target), arguments.given), *asked)
        targets = [v.name for v in answer.variables]
        rows = [dict(zip(targets, states, strict=True)) for states in answer.states]
        more = {}
    return {
        "targets": list(rows[0]),
        "given": arguments.given,
        "method": arguments.method,
        "epsilon": scenario.epsilon,
        **_answers(rows, answer),
        **more,
    }


def _answers(rows: list[dict[str, str]], answer: Answered) -> Document:
    low, high = answer.limits
    private = zip(rows, answer.summaries, low.tolist(), high.tolist(), strict=True)
    return {
        "truth": [
            {"states": states, "probability": probability}
            for states, probability in zip(rows, answer.truth.tolist(), strict=True)
        ],
        "private": [
            {"states": states, **asdict(summary), "q05": q05, "q95": q95}
            for states, summary, q05, q95 in private
        ],
        "l1": asdict(answer.mean_off),
        "quantile_levels": QUANTILES,
    }


def show(document: Document) -> None:
    """As a table."""
    given = ", ".join(f"{k}={v}" for k, v in document["given"].items())
    write_lines(
        f"P({', '.join(document['targets'])}{' | ' + given if given else ''}) "
        f"with {document['method']} at ε = {document['epsilon']:g}",
        STUDY,
        "",
    )
    write_table(
        ("states", "truth", "mean", "5 %", "95 %"),
        [
            [
                ", ".join(f"{k}={v}" for k, v in t["states"].items()),
                t["probability"],
                p["mean"],
                p["q05"],
                p["q95"],
            ]
            for t, p in zip(document["truth"], document["private"], strict=True)
        ],
    )
