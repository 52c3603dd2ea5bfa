"""Utility's first sheet: the finding, quantities against ε, the ε that does the same."""

from collections.abc import Mapping

from core.study.error_curves import error_curve
from core.study.experiments import Match
from core.study.quantities import Quantity
from figures.utility import sweep_figure, sweep_table
from pages.ui.kit import inputs
from pages.ui.kit.inputs import command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Room, Sheet, Top, Words, abreast, figure_view, table_view
from pages.ui.utility import sweep
from pages.ui.utility import words as say
from pages.ui.utility.sweep import Sweep

REFERENCE = "uniform"
BANDS = {"error": "bands: 50, 80 and 95 % of them", "share": "band: 50 % of them"}


def sheet(measured: Sweep, reference_epsilon: float, knobs: Mapping[str, float]) -> Sheet:
    """Curves, matches and finding of what is measured so far."""
    epsilon = measured.choice.scenario.epsilon
    headline = measured.headline
    matches = sweep.matches(measured.measured, REFERENCE, reference_epsilon)
    curves = {curve.method: curve for curve in measured.curves(headline)}
    charts = [_chart(measured, variants) for variants in measured.charts]
    pairs = abreast([chart["name"] for chart in charts])
    return Sheet(
        [*charts, _matches(measured, matches, reference_epsilon)],
        Room((*pairs.areas, "matches matches"), pairs.tracks),
        top=Top(
            "Measure the utility",
            "Study: compares with the truth, not for publication",
            say.finding(curves, epsilon, matches, headline),
            inputs.describe(measured.choice),
            knobs,
        ),
        live=True,
    )


def _chart(measured: Sweep, variants: Mapping[str, Quantity]) -> View:
    scenario = measured.choice.scenario
    quantities = tuple(variants.values())
    first = quantities[0]
    curves = {q.key: measured.curves(q) for q in quantities}
    texts = Words(
        title=say.TITLES[first.key],
        subtitle=say.subtitle(quantities),
        caption="",
        alt=" ".join(say.alt(q, curves[q.key], scenario.epsilon) for q in quantities),
        details={
            **{
                f"Formula: {q.name}" if len(quantities) > 1 else "Formula": q.formula
                for q in quantities
            },
            "Reading": f"Line: median of {scenario.replicates} releases; "
            f"{BANDS[first.kind]}. Dots are measured; between them the line is drawn "
            "straight on these scales.",
            "Study only": "Measured against the exact counts, so it is not private.",
            "Command line": _sweep_command(measured, ",".join(q.key for q in quantities)),
        },
        file=f"equipoise-study-{first.key.replace('_', '-')}.csv",
    )
    epsilon = scenario.epsilon
    figures = {n: sweep_figure(curves[q.key], q, sweep.GRID, epsilon) for n, q in variants.items()}
    return figure_view(first.key, texts, figures, sweep_table(curves))


def _matches(
    measured: Sweep, matches: Mapping[tuple[str, str], Match], reference_epsilon: float
) -> View:
    points = dict(measured.measured)
    texts = Words(
        title="ε needed for the same error",
        subtitle=f"as {REFERENCE} at ε = {reference_epsilon:g}; in brackets the share of its "
        "budget",
        caption="Mean over releases, between measured budgets on log scales. Below 1× is cheaper "
        f"than {REFERENCE}. Saturated: {REFERENCE} itself is no worse with less, so what others "
        "need for the same is no saving.",
        alt=f"The ε at which each method is as good as {REFERENCE} at ε = {reference_epsilon:g}.",
        details={
            "Formula": "the smallest ε whose mean error equals the reference's at its own ε.",
            "Command line": _sweep_command(measured, ",".join(q.key for q in measured.matched))
            + f" --reference-epsilon {reference_epsilon:g}",
        },
    )
    columns = {"method": [say.promising(method) for method in measured.methods]}
    for q in measured.matched:
        pairs = ((matches.get((m, q.key)), m) for m in measured.methods)
        columns[q.name] = [say.needed(match, error_curve(points, m, q.key)) for match, m in pairs]
    return table_view("matches", texts, columns)


def _sweep_command(measured: Sweep, metrics: str) -> str:
    epsilons = ",".join(f"{e:g}" for e in sweep.GRID)
    more = f"--methods {','.join(measured.methods)} --epsilons {epsilons} --metrics {metrics}"
    return command("sweep", measured.choice, more)
