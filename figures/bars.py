"""Bars side by side with ranges and reference lines; dots against the line of equality."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.lessons.lesson import Bar
from core.table import Array
from figures.template import (
    Data,
    Figure,
    axis,
    layout,
    log_axis,
    marked,
    numbers,
    plain,
    tone,
    trace,
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
    drawn: Data = {
        **trace("bar", plain(bars.name), numbers(bars.values), rows),
        "orientation": "h",
        "marker": {"color": tone(bars.colour)},
        "hovertemplate": f"{said}<extra></extra>",
    }
    if bars.low is not None and bars.high is not None:
        line = {"color": tone("ink"), "thickness": 1, "width": 3}
        drawn |= {
            "customdata": numbers(np.stack([bars.low, bars.high], axis=-1)),
            "error_x": whiskers(bars.low, bars.values, bars.high, **line),
            "hovertemplate": f"{said}<br>95 % of releases %{{customdata[0]:.3~g}} to "
            "%{customdata[1]:.3~g}<extra></extra>",
        }
    return drawn


def answer_figure(bars: Sequence[Bar], title: str, *, revision: str) -> Figure:
    """What is revealed, with ranges where there are some."""
    values = np.array([bar.value for bar in bars])
    ends = [
        np.array([bar.value if end is None else end for bar, end in zip(bars, side, strict=True)])
        for side in ([bar.low for bar in bars], [bar.high for bar in bars])
    ]
    ranged = any(bar.low is not None for bar in bars)
    low, high = ends if ranged else (None, None)
    group = Bars("computed", values, "equipoise", low, high)
    return bar_figure([bar.name for bar in bars], [group], title, revision=revision)


def predictions_figure(counted: Sequence[tuple[str, int]], unit: str, *, revision: str) -> Figure:
    """How many predicted what."""
    group = Bars("predictions", np.array([float(count) for _, count in counted]), "uniform")
    names = [f"{name} {unit}".strip() for name, _ in counted]
    figure = bar_figure(names, [group], "predictions", revision=revision)
    most = max([5, *(count for _, count in counted)])
    step = 10 ** (len(str(most)) - 1) if most > 10 else 1  # whole people
    figure["layout"]["xaxis"] |= {"range": [0, most * 1.02], "dtick": step}
    return figure


SYMBOLS = ("circle", "diamond", "square", "cross", "triangle-up", "x")


@dataclass(frozen=True, eq=False)
class Dots:
    """One set of dots; ``names`` say on hover what each is."""

    name: str
    across: Array
    up: Array
    colour: str
    names: Sequence[str] = ()


def dot_figure(
    sets: Sequence[Dots], titles: tuple[str, str], *, revision: str, height: int = 320
) -> Figure:
    """Dots and the line on which both are equal; sets differ in colour and in shape."""
    values = np.concatenate([np.ravel(v) for s in sets for v in (s.across, s.up)])
    values = values[np.isfinite(values) & (values > 0)]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.13, 1 / 1.3)
    low, high = low / 1.3, high * 1.3
    line = {"type": "line", "x0": low, "x1": high, "y0": low, "y1": high, "layer": "below"}
    return {
        "data": [_dots(dots, SYMBOLS[i % len(SYMBOLS)], titles) for i, dots in enumerate(sets)],
        "layout": layout(
            log_axis(titles[0], low, high),
            log_axis(titles[1], low, high),
            height=height,
            revision=revision,
            showlegend=len(sets) > 1,
            shapes=[line],
        ),
    }


def _dots(dots: Dots, symbol: str, titles: tuple[str, str]) -> Data:
    what = "<b>%{text}</b>, " if dots.names else ""
    return {
        **trace("scatter", plain(dots.name), numbers(dots.across), numbers(dots.up)),
        "mode": "markers",
        "text": [plain(name) for name in dots.names],
        "marker": {
            "color": tone(dots.colour),
            "size": 8,
            "symbol": symbol,
            "line": {"color": tone("page"), "width": 1},
        },
        "hovertemplate": f"{what}{plain(dots.name)}<br>{titles[0]}: %{{x:.3~g}}<br>{titles[1]}: "
        "%{y:.3~g}<extra></extra>",
    }
