"""The verb ``sweep``: error of methods over a range of budgets."""

import argparse
from dataclasses import asdict

from commands import output
from commands.arguments import WORKERS, asked_from, figure, scenario_text, study_arguments
from commands.values import names, numbers, options
from core.study.bands import QUANTILES, summary
from core.study.error_curves import error_curve, measured_of
from core.study.experiments import Point, match, sweeping
from core.study.metrics import METRICS, USUAL, Truth
from core.study.quantities import QUANTITIES, legend
from figures.utility import sweep_figure


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and methods, which budgets."""
    study_arguments(parser)
    options(
        parser,
        WORKERS,
        ("--methods", names, ["uniform"], "A,B", None),
        ("--epsilons", numbers, [0.1, 0.3, 1.0, 3.0], "X,Y", None),
        ("--metrics", names, None, "A,B", f"of {legend(METRICS)} (default: {','.join(USUAL)})"),
        ("--reference", str, "uniform", "METHOD",
         "what the matches compare with (default: uniform)"),
        ("--reference-epsilon", float, None, "E", "at which ε (default: the largest given)"),
        figure("the first of --metrics against ε, --epsilon marked"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> output.Document:
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
        output.progress_bar(done + 1, len(wanted))
    quantity, every = QUANTITIES[metrics[0]], measured_of(points)
    curves = [error_curve(every, method, quantity.key) for method in arguments.methods]
    output.draw(
        lambda: sweep_figure(curves, quantity, epsilons, scenario.epsilon),
        arguments.figure,
        title=quantity.name.capitalize(),
        scenario=f"{study.name}, {study.records:,} records, {scenario_text(scenario)}",
    )
    at = arguments.reference_epsilon
    at = at if at is not None else max(arguments.epsilons)
    return {
        "rows": [
            output.picked(p, "method", "epsilon", "metric")
            | {**asdict(summary(p.values)), "replicates": len(p.values)}
            for p in points
        ],
        "quantile_levels": QUANTILES,
        "matches": [asdict(m) for m in match(points, arguments.reference, at)],
    }


def show(document: output.Document) -> None:
    """As two tables."""
    keys = ("method", "epsilon", "metric", "mean", "low", "high", "replicates")
    output.write_lines(output.STUDY, "")
    output.write_table(keys, document["rows"])
    output.write_lines("", f"Metrics: {legend(row['metric'] for row in document['rows'])}.")
    if document["matches"]:
        told_of = ("method", "metric", "reference", "reference_epsilon", "epsilon", "ratio")
        told = [m for m in document["matches"] if not m["saturated"]]
        output.write_lines("")
        if told:
            output.write_table(told_of, told)
        why = "{reference} is no worse with less than ε = {reference_epsilon:g}, so no ratio to it"
        said = why.format(**document["matches"][0])
        left_out = dict.fromkeys(m["metric"] for m in document["matches"] if m["saturated"])
        output.write_lines(*(f"{m}: saturated, left out; {said} is a saving." for m in left_out))
