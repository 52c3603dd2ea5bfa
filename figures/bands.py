"""Curves with nested bands: an error against ε, for several methods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.table import Array
from figures.palette import hue
from figures.template import (
    Data,
    Figure,
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

MEDIAN = 3
LETTER = 6.6
"""Pixels of one letter of a label, on average."""


@dataclass(frozen=True, eq=False)
class Band:
    """One method's curve: seven quantiles ``(7, points)``, and the same at the ε on show.

    ``unit`` is what one value is, for the hover text.
    """

    name: str
    quantiles: Array
    now: Array | None = None


@dataclass(frozen=True)
class Axes:
    """What stands on the axes, which ε is on show, and how high the picture is."""

    x: str
    y: str
    epsilon: float | None = None
    height: int = 240


def band_figure(places: Array, bands: Sequence[Band], axes: Axes, *, revision: str) -> Figure:
    """Medians with 50, 80 and 95 % bands on two logarithmic axes, named at their ends."""
    limits = _limits([*(b.quantiles for b in bands), *(b.now for b in bands if b.now is not None)])
    if limits is None:
        return _nothing(places, axes, revision)
    low, high = float(places[0]), float(places[-1])
    if axes.epsilon is not None:
        low, high = min(low, axes.epsilon), max(high, axes.epsilon)
    traces = [trace for band in bands for trace in _traces(places, band, axes)]
    marks = _marks(bands, axes)
    room = LETTER * max(len(band.name) for band in bands) + 14
    return {
        "data": [*traces, *_labels(places, bands, limits, axes.height)],
        "layout": layout(
            log_axis(axes.x, low, high),
            log_axis(axes.y, *limits),
            height=axes.height,
            revision=revision,
            showlegend=len(bands) > 1,
            margin={"l": 8, "r": round(room), "t": 22, "b": 8, "pad": 0},
            **marks,
        ),
    }


def _traces(places: Array, band: Band, axes: Axes) -> list[Data]:
    colour = hue(band.name)
    there = numbers(np.concatenate([places, places[::-1]]))
    found: list[Data] = [
        {
            "type": "scatter",
            "x": there,
            "y": numbers(np.concatenate([band.quantiles[high], band.quantiles[low][::-1]])),
            "fill": "toself",
            "fillcolor": tone(colour, strength),
            "line": {"width": 0},
            "mode": "lines",
            "hoverinfo": "skip",
            "legendgroup": plain(band.name),
            "showlegend": False,
        }
        for low, high, strength in LEVELS
    ]
    found.append(
        {
            "type": "scatter",
            "x": numbers(places),
            "y": numbers(band.quantiles[MEDIAN]),
            "customdata": numbers(band.quantiles[[0, 6]].T),
            "name": plain(band.name),
            "mode": "lines",
            "line": {"color": tone(f"{colour}-text"), "width": 1.6},
            "legendgroup": plain(band.name),
            "hovertemplate": "<b>%{fullData.name}</b> at ε = %{x:.3~g}: %{y:.2~g}<br>95 % of "
            "releases %{customdata[0]:.2~g} to %{customdata[1]:.2~g}<extra></extra>",
        }
    )
    return found


def _labels(
    places: Array, bands: Sequence[Band], limits: tuple[float, float], height: int
) -> list[Data]:
    """Names at the right ends, apart from each other; a hidden curve takes its name along."""
    bottom, top = np.log10(limits)
    step = (top - bottom) * 15 / max(60, height - 80)
    ends = [math.log10(max(float(band.quantiles[MEDIAN, -1]), limits[0])) for band in bands]
    spread = spread_apart(ends, step, bottom, top)
    return [
        {
            "type": "scatter",
            "x": [float(places[-1])],
            "y": [float(f"{10**place:.5g}")],
            "mode": "text",
            "text": [f" {plain(band.name)}"],
            "textposition": "middle right",
            "textfont": {"color": tone(f"{hue(band.name)}-text"), "size": 12},
            "cliponaxis": False,
            "hoverinfo": "skip",
            "legendgroup": plain(band.name),
            "showlegend": False,
        }
        for band, place in zip(bands, spread, strict=True)
    ]


def _marks(bands: Sequence[Band], axes: Axes) -> Data:
    """The ε on show: a line with its value, and a dot on each curve."""
    if axes.epsilon is None:
        return {}
    place = math.log10(axes.epsilon)
    note = {
        "text": f"<b>ε = {axes.epsilon:.4g}</b>",
        "x": round(place, 5),
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
    }
    medians = [(b, float(b.now[MEDIAN])) for b in bands if b.now is not None]
    dots = [dot(place, math.log10(m), hue(band.name)) for band, m in medians if m > 0]
    return {
        "shapes": [upright(axes.epsilon)],
        "annotations": [note, *dots],
        "meta": {"values": {plain(band.name): f"{m:.2g}" for band, m in medians}},
    }


def _limits(values: Sequence[Array]) -> tuple[float, float] | None:
    """Where the curves lie, with a little air; none where nothing is above zero."""
    known = np.concatenate([np.ravel(v) for v in values])
    known = known[np.isfinite(known) & (known > 0)]
    if not known.size:
        return None
    low, high = float(known.min()), float(known.max())
    air = max((high / low) ** 0.06, 1.1)
    return low / air, high * air


def _nothing(places: Array, axes: Axes, revision: str) -> Figure:
    note = {
        "text": "No error: nothing here can be wrong",
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
