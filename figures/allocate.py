"""Allocate's first picture: the budget of every node by plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.study.allocated import Allocated
from core.table import Array
from figures.palette import hue
from figures.template import Data, Figure, axis, layout, numbers, plain, shortened, tone, whiskers

LONGEST = 16
"""Letters of a node's name beneath its bars; the whole name stands on hover."""

FEW = 12
"""Nodes whose names lie level beneath their bars; of more they stand upright."""

LETTER = 6.2
"""Pixels of one letter of a name that stands upright, on average."""


@dataclass(frozen=True, eq=False)
class NodeBudgets:
    """What one method gives every node; ``low`` and ``high`` where its plans differ."""

    method: str
    values: Array
    low: Array | None = None
    high: Array | None = None

    @classmethod
    def of(cls, plan: Allocated) -> NodeBudgets:
        """The ε of a plan, with its limits where plans depend on the records."""
        varies = plan.trace is not None and plan.trace.varies
        return cls(plan.method, plan.epsilon, *(plan.epsilon_limits if varies else ()))


def budget_figure(
    nodes: Sequence[str],
    plans: Sequence[NodeBudgets],
    order: Sequence[int],
    *,
    selected: str = "",
    sorted_by: str = "",
) -> Figure:
    """Bars side by side for every node, in the order given; the uniform plan is a dashed line."""
    names, places = [plain(nodes[i]) for i in order], list(order)
    short = [plain(shortened(nodes[i], LONGEST)) for i in order]
    drawn = [
        _steps(names, plan, places)
        if hue(plan.method) == "uniform"
        else _columns(names, plan, places)
        for plan in plans
    ]
    across = axis(
        f"node{', ' + sorted_by if sorted_by else ''}",
        type="category",
        showgrid=False,
        labelalias=dict(zip(names, short, strict=True)),
    )
    few = len(names) <= FEW
    if not few:
        across["tickangle"] = -90
    room = 0 if few else LETTER * min(LONGEST, max(map(len, nodes)))
    return {
        "data": drawn,
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


def _columns(names: list[str], plan: NodeBudgets, order: list[int]) -> Data:
    name = plain(plan.method)
    said = f"<b>%{{x}}</b>, {name}: ε = %{{y:.3~g}}"
    bars: Data = {
        "type": "bar",
        "x": names,
        "y": numbers(plan.values[order]),
        "name": name,
        "legendgroup": name,
        "marker": {"color": tone(hue(plan.method))},
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


def _steps(names: list[str], plan: NodeBudgets, order: list[int]) -> Data:
    """A line from node to node: level, unless locks or weights lift some of them."""
    name = plain(plan.method)
    return {
        "type": "scatter",
        "mode": "lines" if len(names) > 1 else "markers",
        "x": names,
        "y": numbers(plan.values[order]),
        "name": name,
        "legendgroup": name,
        "line": {"color": tone("uniform"), "width": 2, "dash": "6px,4px", "shape": "hvh"},
        "marker": {"color": tone("uniform"), "size": 9},
        "hovertemplate": f"<b>%{{x}}</b>, {name}: ε = %{{y:.3~g}}<extra></extra>",
    }


def _stripe(place: int) -> Data:
    """Behind the bars of the selected node."""
    return {
        "type": "rect",
        "x0": place - 0.5,
        "x1": place + 0.5,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "layer": "below",
        "fillcolor": tone("line"),
        "line": {"width": 0},
    }
