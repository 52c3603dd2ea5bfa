"""The verb ``sweep``: error of methods over a range of budgets."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from commands.arguments import (
    asked_from,
    figure_argument,
    names,
    numbers,
    scenario_text,
    study_arguments,
    workers_argument,
)
from commands.output import STUDY, Document, progress_bar, write_figure, write_lines, write_table
from core.study.bands import QUANTILES, summary
from core.study.error_curves import error_curve, measured_of
from core.study.experiments import Point, match, sweeping
from core.study.metrics import METRICS, USUAL, Truth
from core.study.quantities import QUANTITIES, legend
from figures.utility import sweep_figure


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and methods, which budgets."""
    study_arguments(parser)
    workers_argument(parser)
    parser.add_argument("--methods", type=names, default=["uniform"], metavar="A,B")
    parser.add_argument("--epsilons", type=numbers, default=[0.1, 0.3, 1.0, 3.0], metavar="X,Y")
    parser.add_argument(
        "--metrics",
        type=names,
        default=None,
        metavar="A,B",
        help=f"of {legend(METRICS)} (default: {','.join(USUAL)})",
    )
    parser.add_argument(
        "--reference",
        default="uniform",
        metavar="METHOD",
        help="what the matches compare with (default: uniform)",
    )
    parser.add_argument(
        "--reference-epsilon",
        type=float,
        default=None,
        metavar="E",
        help="at which ε (default: the largest given)",
    )
    figure_argument(parser, "the first of --metrics against ε, --epsilon marked")


def run(arguments: argparse.Namespace) -> Document:
    """Error of methods over a range of ε, and the ε that matches the reference."""
    scenario, study = asked_from(arguments)
    metrics, epsilons = arguments.metrics or USUAL, sorted(set(arguments.epsilons))
    wanted = [(method, epsilon) for method in arguments.methods for epsilon in epsilons]
    truth = Truth.of(study.network, study.counts, scenario.options)
    points: list[Point] = []
    measured = sweeping(
        truth, study.counts, scenario, wanted=wanted, metrics=metrics, workers=arguments.workers
    )
    for done, some in enumerate(measured):
        points += some
        progress_bar(done + 1, len(wanted))
    if arguments.figure is not None:
        quantity, every = QUANTITIES[metrics[0]], measured_of(points)
        curves = [error_curve(every, method, quantity.key) for method in arguments.methods]
        write_figure(
            sweep_figure(curves, quantity, epsilons, scenario.epsilon),
            arguments.figure,
            title=quantity.name.capitalize(),
            scenario=f"{study.name}, {study.records:,} records, {scenario_text(scenario)}",
        )
    at = arguments.reference_epsilon
    at = at if at is not None else max(arguments.epsilons)
    return {
        "rows": [
            {
                "method": p.method,
                "epsilon": p.epsilon,
                "metric": p.metric,
                **asdict(summary(p.values)),
                "replicates": len(p.values),
            }
            for p in points
        ],
        "quantile_levels": QUANTILES,
        "matches": [asdict(m) for m in match(points, arguments.reference, at)],
    }


def show(document: Document) -> None:
    """As two tables."""
    keys = ("method", "epsilon", "metric", "mean", "low", "high", "replicates")
    write_lines(STUDY, "")
    write_table(keys, [[row[k] for k in keys] for row in document["rows"]])
    write_lines("", f"Metrics: {legend(row['metric'] for row in document['rows'])}.")
    if document["matches"]:
        told_of = ("method", "metric", "reference", "reference_epsilon", "epsilon", "ratio")
        told = [m for m in document["matches"] if not m["saturated"]]
        write_lines("")
        if told:
            write_table(told_of, [[row[k] for k in told_of] for row in told])
        left_out = dict.fromkeys(m["metric"] for m in document["matches"] if m["saturated"])
        write_lines(*(_saturated(document["matches"][0], metric) for metric in left_out))


def _saturated(match: Document, metric: str) -> str:
    return (
        f"{metric}: saturated, left out; {match['reference']} is no worse with less than "
        f"ε = {match['reference_epsilon']:g}, so no ratio to it is a saving."
    )
