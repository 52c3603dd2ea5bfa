"""The attacker's trade-off: members found against false alarms, on three scales."""

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
    beside,
    dot,
    layout,
    named_at,
    numbers,
    plain,
    spread_apart,
    tone,
    trace,
    upright,
    whiskers,
)

Scale = Literal["linear", "log", "ratio"]
Style = Literal["guarantee", "loose", "asymptotic", "heuristic", "guessing", "measured"]

PROVEN = "guaranteed for every attacker"
LOOKS: dict[str, tuple[Data, str, str]] = {
    "guarantee": ({"color": tone("risk"), "width": 2.2}, "risk", PROVEN),
    "loose": ({"color": tone("risk"), "width": 1.2}, "risk", PROVEN),
    "asymptotic": (
        {"color": tone("second"), "width": 1.6, "dash": "6px,4px"},
        "second",
        "asymptotic, can be exceeded",
    ),
    "heuristic": (
        {"color": tone("risk"), "width": 1.6, "dash": "dot"},
        "risk",
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
    "ratio": (1, 2, 3, 5, 10, 20, 50, 100, 1000),
}
HEIGHT = 250
AIR = 0.15
"""Decades below the lowest rate, so that what is written there stays clear of the ticks."""

LEAD = 0.14
"""Decades left of the lowest rate in which a line leads from a curve to its name."""


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """One curve: the share of members found at each share of false alarms.

    ``colour`` is a name of the palette where the style's own is not meant; ``label`` is what
    stands at the curve's end, the first part of the name when empty.
    """

    name: str
    style: Style
    powers: Array
    colour: str = ""
    label: str = ""


@dataclass(frozen=True, eq=False)
class MeasuredPoints:
    """Points with whiskers, an attack that was run: rows of rate, mean, low and high."""

    name: str
    points: Array
    colour: str
    label: str


def tradeoff_figure(  # noqa: PLR0913 - one picture on three scales
    alarms: Array,
    curves: Sequence[Tradeoff],
    *,
    scale: Scale,
    mark: tuple[float, float] | None = None,
    revision: str,
    measured: Sequence[MeasuredPoints] = (),
    height: int = HEIGHT,
    leaders: bool = False,
) -> Figure:
    """Curves named at their ends; ``mark`` is the point that the finding speaks of.

    ``leaders`` join a name with its curve, where many curves push their names apart.
    """
    lead = LEAD if leaders else 0.0
    most = max(2.0, *_ratios(alarms, curves, measured))
    x, y = _axes(scale, most, lead)
    ends = _ends(alarms, curves, measured)
    room = 8 if scale == "linear" else 6.4 * max(len(end.text) for end in ends) + 12
    return {
        "data": [
            *(_trace(alarms, curve, scale) for curve in curves),
            *(_points(run, scale) for run in measured),
            *([] if scale == "linear" else _labels(ends, scale, (height, most), lead)),
        ],
        "layout": layout(
            x,
            y,
            height=height,
            revision=f"{revision} {scale}",
            margin={"l": round(room), "r": 8, "t": 10, "b": 8, "pad": 0},
            **({} if mark is None else _marks(mark, scale)),
        ),
    }


def _said(scale: Scale) -> str:
    if scale == "ratio":
        return "a member is accused %{y:.3~g} times as often as an outsider"
    return "%{y:.3~p} of the members found"


def _trace(alarms: Array, curve: Tradeoff, scale: Scale) -> Data:
    line = LOOKS[curve.style][0]
    up = curve.powers / alarms if scale == "ratio" else curve.powers
    return {
        **trace("scatter", plain(curve.name), numbers(alarms), numbers(up)),
        "mode": "lines",
        "line": ({**line, "color": tone(curve.colour)} if curve.colour else line),
        "hovertemplate": f"<b>%{{fullData.name}}</b>, {LOOKS[curve.style][2]}<br>at %{{x:.3~p}} "
        f"false alarms {_said(scale)}<extra></extra>",
    }


def _points(run: MeasuredPoints, scale: Scale) -> Data:
    """Rings with whiskers; where nothing was found a logarithmic scale has no place for one."""
    shown = run.points if scale == "linear" else run.points[run.points[:, 1] > 0]
    rates = shown[:, :1]
    places = shown[:, 1:] / rates if scale == "ratio" else shown[:, 1:]
    mean, low, high = places.T
    kind = ".3~g" if scale == "ratio" else ".3~p"
    return {
        **trace("scatter", plain(run.name), numbers(shown[:, 0]), numbers(mean)),
        "mode": "markers",
        "marker": {
            "symbol": "circle-open",
            "size": 9,
            "color": tone(run.colour),
            "line": {"width": 1.8, "color": tone(run.colour)},
        },
        "error_y": whiskers(low, mean, high, color=tone(run.colour), thickness=1.4, width=4),
        "customdata": numbers(places[:, 1:]),
        "hovertemplate": f"<b>%{{fullData.name}}</b>, an attack that was run<br>at %{{x:.3~p}} "
        f"false alarms {_said(scale)}<br>95 % interval %{{customdata[0]:{kind}}} to "
        f"%{{customdata[1]:{kind}}}<extra></extra>",
    }


def _ratios(
    alarms: Array, curves: Sequence[Tradeoff], measured: Sequence[MeasuredPoints]
) -> list[float]:
    """The most that each curve and each whisker rises above guessing."""
    heights = [float(np.nanmax(curve.powers / alarms)) for curve in curves]
    return heights + [float((run.points[:, 3] / run.points[:, 0]).max()) for run in measured]


def _axes(scale: Scale, most: float, lead: float) -> tuple[Data, Data]:
    title, members = "false alarms (% of non-members)", "members found (%)"
    if scale == "linear":
        ticks = [(t, f"{100 * t:g}") for t in TICKS["linear"]]
        return axis(title, ticks=ticks, range=[0, 1]), axis(members, ticks=ticks, range=[0, 1.01])
    logs = [(t, f"{100 * t:g}") for t in TICKS["log"]]
    low, high = math.log10(LOWEST), 0.02
    x = axis(title, ticks=logs, type="log", range=[low - lead, high])
    if scale == "log":
        return x, axis(members, ticks=logs, type="log", range=[low - AIR, high], side="right")
    top = 1.1 * most
    times = [(t, f"{t}×") for t in TICKS["ratio"] if t <= top]
    return x, axis(
        "how much likelier a member is accused",
        ticks=times,
        type="log",
        range=[-max(math.log10(1.25), AIR / 3 * math.log10(top)), math.log10(top)],
        side="right",
    )


@dataclass(frozen=True)
class _End:
    """Where a curve begins at the lowest rate, and what is written there."""

    name: str
    text: str
    power: float
    colour: str


def _ends(
    alarms: Array, curves: Sequence[Tradeoff], measured: Sequence[MeasuredPoints]
) -> list[_End]:
    """Of every curve, and of every attack that found someone at its lowest rate."""
    named = [
        _End(c.name, c.label or c.name.split(", ")[0], float(c.powers[0] / alarms[0]),
             c.colour or LOOKS[c.style][1])
        for c in curves
    ]  # fmt: skip
    runs = [_End(m.name, m.label, float(m.points[0, 1] / m.points[0, 0]), m.colour)
            for m in measured]  # fmt: skip
    return [*named, *(run for run in runs if run.power > 0)]


def _labels(ends: Sequence[_End], scale: Scale, size: tuple[int, float], lead: float) -> list[Data]:
    """Names at the left ends, where the curves fan out; on a linear scale they all meet."""
    height, most = size
    shift = math.log10(LOWEST) if scale == "log" else 0.0
    places = [math.log10(max(end.power, 1e-9)) + shift for end in ends]
    low, high = (-3.0, 0.0) if scale == "log" else (0.0, math.log10(most))
    places = [min(max(place, low), high) for place in places]
    spread = spread_apart(places, (high - low) * 15 / (height - 70), low, high)
    pairs = zip(ends, places, spread, strict=True)
    return [part for end, place, at in pairs for part in _label(end, place, at, lead)]


def _label(end: _End, place: float, at: float, lead: float) -> list[Data]:
    text_tone = end.colour if end.colour in ("second", "third", "truth") else f"{end.colour}-text"
    left, up = float(f"{LOWEST * 10**-lead:.5g}"), float(f"{10**at:.5g}")
    name = plain(end.name)
    written = named_at(name, f"{plain(end.text)} ", [left], up, text_tone)
    if not lead:
        return [written]
    across = [left, float(f"{LOWEST * 10 ** (-lead / 8):.5g}")]
    line = {"color": tone(text_tone, 0.6), "width": 1}
    path = beside(name, across, [up, float(f"{10**place:.5g}")], mode="lines", line=line)
    return [written, path]


def _marks(mark: tuple[float, float], scale: Scale) -> Data:
    alarm, power = mark
    x = alarm if scale == "linear" else math.log10(alarm)
    y = power / alarm if scale == "ratio" else power
    high = y if scale == "linear" else math.log10(y)
    return {"shapes": [upright(alarm)], "annotations": [dot(x, high, "risk")]}
