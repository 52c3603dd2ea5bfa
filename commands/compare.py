"""The verb ``compare``: the privacy-utility frontier of every method."""

import argparse
from collections.abc import Iterator
from dataclasses import replace

from commands import output
from commands.arguments import WORKERS, asked_from, figure, scenario_text, study_arguments
from commands.values import names, number, numbers, options
from core.scenario import Scenario
from core.study.bands import QUANTILES
from core.study.frontier import Frontier, frontier
from core.study.frontier_points import (
    GRID,
    PRICES,
    FrontierPoint,
    frontier_methods,
    frontier_points,
)
from core.study.frontier_words import absences, best_sentence, cheapest_sentence, price_axis
from core.study.metrics import METRICS, Truth
from core.study.quantities import QUANTITIES, legend
from figures.frontier import frontier_grid
from sources.study import Study, sampled_study


def add(parser: argparse.ArgumentParser) -> None:
    """Which data and knobs, which methods, what is given away for what."""
    study_arguments(parser)
    grid = ",".join(f"{e:g}" for e in GRID)
    options(
        parser,
        ("--methods", names, None, "A,B", "(default: all)"),
        ("--epsilons", numbers, list(GRID), "X,Y", f"budgets (default: {grid})"),
        ("--metric", METRICS, "query_l1", None, f"one of {legend(METRICS)}"),
        ("--price", PRICES, "epsilon", None, "what is given away: ε, members found at --alpha or "
         "the AUC, both at most, by the composed guarantee (default: epsilon)"),
        ("--alpha", number, 0.01, "A", "false alarms (default: 0.01)"),
        ("--error", number, None, "X", "who reaches this error cheapest?"),
        ("--paid", number, None, "X", "who errs least at this price?"),
        ("--also", names, [], "A,B", "further sample networks, with as many records each"),
        WORKERS,
        figure("the frontier, one panel for each network"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> output.Document:
    """Curves, Pareto set and who is cheapest; stopped by Ctrl-C, what is measured is kept."""
    scenario, study = asked_from(arguments)
    studies = [study] + [
        sampled_study(name, None, records=study.records, seed=arguments.data_seed)
        for name in arguments.also
    ]
    methods = tuple(arguments.methods or frontier_methods())
    asked = [(m, e) for e in sorted(set(arguments.epsilons)) for m in methods]
    points: dict[str, list[FrontierPoint]] = {one.name: [] for one in studies}
    whole = True
    try:
        for done, (name, point) in enumerate(_measured(studies, scenario, asked, arguments)):
            points[name].append(point)
            output.progress_bar(done + 1, len(asked) * len(studies))
    except KeyboardInterrupt:
        whole = False
        output.say("stopped; what was measured before is kept")
    frontiers = {
        name: frontier(
            some, scenario, methods=methods, metric=arguments.metric, price=arguments.price,
            alpha=arguments.alpha,
        )
        for name, some in points.items()
    }  # fmt: skip
    output.draw(
        lambda: frontier_grid(frontiers),
        arguments.figure,
        title=f"{QUANTITIES[arguments.metric].name.capitalize()} against what is given away",
        scenario=f"{study.records:,} records, {scenario_text(scenario)}",
    )
    return {
        "metric": arguments.metric,
        "price": arguments.price,
        "alpha": arguments.alpha,
        "whole": whole,
        "quantile_levels": QUANTILES,
        "networks": [_document(name, one, arguments) for name, one in frontiers.items()],
    }


def _measured(
    studies: list[Study],
    scenario: Scenario,
    asked: list[tuple[str, float]],
    arguments: argparse.Namespace,
) -> Iterator[tuple[str, FrontierPoint]]:
    for study in studies:
        own = replace(scenario, options=scenario.options.within(study.network))
        points = frontier_points(
            Truth.of(study.network, study.counts, own.options),
            study.counts,
            own,
            asked=asked,
            metrics=[arguments.metric],
            spent=study.spent,
            workers=arguments.workers,
        )
        for point in points:
            yield study.name, point


def _document(name: str, one: Frontier, arguments: argparse.Namespace) -> output.Document:
    said = [] if arguments.error is None else [cheapest_sentence(one, arguments.error)]
    said += [] if arguments.paid is None else [best_sentence(one, arguments.paid)]
    return {
        "network": name,
        "rows": [
            {
                **output.picked(curve, "method", "promise"),
                "epsilon": epsilon,
                "paid": float(curve.places[place]),
                "quantiles": curve.bands[:, place].tolist(),
                "pareto": bool(curve.pareto[place]),
            }
            for curve in one.curves
            for place, epsilon in enumerate(curve.epsilons)
        ],
        "absent": absences(one),
        "said": said,
    }


def show(document: output.Document) -> None:
    """As tables and sentences."""
    quantity = QUANTITIES[document["metric"]]
    output.write_lines(output.STUDY, "", f"Error: {quantity.name} ({quantity.unit}).",
                f"Paid: {price_axis(document['price'], document['alpha'])}.")  # fmt: skip
    for network in document["networks"]:
        output.write_lines("", f"{network['network']}:")
        heads = ("method", "promise", "ε", "paid", "error (median)", "2.5 %", "97.5 %", "Pareto")
        output.write_table(heads, [
            [row["method"], row["promise"], row["epsilon"], row["paid"], row["quantiles"][3],
             row["quantiles"][0], row["quantiles"][-1], "yes" if row["pareto"] else ""]
            for row in network["rows"]
        ])  # fmt: skip
        output.write_lines("", *network["said"], *network["absent"])
