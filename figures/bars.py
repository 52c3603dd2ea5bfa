"""Bars side by side: one group for each name, with ranges and reference lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.table import Array
from figures.template import Data, Figure, axis, layout, numbers, plain, tone

ROW = 22
"""Pixels of one bar with its air."""


@dataclass(frozen=True, eq=False)
class Bars:
    """One bar for each name; ``low`` and ``high`` are the ends of its range, if it has one."""

    name: str
    values: Array
    colour: str
    low: Array | None = None
    high: Array | None = None
    unit: str = ""
    """What the hover says after the number."""


@dataclass(frozen=True)
class Reference:
    """A line across all bars, with its words at the upper end."""

    place: float
    text: str


def bar_figure(
    names: Sequence[str],
    groups: Sequence[Bars],
    title: str,
    *,
    revision: str,
    references: Sequence[Reference] = (),
    spread: str = "95 % of releases",
) -> Figure:
    """Horizontal bars, the first name at the top; the value stands on hover."""
    rows = [plain(name) for name in names]
    lying = {"autorange": "reversed", "type": "category", "ticksuffix": " ", "showgrid": False}
    return {
        "data": [_trace(rows, bars, spread) for bars in groups],
        "layout": layout(
            axis(title, rangemode="tozero"),
            {**axis(""), **lying},
            height=round(ROW * len(names) * max(1, 0.7 * len(groups)) + 60),
            revision=revision,
            barmode="group",
            bargap=0.28,
            bargroupgap=0.06,
            showlegend=len(groups) > 1,
            margin={"l": 8, "r": 12, "t": 22 if references else 8, "b": 8, "pad": 0},
            shapes=[_line(r) for r in references],
            annotations=[_note(r) for r in references],
        ),
    }


def _trace(rows: list[str], bars: Bars, spread: str) -> Data:
    said = f"<b>%{{y}}</b>, {plain(bars.name)}: %{{x:.3~g}}{bars.unit}"
    trace: Data = {
        "type": "bar",
        "orientation": "h",
        "y": rows,
        "x": numbers(bars.values),
        "name": plain(bars.name),
        "legendgroup": plain(bars.name),
        "marker": {"color": tone(bars.colour)},
        "hovertemplate": f"{said}<extra></extra>",
    }
    if bars.low is not None and bars.high is not None:
        trace["customdata"] = numbers([bars.low, bars.high])
        trace["customdata"] = [list(pair) for pair in zip(*trace["customdata"], strict=True)]
        trace["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": numbers(bars.high - bars.values),
            "arrayminus": numbers(bars.values - bars.low),
            "color": tone("ink"),
            "thickness": 1,
            "width": 3,
        }
        trace["hovertemplate"] = (
            f"{said}<br>{spread} %{{customdata[0]:.3~g}} to %{{customdata[1]:.3~g}}<extra></extra>"
        )
    return trace


def _line(reference: Reference) -> Data:
    place = reference.place
    return {"type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "paper"}


def _note(reference: Reference) -> Data:
    return {
        "text": plain(reference.text),
        "x": reference.place,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
    }
