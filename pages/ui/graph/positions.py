"""Columns: where along its row each node and each bend stands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pages.ui.graph.rows import Layered
from pages.ui.graph.simplex import Arc, settle

SPACE = 12
"""Least room between two boxes, and between two bends."""

BESIDE = 11
"""Least room between a box and a bend."""

WALL = 16
"""What a pixel of width beyond the target costs, in pixels of travel."""

EXACT = 700
"""Items up to which columns are settled exactly; larger graphs keep the sweeps' answer."""


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
    x = _sweep_columns(ladder, rows, items)
    if len(x) > EXACT:
        return x
    start = [round(value) for value in x]
    _spread(start, rows, items)
    arcs: list[Arc] = [
        (a, b, items.least_distance(a, b), 0) for row in rows for a, b in pairwise(row)
    ]
    for above, lower in enumerate(ladder.down):
        for below in lower:
            weight = items.weight(above, below)
            middle = len(start)
            start.append(min(start[above], start[below]))
            arcs += [(middle, above, 0, weight), (middle, below, 0, weight)]
    arcs += _walls(start, rows, items, round(target))
    settled = settle(start, arcs, pivots=3_000)
    return [float(value) for value in settled[: len(x)]]


def _walls(start: list[int], rows: list[list[int]], items: Items, target: int) -> list[Arc]:
    """Arcs that hold all rows between a left and a right wall, which join ``start``."""
    left, right = len(start), len(start) + 1
    half = [round(items.half_width(row[0])) for row in rows]
    end = [round(items.half_width(row[-1])) for row in rows]
    start.append(min(start[row[0]] - h for row, h in zip(rows, half, strict=True)))
    widest = max(start[row[-1]] + h for row, h in zip(rows, end, strict=True))
    start.append(max(widest, start[left] + target))
    return [
        (left, right, target, WALL),
        *((left, row[0], h, 0) for row, h in zip(rows, half, strict=True)),
        *((row[-1], right, h, 0) for row, h in zip(rows, end, strict=True)),
    ]


def _spread(x: list[int], rows: list[list[int]], items: Items) -> None:
    """Undo what rounding took from the distances."""
    for row in rows:
        for a, b in pairwise(row):
            x[b] = max(x[b], x[a] + items.least_distance(a, b))


def _sweep_columns(
    ladder: Layered, rows: list[list[int]], items: Items, sweeps: int = 8
) -> list[float]:
    """Each row in turn as close to its neighbours' columns as the distances allow."""
    x = [0.0] * len(ladder.up)
    for row in rows:
        for a, b in pairwise(row):
            x[b] = x[a] + items.least_distance(a, b)
        middle = (x[row[0]] + x[row[-1]]) / 2
        for item in row:
            x[item] -= middle
    for sweep in range(sweeps):
        last = sweep >= sweeps - 2
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wish, weight = [], []
            for item in row:
                near = ladder.up[item] if sweep % 2 == 0 else ladder.down[item]
                near = ladder.up[item] + ladder.down[item] if last else near
                pull = [items.weight(item, other) for other in near]
                total = sum(pull)
                wish.append(
                    sum(p * x[o] for p, o in zip(pull, near, strict=True)) / total
                    if total
                    else x[item]
                )
                weight.append(max(total, 0.1))
            _fit_row(x, row, wish, weight, items)
    return x


def _fit_row(
    x: list[float], row: list[int], wish: list[float], weight: list[float], items: Items
) -> None:
    """Columns nearest to the wishes in weighted squares, in order and apart.

    Pool adjacent violators after the least distances are taken off.
    """
    offset = [0.0]
    for a, b in pairwise(row):
        offset.append(offset[-1] + items.least_distance(a, b))
    pools: list[tuple[float, float, int]] = []  # mean, weight, size
    for value, own, shift in zip(wish, weight, offset, strict=True):
        mean, total, size = value - shift, own, 1
        while pools and pools[-1][0] > mean:
            other, heavy, many = pools.pop()
            mean = (mean * total + other * heavy) / (total + heavy)
            total, size = total + heavy, size + many
        pools.append((mean, total, size))
    means = [mean for mean, _, size in pools for _ in range(size)]
    for item, mean, shift in zip(row, means, offset, strict=True):
        x[item] = mean + shift
