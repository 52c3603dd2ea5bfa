"""Allocate's further pictures: three facts about formulas as they are printed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.study.quantities import ROW_WEIGHTED
from core.table import Array
from figures.bars import Bars, bar_figure
from figures.template import Figure, axis, dot, layout, log_axis, numbers, plain, tone


def sensitivity_figure(nodes: Sequence[str], values: Array, written: int | None) -> Figure:
    """Δ of every node, largest first; the one that is written out stands in ink."""
    order = sorted(range(len(nodes)), key=lambda i: -values[i])
    colours = [tone("truth" if i == written else "edge") for i in order]
    bars = {
        "type": "bar",
        "x": [plain(nodes[i]) for i in order],
        "y": numbers(values[order]),
        "name": "sensitivity",
        "marker": {"color": colours},
        "showlegend": False,
        "hovertemplate": "<b>%{x}</b>: Δ = %{y:.4~g}, a constant of the graph<extra></extra>",
    }
    across = axis("nodes, largest first", type="category", showticklabels=False, showgrid=False)
    upward = axis("sensitivity Δ", rangemode="tozero", nticks=4)
    frame = layout(across, upward, height=150, revision="sensitivity", showlegend=False)
    return {"data": [bars], "layout": frame}


def sampling_figure(rates: Array, ratios: Array, mark: tuple[float, float]) -> Figure:
    """Relative noise of Stage I against its sampling rate; without sampling it is 1."""
    top = max(1.5, float(ratios.max()))
    bottom = 0.3 if top > 3 else 0.7
    rate, ratio = mark
    place = math.log10(rate)
    late = place > math.log10(float(rates[-1])) - 0.7
    curve = {
        "type": "scatter",
        "mode": "lines",
        "x": numbers(rates),
        "y": numbers(ratios),
        "name": "noise of Stage I",
        "line": {"color": tone("data-dependent"), "width": 1.8},
        "hovertemplate": "at γ = %{x:.2~g} the noise is %{y:.3~g} times that of no sampling"
        "<extra></extra>",
    }
    note = {
        "text": f"<b>{ratio:.2f}× at γ = {rate:g}</b>",
        "x": round(place, 5),
        "y": round(ratio, 5),
        "xanchor": "right" if late else "left",
        "xshift": -8 if late else 8,
        "yshift": 14 if late else 11,
        "font": {"color": tone("data-dependent-text")},
    }
    even = {
        "text": "without sampling: 1×",
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": 1,
        "yanchor": "top",
        "font": {"color": tone("second")},
    }
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1}
    frame = layout(
        log_axis("sampling rate γ (log scale)", float(rates[0]), float(rates[-1])),
        axis("relative noise (×)", range=[bottom, 1.04 * top], nticks=5),
        height=220,
        revision="sampling",
        showlegend=False,
        shapes=[level],
        annotations=[even, note, dot(place, ratio, "data-dependent")],
    )
    return {"data": [curve], "layout": frame}


def printed_figure(readings: Sequence[str], low: Array, middle: Array, high: Array) -> Figure:
    """Row error of the formula as printed, in ink, and of tables that stay counts."""
    bars = Bars(ROW_WEIGHTED.short, middle, "truth", low, high)
    figure = bar_figure(readings, [bars], ROW_WEIGHTED.axis, revision="printed")
    figure["data"][0] |= {
        "marker": {"color": [tone("truth"), tone("uniform")]},
        "showlegend": False,
    }
    figure["layout"]["height"] = 150
    return figure
