"""Columns: where along its row each node and each bend stands."""

from dataclasses import dataclass
from itertools import pairwise

from pages.ui.graph.rows import Arc, Layered, settle

SPACE = 12
"""Least room between two boxes, and between two bends."""

BESIDE = 11
"""Least room between a box and a bend."""

WALL = 16
"""What a pixel of width beyond the target costs, in pixels of travel."""


@dataclass(frozen=True)
class Items:
    """The first ``nodes`` items of a ladder are boxes of one width, the others bends."""

    nodes: int
    width: int

    def half_width(self, item: int) -> float:
        """From an item's centre to its side."""
        return self.width / 2 if item < self.nodes else 0

    def least_distance(self, a: int, b: int) -> int:
        """How close the centres of two neighbours may come."""
        apart = (SPACE, self.width // 2 + BESIDE, self.width + SPACE)
        return apart[(a < self.nodes) + (b < self.nodes)]

    def weight(self, a: int, b: int) -> int:
        """What a pixel of sideways travel between two items costs."""
        return (8, 2, 1)[(a < self.nodes) + (b < self.nodes)]


def place_columns(
    ladder: Layered, rows: list[list[int]], nodes: int, width: int, target: float
) -> list[float]:
    """Centre of each item, minimising weighted sideways travel under least distances.

    Weights 1 between nodes, 2 at a bend, 8 between bends: long edges run straight. Two walls
    stand ``target`` apart; pushing them further costs more than most detours.
    Source: Gansner, Koutsofios, North and Vo 1993, section 4.2.
    """
    items = Items(nodes, width)
    count = len(ladder.up)
    arcs: list[Arc] = [
        (a, b, items.least_distance(a, b), 0) for row in rows for a, b in pairwise(row)
    ]
    for above, lower in enumerate(ladder.down):
        for below in lower:
            weight = items.weight(above, below)
            arcs += [(count, above, 0, weight), (count, below, 0, weight)]
            count += 1
    arcs += _walls((count, count + 1), rows, items, round(target))
    return [float(value) for value in settle(count + 2, arcs)[: len(ladder.up)]]


def _walls(walls: tuple[int, int], rows: list[list[int]], items: Items, target: int) -> list[Arc]:
    """Arcs that hold all rows between a left and a right wall."""
    left, right = walls
    return [
        (left, right, target, WALL),
        *((left, row[0], round(items.half_width(row[0])), 0) for row in rows),
        *((row[-1], right, round(items.half_width(row[-1])), 0) for row in rows),
    ]
