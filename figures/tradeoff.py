"""The attacker's trade-off: members found against false alarms, on three scales."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.table import Array
from figures.template import (
    Data,
    Figure,
    axis,
    dot,
    layout,
    numbers,
    plain,
    spread_apart,
    tone,
    upright,
)

Scale = Literal["linear", "log", "ratio"]
Style = Literal["guarantee", "loose", "asymptotic", "heuristic", "guessing", "measured"]

PROVEN = "guaranteed for every attacker"
LOOKS: dict[str, tuple[Data, str, str]] = {
    "guarantee": ({"color": tone("risk"), "width": 2.2}, "risk-text", PROVEN),
    "loose": ({"color": tone("risk"), "width": 1.2}, "risk-text", PROVEN),
    "asymptotic": (
        {"color": tone("second"), "width": 1.6, "dash": "6px,4px"},
        "second",
        "asymptotic, can be exceeded",
    ),
    "heuristic": (
        {"color": tone("risk"), "width": 1.6, "dash": "dot"},
        "risk-text",
        "heuristic, no guarantee",
    ),
    "guessing": (
        {"color": tone("third"), "width": 1, "dash": "1px,3px"},
        "second",
        "no better than chance",
    ),
    "measured": ({"color": tone("truth"), "width": 1.8}, "truth", "measured"),
}
"""How each kind of claim is drawn, written and named: never by colour alone."""

LOWEST = 0.001
TICKS: dict[str, tuple[float, ...]] = {
    "linear": (0, 0.25, 0.5, 0.75, 1),
    "log": (0.001, 0.01, 0.1, 1),
}
HEIGHT = 250


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """One curve: the share of members found at each share of false alarms."""

    name: str
    style: Style
    found: Array


def tradeoff_figure(
    alarms: Array,
    curves: Sequence[Tradeoff],
    *,
    scale: Scale,
    mark: tuple[float, float] | None = None,
    revision: str,
) -> Figure:
    """Curves named at their ends; ``mark`` is the point that the finding speaks of."""
    x, y = _axes(scale, alarms, curves)
    room = 8 if scale == "linear" else 6.4 * max(len(_short(c.name)) for c in curves) + 12
    return {
        "data": [
            *(_trace(alarms, curve, scale) for curve in curves),
            *_labels(alarms, curves, scale),
        ],
        "layout": layout(
            x,
            y,
            height=HEIGHT,
            revision=f"{revision} {scale}",
            margin={"l": round(room), "r": 8, "t": 10, "b": 8, "pad": 0},
            **({} if mark is None else _marks(mark, scale)),
        ),
    }


def _trace(alarms: Array, curve: Tradeoff, scale: Scale) -> Data:
    line, _, claim = LOOKS[curve.style]
    ratio = scale == "ratio"
    said = "%{y:.3~g} times as many members" if ratio else "%{y:.3~p} of the members"
    return {
        "type": "scatter",
        "x": numbers(alarms),
        "y": numbers(curve.found / alarms if ratio else curve.found),
        "name": plain(curve.name),
        "mode": "lines",
        "line": line,
        "legendgroup": plain(curve.name),
        "hovertemplate": f"<b>%{{fullData.name}}</b>, {claim}<br>at %{{x:.3~p}} false alarms "
        f"{said} found<extra></extra>",
    }


def _axes(scale: Scale, alarms: Array, curves: Sequence[Tradeoff]) -> tuple[Data, Data]:
    title, found = "false alarms (% of non-members)", "members found (%)"
    if scale == "linear":
        ticks = [(t, f"{100 * t:g}") for t in TICKS["linear"]]
        return axis(title, ticks=ticks, range=[0, 1]), axis(found, ticks=ticks, range=[0, 1.01])
    logs = [(t, f"{100 * t:g}") for t in TICKS["log"]]
    span = [math.log10(LOWEST), 0.02]
    x = axis(title, ticks=logs, type="log", range=span)
    if scale == "log":
        return x, axis(found, ticks=logs, type="log", range=span, side="right")
    most = max(float(np.nanmax(curve.found / alarms)) for curve in curves)
    high = 1.05 * max(most, 1.2)
    return x, axis("members found / false alarms", range=[0, high], side="right")


def _labels(alarms: Array, curves: Sequence[Tradeoff], scale: Scale) -> list[Data]:
    """Short names at the left ends, where the curves fan out; on a linear scale they all meet."""
    if scale == "linear":
        return []
    ends = [float(curve.found[0]) for curve in curves]
    if scale == "log":
        ends = [math.log10(max(end, LOWEST)) for end in ends]
    else:
        ends = [end / float(alarms[0]) for end in ends]
    low, high = (-3.0, 0.0) if scale == "log" else (0.0, max(1.2, *ends))
    spread = spread_apart(ends, (high - low) * 15 / (HEIGHT - 70), low, high)
    return [_label(curve, place, scale) for curve, place in zip(curves, spread, strict=True)]


def _label(curve: Tradeoff, place: float, scale: Scale) -> Data:
    value = 10**place if scale == "log" else place
    return {
        "type": "scatter",
        "x": [LOWEST],
        "y": [float(f"{value:.5g}")],
        "mode": "text",
        "text": [f"{plain(_short(curve.name))} "],
        "textposition": "middle left",
        "textfont": {"color": tone(LOOKS[curve.style][1]), "size": 12},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "legendgroup": plain(curve.name),
        "showlegend": False,
    }


def _short(name: str) -> str:
    return name.split(", ")[0]


def _marks(mark: tuple[float, float], scale: Scale) -> Data:
    alarm, found = mark
    x = alarm if scale == "linear" else math.log10(alarm)
    y = found / alarm if scale == "ratio" else found
    high = math.log10(y) if scale == "log" else y
    return {"shapes": [upright(alarm)], "annotations": [dot(x, high, "risk")]}
