"""Dots against the diagonal: what was foreseen or true across, what was found upwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.table import Array
from figures.template import Data, Figure, layout, log_axis, numbers, plain, tone

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
    sets: Sequence[Dots],
    titles: tuple[str, str],
    *,
    revision: str,
    height: int = 320,
) -> Figure:
    """Dots and the line on which both are equal; sets differ in colour and in shape."""
    values = np.concatenate([np.ravel(v) for s in sets for v in (s.across, s.up)])
    values = values[np.isfinite(values) & (values > 0)]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.13, 1 / 1.3)
    low, high = low / 1.3, high * 1.3
    line = {"type": "line", "x0": low, "x1": high, "y0": low, "y1": high, "layer": "below"}
    return {
        "data": [_trace(dots, SYMBOLS[i % len(SYMBOLS)], titles) for i, dots in enumerate(sets)],
        "layout": layout(
            log_axis(titles[0], low, high),
            log_axis(titles[1], low, high),
            height=height,
            revision=revision,
            showlegend=len(sets) > 1,
            shapes=[line],
        ),
    }


def _trace(dots: Dots, symbol: str, titles: tuple[str, str]) -> Data:
    what = "<b>%{text}</b>, " if dots.names else ""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": numbers(dots.across),
        "y": numbers(dots.up),
        "text": [plain(name) for name in dots.names],
        "name": plain(dots.name),
        "legendgroup": plain(dots.name),
        "marker": {
            "color": tone(dots.colour),
            "size": 8,
            "symbol": symbol,
            "line": {"color": tone("page"), "width": 1},
        },
        "hovertemplate": f"{what}{plain(dots.name)}<br>{titles[0]}: %{{x:.3~g}}<br>{titles[1]}: "
        "%{y:.3~g}<extra></extra>",
    }
