"""Curves with nested bands: an error against ε, or any quantity against another, by method."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.table import Array
from figures.palette import hue
from figures.template import (
    Data,
    Figure,
    axis,
    dot,
    layout,
    log_axis,
    numbers,
    plain,
    spread_apart,
    tone,
    upright,
)

LEVELS = ((0, 6, 0.2), (1, 5, 0.22), (2, 4, 0.3))
"""95, 80 and 50 %: which quantiles they lie between, and how strongly they are filled."""

QUANTILE_NAMES = ("2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %")
"""The heads of a table of them."""

EPSILON_AXIS = "ε, total budget (log scale)"
MEDIAN = 3
LETTER = 6.6
"""Pixels of one letter of a label, on average."""

LINE = 15
"""Pixels of one line of labels."""

SPAN = 1e4
"""Largest over smallest value that a logarithmic axis shows: what is next to nothing would stretch
it until nothing else can be told apart."""


@dataclass(frozen=True, eq=False)
class Band:
    """One curve: seven quantiles ``(7, points)``, and the same at the place on show.

    ``colour`` is a name of the palette, by default that of the method called ``name``; ``dash``
    tells curves of one hue apart. ``places`` are its own points where they differ from the others'.
    """

    name: str
    quantiles: Array
    now: Array | None = None
    colour: str = ""
    dash: str = "solid"
    places: Array | None = None

    @property
    def tone(self) -> str:
        """The palette name it is drawn in."""
        return self.colour or hue(self.name)


@dataclass(frozen=True)
class Axes:
    """What stands on the axes, and the place on show with its words.

    ``symbol`` is what the hover calls x: "at ε =". ``scale`` is that of the vertical axis; a
    share runs from 0 to 100 %. ``spread`` says what the bands are of, ``levels`` which are drawn;
    with ``ranges`` the legend says the outermost band behind each value.
    """

    x: str
    y: str
    mark: float | None = None
    symbol: str = "ε"
    scale: Literal["log", "share"] = "log"
    height: int = 240
    spread: str = "releases"
    points: bool = False
    ranges: bool = False
    levels: tuple[tuple[int, int, float], ...] = LEVELS


def band_figure(places: Array, bands: Sequence[Band], axes: Axes, *, revision: str) -> Figure:
    """Medians with 50, 80 and 95 % bands over a logarithmic axis, named at their ends."""
    if not bands:
        return _nothing(places, axes, revision, "Nothing measured yet")
    limits = _limits(bands, axes)
    if limits is None:
        return _nothing(places, axes, revision, "No error: nothing here can be wrong")
    low, high = float(places[0]), float(places[-1])
    if axes.mark is not None:
        low, high = min(low, axes.mark), max(high, axes.mark)
    room = LETTER * max(len(band.name) for band in bands) + 14
    return {
        "data": [
            *(trace for band in bands for trace in _traces(places, band, axes)),
            *_labels(places, bands, axes, limits),
        ],
        "layout": layout(
            log_axis(axes.x, low, high),
            _upward(axes, limits),
            height=axes.height,
            revision=revision,
            showlegend=len(bands) > 1,
            margin={"l": 8, "r": round(room), "t": 22, "b": 8, "pad": 0},
            **_marks(bands, axes),
        ),
    }


def _upward(axes: Axes, limits: tuple[float, float]) -> Data:
    if axes.scale == "log":
        return log_axis(axes.y, *limits)
    ticks = [(share, f"{100 * share:g} %") for share in (0, 0.25, 0.5, 0.75, 1)]
    return axis(axes.y, ticks=ticks, range=list(limits))


def _traces(places: Array, band: Band, axes: Axes) -> list[Data]:
    places = places if band.places is None else band.places
    there = numbers(np.concatenate([places, places[::-1]]))
    name = plain(band.name)
    found: list[Data] = [
        {
            "type": "scatter",
            "x": there,
            "y": numbers(np.concatenate([band.quantiles[high], band.quantiles[low][::-1]])),
            "fill": "toself",
            "fillcolor": tone(band.tone, strength),
            "line": {"width": 0},
            "mode": "lines",
            "hoverinfo": "skip",
            "legendgroup": name,
            "showlegend": False,
        }
        for low, high, strength in axes.levels
    ]
    form = ".2~g" if axes.scale == "log" else ".0%"
    found.append(
        {
            "type": "scatter",
            "x": numbers(places),
            "y": numbers(band.quantiles[MEDIAN]),
            "customdata": numbers(band.quantiles[[0, 6]].T),
            "name": name,
            "mode": "lines+markers" if axes.points else "lines",
            "marker": {"size": 4},
            "line": {"color": tone(f"{band.tone}-text"), "width": 1.6, "dash": band.dash},
            "legendgroup": name,
            "hovertemplate": f"<b>%{{fullData.name}}</b> at {axes.symbol} = %{{x:,.3~g}}: "
            f"%{{y:{form}}}<br>95 % of {axes.spread} %{{customdata[0]:{form}}} to "
            f"%{{customdata[1]:{form}}}<extra></extra>",
        }
    )
    return found


def _labels(
    places: Array, bands: Sequence[Band], axes: Axes, limits: tuple[float, float]
) -> list[Data]:
    """Names at the right ends, apart from each other; a hidden curve takes its name along."""
    log = axes.scale == "log"
    bottom, top = (math.log10(end) for end in limits) if log else limits
    step = (top - bottom) * LINE / max(60, axes.height - 80)
    last = [float(band.quantiles[MEDIAN, -1]) for band in bands]
    ends = [math.log10(max(end, limits[0])) if log else end for end in last]
    spread = spread_apart(ends, step, bottom, top)
    return [
        {
            "type": "scatter",
            "x": [float(places[-1] if band.places is None else band.places[-1])],
            "y": [float(f"{10**place if log else place:.5g}")],
            "mode": "text",
            "text": [f" {plain(band.name)}"],
            "textposition": "middle right",
            "textfont": {"color": tone(f"{band.tone}-text"), "size": 12},
            "cliponaxis": False,
            "hoverinfo": "skip",
            "legendgroup": plain(band.name),
            "showlegend": False,
        }
        for band, place in zip(bands, spread, strict=True)
    ]


def _marks(bands: Sequence[Band], axes: Axes) -> Data:
    """The place on show: a line with its value, and a dot on each curve."""
    if axes.mark is None:
        return {}
    place = math.log10(axes.mark)
    note = {
        "text": f"<b>{axes.symbol} = {axes.mark:,.4g}</b>",
        "x": round(place, 5),
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
    }
    log = axes.scale == "log"
    shown = [(band, band.now) for band in bands if band.now is not None]
    dots = [
        dot(place, math.log10(now[MEDIAN]) if log else float(now[MEDIAN]), band.tone)
        for band, now in shown
        if now[MEDIAN] > 0 or not log
    ]
    return {
        "shapes": [upright(axes.mark)],
        "annotations": [note, *dots],
        "meta": {"values": {plain(band.name): _value(now, axes) for band, now in shown}},
    }


def _value(now: Array, axes: Axes) -> str:
    """The median at the place on show as the legend says it."""
    said = "{:.2g}" if axes.scale == "log" else "{:.0%}"
    low, middle, high = (said.format(float(now[level])) for level in (0, MEDIAN, -1))
    return f"{middle} ({low} to {high})" if axes.ranges else middle


def _limits(bands: Sequence[Band], axes: Axes) -> tuple[float, float] | None:
    """Where the curves lie, with a little air; none where nothing is above zero."""
    if axes.scale == "share":
        return (-0.02, 1.02)
    drawn = [b.quantiles for b in bands] + [b.now for b in bands if b.now is not None]
    known = np.concatenate([np.ravel(values) for values in drawn])
    known = known[np.isfinite(known) & (known > 0)]
    if not known.size:
        return None
    high = float(known.max())
    low = max(float(known.min()), high / SPAN)
    air = max((high / low) ** 0.06, 1.1)
    return low / air, high * air


def _nothing(places: Array, axes: Axes, revision: str, text: str) -> Figure:
    note = {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "x": 0.5,
        "y": 0.5,
        "font": {"color": tone("second")},
    }
    frame = layout(
        log_axis(axes.x, float(places[0]), float(places[-1])),
        log_axis(axes.y, 0.01, 1.0),
        height=axes.height,
        revision=revision,
        annotations=[note],
    )
    return {"data": [], "layout": frame}
