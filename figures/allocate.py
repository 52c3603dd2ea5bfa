"""Allocate's pictures: the budget of every node by plan, three facts about printed formulas."""

import math
from collections.abc import Sequence

import numpy as np

from core.study.allocated import Allocated
from core.study.quantities import ROW_WEIGHTED
from core.table import Array
from figures.bars import Bars, bar_figure
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
    shortened,
    tone,
    trace,
    whiskers,
)

LONGEST = 16
"""Letters of a node's name beneath its bars; the whole name stands on hover."""

FEW = 12
"""Nodes whose names lie level beneath their bars; of more they stand upright."""

LETTER = 6.2
"""Pixels of one letter of a name that stands upright, on average."""


def node_bars(plan: Allocated) -> Bars:
    """The ε of every node, with its limits where plans depend on the records."""
    varies = plan.trace is not None and plan.trace.varies
    limits = plan.epsilon_limits if varies else (None, None)
    return Bars(plan.method, plan.epsilon, hue(plan.method), *limits)


def budget_figure(
    nodes: Sequence[str],
    plans: Sequence[Bars],
    order: Sequence[int],
    *,
    selected: str = "",
    sorted_by: str = "",
) -> Figure:
    """Bars side by side for every node, in the order given; the uniform plan is a dashed line."""
    names, places = [plain(nodes[i]) for i in order], list(order)
    short = [plain(shortened(nodes[i], LONGEST)) for i in order]
    makers = [_steps if plan.colour == "uniform" else _columns for plan in plans]
    aliases, few = dict(zip(names, short, strict=True)), len(names) <= FEW
    title = f"node{', ' + sorted_by if sorted_by else ''}"
    across = axis(title, type="category", showgrid=False, labelalias=aliases)
    if not few:
        across["tickangle"] = -90
    room = 0 if few else LETTER * min(LONGEST, max(map(len, nodes)))
    return {
        "data": [make(names, plan, places) for make, plan in zip(makers, plans, strict=True)],
        "layout": layout(
            across,
            axis("budget ε of the node", rangemode="tozero"),
            height=round(290 + room),
            revision="budget",
            barmode="group",
            bargap=0.24,
            bargroupgap=0.04,
            showlegend=True,
            shapes=[_stripe(names.index(plain(selected)))] if plain(selected) in names else [],
        ),
    }


def _columns(names: list[str], plan: Bars, order: list[int]) -> Data:
    name = plain(plan.name)
    said = f"<b>%{{x}}</b>, {name}: ε = %{{y:.3~g}}"
    bars: Data = {
        **trace("bar", name, names, numbers(plan.values[order])),
        "marker": {"color": tone(plan.colour)},
        "hovertemplate": f"{said}<extra></extra>",
    }
    if plan.low is not None and plan.high is not None:
        low, middle, high = (part[order] for part in (plan.low, plan.values, plan.high))
        bars |= {
            "customdata": numbers(np.stack([low, high], axis=-1)),
            "error_y": whiskers(low, middle, high, color=tone("ink"), thickness=1, width=2),
            "hovertemplate": f"{said}<br>95 % of plans %{{customdata[0]:.3~g}} to "
            "%{customdata[1]:.3~g}<extra></extra>",
        }
    return bars


def _steps(names: list[str], plan: Bars, order: list[int]) -> Data:
    """A line from node to node: level, unless locks or weights lift some of them."""
    name = plain(plan.name)
    return {
        **trace("scatter", name, names, numbers(plan.values[order])),
        "mode": "lines" if len(names) > 1 else "markers",
        "line": {"color": tone("uniform"), "width": 2, "dash": "6px,4px", "shape": "hvh"},
        "marker": {"color": tone("uniform"), "size": 9},
        "hovertemplate": f"<b>%{{x}}</b>, {name}: ε = %{{y:.3~g}}<extra></extra>",
    }


def _stripe(place: int) -> Data:
    box = {"type": "rect", "x0": place - 0.5, "x1": place + 0.5, "y0": 0, "y1": 1, "yref": "paper"}
    return {**box, "layer": "below", "fillcolor": tone("line"), "line": {"width": 0}}


def sensitivity_figure(nodes: Sequence[str], values: Array, written: int | None) -> Figure:
    """Δ of every node, largest first; the one that is written out stands in ink."""
    order = sorted(range(len(nodes)), key=lambda i: -values[i])
    colours = [tone("truth" if i == written else "edge") for i in order]
    bars = {
        **trace("bar", "sensitivity", [plain(nodes[i]) for i in order], numbers(values[order])),
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
        **trace("scatter", "noise of Stage I", numbers(rates), numbers(ratios)),
        "mode": "lines",
        "line": {"color": tone("data-dependent"), "width": 1.8},
        "hovertemplate": "at γ = %{x:.2~g} the noise is %{y:.3~g} times that of no sampling"
        "<extra></extra>",
    }
    beside = {
        "text": f"<b>{ratio:.2f}× at γ = {rate:g}</b>", "x": round(place, 5), "y": round(ratio, 5),
        "font": {"color": tone("data-dependent-text")},
        "xanchor": "right" if late else "left",
        "xshift": -8 if late else 8, "yshift": 14 if late else 11,
    }  # fmt: skip
    even = {
        "text": "without sampling: 1×", "x": 0, "xref": "paper", "xanchor": "left",
        "y": 1, "yanchor": "top", "font": {"color": tone("second")},
    }  # fmt: skip
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1}
    frame = layout(
        log_axis("sampling rate γ (log scale)", float(rates[0]), float(rates[-1])),
        axis("relative noise (×)", range=[bottom, 1.04 * top], nticks=5),
        height=220,
        revision="sampling",
        showlegend=False,
        shapes=[level],
        annotations=[even, beside, dot(place, ratio, "data-dependent")],
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
