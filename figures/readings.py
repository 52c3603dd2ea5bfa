"""What a paper prints and what is measured here, row by row, one picture for each reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from figures.template import (
    Data,
    Figure,
    axis,
    layout,
    log_axis,
    numbers,
    plain,
    tone,
    trace,
    whiskers,
)

MOST = 40
"""Rows that a picture shows; the table has all."""

ROW, DECADES = 24, 30.0
"""Pixels of a row; how many times the least value the largest is where the axis is logarithmic."""


@dataclass(frozen=True)
class MeasuredRow:
    """One number with its interval."""

    what: str
    value: float
    low: float
    high: float


def reading_figure(
    rows: Sequence[MeasuredRow], published: Mapping[str, float], *, revision: str
) -> Figure:
    """Dots with intervals; a diamond is what the paper prints for the same row."""
    shown = list(rows[:MOST])
    names = [plain(row.what) for row in shown]
    told = [(plain(row.what), published[row.what]) for row in shown if row.what in published]
    data = [_measured(names, shown)]
    if told:
        data.append(_printed(told))
    every = [v for row in shown for v in (row.low, row.high)] + [v for _, v in told]
    low, high = min(every), max(every)
    across = axis("value")
    if low > 0 and high / low > DECADES:
        across = log_axis("value (log scale)", low / 1.3, high * 1.3)
    lying = {"range": [len(shown) - 0.5, -0.5], "type": "category", "ticksuffix": " ",
             "showgrid": True}  # fmt: skip
    return {
        "data": data,
        "layout": layout(
            across,
            {**axis(""), **lying},
            height=ROW * max(3, len(shown)) + 70,
            revision=revision,
            showlegend=bool(told),
        ),
    }


def _measured(names: list[str], rows: Sequence[MeasuredRow]) -> Data:
    return {
        **trace("scatter", "measured here", numbers([row.value for row in rows]), names),
        "mode": "markers",
        "customdata": numbers([[row.low, row.high] for row in rows]),
        "marker": {"color": tone("equipoise"), "size": 8},
        "error_x": whiskers(
            [min(row.low, row.value) for row in rows],
            [row.value for row in rows],
            [max(row.high, row.value) for row in rows],
            color=tone("equipoise"),
            thickness=1.5,
            width=4,
        ),
        "hovertemplate": "<b>%{y}</b>, measured here: %{x:.4~g}<br>95 % interval "
        "%{customdata[0]:.4~g} to %{customdata[1]:.4~g}<extra></extra>",
    }


def _printed(told: Sequence[tuple[str, float]]) -> Data:
    names, values = zip(*told, strict=True)
    return {
        **trace("scatter", "printed in the paper", numbers(values), list(names)),
        "mode": "markers",
        "marker": {"color": tone("truth"), "size": 10, "symbol": "diamond-open"},
        "hovertemplate": "<b>%{y}</b>, printed: %{x:.4~g}<extra></extra>",
    }
