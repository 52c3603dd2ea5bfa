"""Utility's pictures: a quantity against ε by method, one question's answers, noise foreseen."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.study.answered import Answered
from core.study.error_curves import ErrorCurve, NoiseForecast
from core.study.quantities import Quantity, error
from core.table import Array
from figures.bands import EPSILON_AXIS, LEVELS, Axes, Band, band_figure, quantile_columns
from figures.bars import Dots, dot_figure
from figures.palette import dashes, hue
from figures.ranges import Ranges, group_places, range_figure
from figures.template import Data, Figure, numbers, plain, tone

Columns = dict[str, Sequence[object]]
NOISE = ("forecast, records (log scale)", "measured, records (log scale)")


def sweep_figure(
    curves: Sequence[ErrorCurve], quantity: Quantity, epsilons: Sequence[float], epsilon: float
) -> Figure:
    """What is measured of a quantity so far, the ε on show marked.

    Shares of twenty jump: there the outer bands would cover everything, and only half of the
    releases is shaded.
    """
    patterns = dashes([curve.method for curve in curves])
    bands = [
        Band(c.method, c.bands, c.at(epsilon), "", patterns[c.method], np.array(c.epsilons))
        for c in curves
        if c.epsilons
    ]
    share = quantity.kind == "share"
    axes = Axes(
        EPSILON_AXIS,
        quantity.axis,
        mark=epsilon,
        scale="share" if share else "log",
        height=268,
        points=True,
        ranges=True,
        levels=LEVELS[-1:] if share else LEVELS,
    )
    return band_figure(np.array(epsilons), bands, axes, revision=quantity.key)


def sweep_table(curves: Mapping[str, Sequence[ErrorCurve]]) -> Columns:
    """Method, ε and seven quantiles of every measured point; the metric where there are several."""
    points = [
        (metric, curve, place)
        for metric, several in curves.items()
        for curve in several
        for place in range(len(curve.epsilons))
    ]
    columns: Columns = {"metric": [m for m, _, _ in points]} if len(curves) > 1 else {}
    columns["method"] = [curve.method for _, curve, _ in points]
    columns["epsilon"] = [curve.epsilons[place] for _, curve, place in points]
    rows = [curve.bands[:, place] for _, curve, place in points]
    return {**columns, **quantile_columns(np.reshape(rows, (-1, 7)).T)}


def forecast_figure(forecasts: Mapping[str, NoiseForecast], names: Sequence[str]) -> Figure:
    """Noise known beforehand against noise measured, one dot for each node and method."""
    sets = [Dots(m, f.forecast, f.measured, hue(m), names) for m, f in forecasts.items()]
    return dot_figure(sets, NOISE, revision="forecast")


def forecast_table(forecasts: Mapping[str, NoiseForecast], names: Sequence[str]) -> Columns:
    """The dots as numbers."""
    return {
        "method": [method for method in forecasts for _ in names],
        "node": [name for _ in forecasts for name in names],
        "forecast": [v for f in forecasts.values() for v in numbers(f.forecast)],
        "measured": [v for f in forecasts.values() for v in numbers(f.measured)],
    }


def answer_figure(
    labels: Sequence[str], answers: Mapping[str, Answered], single: int | None = None
) -> Figure:
    """Truth against the private answers to one question; ``single`` marks one release."""
    ranges = Ranges.by_method({method: a.bands for method, a in answers.items()})
    truth = next(iter(answers.values())).truth
    figure = range_figure(
        labels, ranges, "probability (0 to 1)", revision="answers", truth=truth, span=(-0.01, 1.01)
    )
    notes = {
        plain(method): f"off by {error(float(a.median_off if single is None else a.off[single]))}"
        for method, a in answers.items()
    }
    figure["layout"]["meta"] = {"values": notes}
    if single is not None:
        places = group_places(len(labels), len(answers))
        for (method, answer), up in zip(answers.items(), places, strict=True):
            figure["data"].append(_release(labels, method, answer.private[single], up, single))
    return figure


def _release(
    labels: Sequence[str], method: str, probabilities: Array, places: Array, single: int
) -> Data:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": numbers(probabilities),
        "y": numbers(places),
        "text": [plain(label) for label in labels],
        "legendgroup": plain(method),
        "showlegend": False,
        "marker": {
            "symbol": "diamond",
            "size": 11,
            "color": tone(f"{hue(method)}-text"),
            "line": {"color": tone("page"), "width": 1.5},
        },
        "hovertemplate": f"<b>%{{text}}</b>, release {single + 1} of {plain(method)}: "
        "%{x:.3~g}<extra></extra>",
    }


def answer_table(labels: Sequence[str], answers: Mapping[str, Answered]) -> Columns:
    """Seven quantiles of every method's answer to every row of a question."""
    rows = [(r, label, m, a) for r, label in enumerate(labels) for m, a in answers.items()]
    quantiles = {method: answer.bands for method, answer in answers.items()}
    return {
        "states": [label for _, label, _, _ in rows],
        "truth": numbers([answer.truth[row] for row, _, _, answer in rows]),
        "method": [method for _, _, method, _ in rows],
        **quantile_columns(np.transpose([quantiles[method][:, row] for row, _, method, _ in rows])),
    }
