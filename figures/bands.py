"""Curves with nested bands: an error against ε, or any quantity against another, by method."""

import functools
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from core.notation import short
from core.study.bands import MEDIAN
from core.study.quantities import error
from core.table import Array
from figures.palette import hue
from figures.template import (
    Data,
    Figure,
    Scale,
    above,
    axis,
    beside,
    dot,
    layout,
    log_axis,
    named_at,
    note,
    numbers,
    plain,
    spread_apart,
    tone,
    trace,
    upright,
    value_limits,
)

T = TypeVar("T")
LEVELS = ((0, 6, 0.2), (1, 5, 0.22), (2, 4, 0.3))
"""95, 80 and 50 %: which quantiles they lie between, and how strongly they are filled."""

QUANTILE_NAMES = ("2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %")
"""The heads of a table of them."""


def quantile_columns(quantiles: ArrayLike) -> dict[str, list[object]]:
    """Seven quantiles ``(7, points)`` as columns of a table."""
    return dict(zip(QUANTILE_NAMES, map(numbers, np.asarray(quantiles)), strict=True))


EPSILON_AXIS = "ε, total budget (log scale)"
LETTER = 6.6
"""Pixels of one letter of a label, on average."""

LINE = 15
"""Pixels of one line of labels."""


@dataclass(frozen=True, eq=False)
class Band:
    """One curve: seven quantiles ``(7, points)``, and the same at the place on show.

    ``colour`` is a name of the palette, by default that of the method called ``name``; ``dash``
    tells curves of one hue apart. ``places`` are its own points where they differ from the others',
    none while nothing is measured. ``theory`` is a line that nobody measured: it has no bands.
    """

    name: str
    quantiles: Array
    at_mark: Array | None = None
    colour: str = ""
    dash: str = "solid"
    places: Array | None = None
    theory: bool = False
    drawn: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """What was made of its quantiles before; a copy with another ``at_mark`` shares it."""

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The same for the same curve, however often the place on show moves."""
        if key not in self.drawn:
            self.drawn[key] = make()
        result: T = self.drawn[key]
        return result

    @property
    def measured(self) -> bool:
        """Whether there is anything of it to draw."""
        return self.quantiles.size > 0

    @property
    def text_tone(self) -> str:
        """The palette name of its line and label."""
        return self.tone if self.theory else f"{self.tone}-text"

    @property
    def tone(self) -> str:
        """The palette name it is drawn in."""
        return self.colour or hue(self.name)


@dataclass(frozen=True)
class Axes:
    """What stands on the axes, and the place on show with its words.

    ``symbol`` is what the hover calls x: "at ε =". ``scale`` is that of the vertical axis; a
    share runs from 0 to 100 %. ``spread`` says what the bands are of, ``levels`` which are drawn;
    with ``ranges`` the legend says the outermost band behind each value. The formats are d3's, for
    the hover.
    """

    x: str
    y: str
    mark: float | None = None
    symbol: str = "ε"
    scale: Scale = "log"
    across: Literal["log", "linear"] = "log"
    height: int = 240
    spread: str = "releases"
    points: bool = False
    ranges: bool = False
    levels: tuple[tuple[int, int, float], ...] = LEVELS
    empty: str = "Nothing measured yet"
    place_format: str = ",.3~g"
    value_format: str = ".2r"

    def along(self, place: float) -> float:
        """A place as notes take it: on a logarithmic axis its logarithm to base ten."""
        return math.log10(place) if self.across == "log" else place

    def said(self, value: float) -> str:
        """A value in words."""
        if self.scale == "linear":
            return f"{value:.2f}".replace("-", "−")
        return f"{100 * value:.0f} %" if self.scale == "share" else error(value)


def band_figure(places: Array, bands: Sequence[Band], axes: Axes, *, revision: str) -> Figure:
    """Medians with 50, 80 and 95 % bands over a logarithmic axis, named at their ends."""
    if not any(band.measured for band in bands):
        return _nothing(places, bands, axes, revision, axes.empty)
    drawn = [b.quantiles for b in bands] + [b.at_mark for b in bands if b.at_mark is not None]
    limits = value_limits(drawn, axes.scale)
    if limits is None:
        return _nothing(places, (), axes, revision, "No error: nothing here can be wrong")
    low, high = float(places[0]), float(places[-1])
    if axes.mark is not None:
        low, high = min(low, axes.mark), max(high, axes.mark)
    if low == high:  # one place alone stands in the middle
        low, high = (low / 2, 2 * high) if axes.across == "log" else (low - 1, high + 1)
    room = LETTER * max(len(band.name) for band in bands) + 14
    same = (tuple(numbers(places)), replace(axes, mark=None))
    return {
        "data": [
            *(t for b in bands for t in b.once(same, functools.partial(_traces, places, b, axes))),
            *_labels(places, bands, axes, limits),
        ],
        "layout": layout(
            _sideways(axes, low, high),
            _upward(axes, limits),
            height=axes.height,
            revision=revision,
            showlegend=len(bands) > 1,
            margin={"l": 8, "r": round(room), "t": 22, "b": 8, "pad": 0},
            **_marks(bands, axes),
        ),
    }


def _sideways(axes: Axes, low: float, high: float) -> Data:
    return log_axis(axes.x, low, high) if axes.across == "log" else axis(axes.x, range=[low, high])


def _upward(axes: Axes, limits: tuple[float, float]) -> Data:
    if axes.scale == "log":
        return log_axis(axes.y, *limits)
    if axes.scale == "linear":
        return axis(axes.y, range=numbers(limits))
    ticks = [(share, f"{100 * share:g} %") for share in (0, 0.25, 0.5, 0.75, 1)]
    return axis(axes.y, ticks=ticks, range=list(limits))


def _traces(places: Array, band: Band, axes: Axes) -> list[Data]:
    places = places if band.places is None else band.places
    there = numbers(np.concatenate([places, places[::-1]]))
    name = plain(band.name)
    traces: list[Data] = [
        beside(
            name, there, numbers(np.concatenate([band.quantiles[high], band.quantiles[low][::-1]])),
            fill="toself", fillcolor=tone(band.tone, strength), line={"width": 0}, mode="lines",
        )
        for low, high, strength in (() if band.theory else axes.levels)
    ]  # fmt: skip
    pointed = len(places) == 1 or (axes.points and not band.theory)  # of one point is no line
    form = ".0%" if axes.scale == "share" else axes.value_format
    place = f"{axes.symbol} = %{{x:{axes.place_format}}}"
    words = f"<b>%{{fullData.name}}</b> at {place}: %{{y:{form}}}"
    ends = f"%{{customdata[0]:{form}}} to %{{customdata[1]:{form}}}"
    traces.append(
        {
            **trace("scatter", name, numbers(places), numbers(band.quantiles[MEDIAN])),
            "customdata": numbers(band.quantiles[[0, 6]].T),
            "mode": "lines+markers" if pointed else "lines",
            "marker": {"size": 4},
            "line": {"color": tone(band.text_tone), "width": 1.6, "dash": band.dash},
            "hovertemplate": f"{words}<extra></extra>"
            if band.theory
            else f"{words}<br>95 % of {axes.spread} {ends}<extra></extra>",
        }
    )
    return traces


def _labels(
    places: Array, bands: Sequence[Band], axes: Axes, limits: tuple[float, float]
) -> list[Data]:
    """Names at the right ends, apart from each other; a hidden curve takes its name along."""
    bands = [band for band in bands if band.measured]
    log = axes.scale == "log"
    bottom, top = (math.log10(end) for end in limits) if log else limits
    step = (top - bottom) * LINE / max(60, axes.height - 80)
    last = [float(band.quantiles[MEDIAN, -1]) for band in bands]
    ends = [math.log10(max(end, limits[0])) if log else end for end in last]
    inside = 1e-4 * (top - bottom)  # rounded to the other side of an end a name is not drawn
    above_ticks = max(inside, min(0.4 * step, (top - bottom) / 2))  # a name beside the last one
    spread = spread_apart(ends, step, bottom + above_ticks, top - inside)
    return [
        named_at(
            plain(band.name),
            f" {plain(band.name)}",
            numbers((places if band.places is None else band.places)[-1:]),
            float(f"{10**place if log else place:.5g}"),
            band.text_tone,
        )
        for band, place in zip(bands, spread, strict=True)
    ]


def _marks(bands: Sequence[Band], axes: Axes) -> Data:
    """The place on show: a line with its value, and a dot on each curve."""
    log = axes.scale == "log"
    shown = [(band, band.at_mark) for band in bands if band.at_mark is not None]
    values = {plain(band.name): "not yet" for band in bands if not band.measured}
    values |= {plain(band.name): _value(quantiles, axes) for band, quantiles in shown}
    waiting = all(band.theory or not band.measured for band in bands)
    notes = [note(axes.empty)] if waiting else []
    if axes.mark is None:
        return {"annotations": notes, "meta": {"values": values}}
    place = axes.along(axes.mark)
    words = above(f"<b>{axes.symbol} = {short(axes.mark, 4)}</b>", round(place, 5))
    dots = [
        dot(place, math.log10(quantiles[MEDIAN]) if log else float(quantiles[MEDIAN]), band.tone)
        for band, quantiles in shown
        if quantiles[MEDIAN] > 0 or not log
    ]
    return {
        "shapes": [upright(axes.mark)],
        "annotations": [words, *dots, *notes],
        "meta": {"values": values},
    }


def _value(quantiles: Array, axes: Axes) -> str:
    """The median at the place on show as the legend says it."""
    low, middle, high = (axes.said(float(quantiles[level])) for level in (0, MEDIAN, -1))
    return f"{middle} ({low} to {high})" if axes.ranges else middle


def _nothing(
    places: Array, waiting: Sequence[Band], axes: Axes, revision: str, text: str
) -> Figure:
    """No curve, and why; those that are waited for stand in the legend."""
    frame = layout(
        _sideways(axes, float(places[0]), float(places[-1])),
        log_axis(axes.y, 0.011, 1.0),  # no tick in the corner, where the first place stands
        height=axes.height,
        revision=revision,
        annotations=[note(text)],
        showlegend=len(waiting) > 1,
        meta={"values": {plain(band.name): "not yet" for band in waiting}},
    )
    return {"data": [t for band in waiting for t in _traces(places, band, axes)], "layout": frame}
