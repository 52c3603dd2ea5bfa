"""Bars side by side: one group for each name, with ranges and reference lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.table import Array
from figures.template import (
    Data,
    Figure,
    axis,
    layout,
    marked,
    numbers,
    plain,
    tone,
    whiskers,
)

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


def bar_figure(
    names: Sequence[str],
    groups: Sequence[Bars],
    title: str,
    *,
    revision: str,
    reference: tuple[float, str] | None = None,
) -> Figure:
    """Horizontal bars, the first name at the top; ``reference`` is a line across them, named."""
    rows = [plain(name) for name in names]
    lying = {"autorange": "reversed", "type": "category", "ticksuffix": " ", "showgrid": False}
    return {
        "data": [_trace(rows, bars) for bars in groups],
        "layout": layout(
            axis(title, rangemode="tozero"),
            {**axis(""), **lying},
            height=round(ROW * max(2, len(names) * max(1, 0.7 * len(groups))) + 60),
            revision=revision,
            barmode="group",
            bargap=0.28,
            bargroupgap=0.06,
            showlegend=len(groups) > 1,
            margin={"l": 8, "r": 12, "t": 22 if reference else 8, "b": 8, "pad": 0},
            **({} if reference is None else marked(*reference)),
        ),
    }


def _trace(rows: list[str], bars: Bars) -> Data:
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
        line = {"color": tone("ink"), "thickness": 1, "width": 3}
        trace |= {
            "customdata": numbers(np.stack([bars.low, bars.high], axis=-1)),
            "error_x": whiskers(bars.low, bars.values, bars.high, **line),
            "hovertemplate": f"{said}<br>95 % of releases %{{customdata[0]:.3~g}} to "
            "%{customdata[1]:.3~g}<extra></extra>",
        }
    return trace
