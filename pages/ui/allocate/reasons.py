"""What a node's budget follows from: one column of numbers for each quantity."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from pages.ui.allocate import words as say
from pages.ui.allocate.compared import Plans


@dataclass(frozen=True, eq=False)
class Reason:
    """One quantity of every node: its name on screen and in the file, what it is, its format."""

    name: str
    formula: str
    form: str
    values: ArrayLike


def quantities(plans: Plans) -> list[Reason]:
    """Of the plan that is explained; δ where a plan on show has a Stage I."""
    nodes = plans.chosen.trace.nodes
    deltas = next((p.deltas for p in plans.shown if p.deltas is not None), None)
    columns: list[tuple[str, str, str, ArrayLike]] = [
        ("height", "height", "%d", [n.height for n in nodes]),
        ("out-degree", "degree", "%d", [n.out_degree for n in nodes]),
        ("sensitivity Δ", "sensitivity", "%.3g", [n.sensitivity for n in nodes]),
        ("weight W", "weight", "%.1f", [n.weight for n in nodes]),
    ]
    if deltas is not None:
        columns.insert(3, ("error δ × 10³", "delta", "%.3g", 1000 * deltas))
    return [Reason(name, say.FORMULAS[key], *rest) for name, key, *rest in columns]
