"""What a node's budget follows from: one column of numbers for each quantity."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from pages.ui.allocate import words as say
from pages.ui.allocate.compared import Plans


@dataclass(frozen=True, eq=False)
class NodeReason:
    """One quantity of every node: its name on screen and in the file, what it is, its format."""

    name: str
    formula: str
    form: str
    values: ArrayLike


def quantities(plans: Plans) -> list[NodeReason]:
    """Of the plan that is explained; δ where a plan on show has a Stage I."""
    nodes, told = plans.chosen.trace.nodes, say.FORMULAS
    deltas = next((p.deltas for p in plans.shown if p.deltas is not None), None)
    reasons = [
        NodeReason("height", told["height"], "%d", [n.height for n in nodes]),
        NodeReason("out-degree", told["degree"], "%d", [n.out_degree for n in nodes]),
        NodeReason("sensitivity Δ", told["sensitivity"], "%.3g", [n.sensitivity for n in nodes]),
        NodeReason("weight W", told["weight"], "%.1f", [n.weight for n in nodes]),
    ]
    if deltas is not None:
        reasons.insert(3, NodeReason("error δ × 10³", told["delta"], "%.3g", 1000 * deltas))
    return reasons
