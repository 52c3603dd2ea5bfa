"""Which pairs a junction tree still has room for, before any of them is measured.

Up to ``EXACT`` columns the tree of every pair is made. Of more columns there are too many pairs
for that, and what a pair adds is bounded by the tree that is there: one column of the pair goes
along the way to the other, through every clique between.
"""

import functools
import itertools
import operator
from collections.abc import Sequence

from core.inference.cliques import (
    Forest,
    clique_cells,
    forest_of,
    lightest,
    maximal_cliques,
    members,
    moral_graph,
    triangulate,
)
from core.synthesis.measuring import Columns

EXACT = 50
"""Columns: a tree of so many takes hundredths of a second, and there are a thousand pairs."""


def pairs_with_room(sizes: Sequence[int], known: Sequence[Columns], most: int) -> list[Columns]:
    """Pairs that no table holds yet and that keep the tree within so many cells.

    One column of a pair put into every clique between the two joins them: where even that is small
    enough, no tree has to be made.
    """
    forest, held = forest_of(sizes, known), set(known)
    cells = forest.cells(sizes)
    left = [p for p in itertools.combinations(range(len(sizes)), 2) if p not in held]
    if len(sizes) > EXACT:
        beside = _beside(forest)
        added = [_added(sizes, forest, beside, column) for column in range(len(sizes))]
        return [(i, j) for i, j in left if cells + min(added[i][j], added[j][i]) <= most]
    graph = moral_graph(known, len(sizes))
    return [
        (i, j)
        for i, j in left
        if cells * min(sizes[i], sizes[j]) <= most or _fits(sizes, graph, (i, j), most)
    ]


def _fits(sizes: Sequence[int], graph: Sequence[int], pair: Columns, most: int) -> bool:
    """Whether one of the two orders makes a tree small enough; most are, by the quick one."""
    i, j = pair
    joined = list(graph)
    joined[i] |= 1 << j
    joined[j] |= 1 << i
    return any(
        maximal_cliques(order(joined, sizes)).cells(sizes) <= most
        for order in (lightest, triangulate)
    )


def _beside(forest: Forest) -> list[list[int]]:
    """The cliques that each clique shares columns with in the tree."""
    beside: list[list[int]] = [[] for _ in forest.masks]
    for place, above in enumerate(forest.parents):
        if place != above and forest.masks[place] & forest.masks[above]:
            beside[place].append(above)
            beside[above].append(place)
    return beside


def _added(
    sizes: Sequence[int], forest: Forest, beside: Sequence[Sequence[int]], column: int
) -> list[int]:
    """Cells that joining a column to each other one adds at most, going through the tree from it.

    A clique on the way takes the column, or what it shares with its two neighbours there makes a
    new clique with it; the last one likewise, with the other column.
    """
    own, masks = sizes[column], forest.masks
    added = [own * size for size in sizes]  # in another part of the forest: a clique of the two
    seen = {place for place, mask in enumerate(masks) if mask >> column & 1}
    met = functools.reduce(operator.or_, (masks[place] for place in seen))
    for other in members(met):
        added[other] = 0
    way = [(0, place, near) for place in seen for near in beside[place]]
    while way:
        cost, before, place = way.pop()
        if place in seen:
            continue
        seen.add(place)
        shared, whole = masks[before] & masks[place], (own - 1) * clique_cells(sizes, masks[place])
        for other in members(masks[place] & ~met):
            added[other] = cost + min(whole, own * clique_cells(sizes, shared) * sizes[other])
        met |= masks[place]
        for near in beside[place]:
            through = own * clique_cells(sizes, shared | masks[place] & masks[near])
            way.append((cost + min(whole, through), place, near))
    return added
