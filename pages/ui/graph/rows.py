"""Rows of a DAG: which row each node stands in, in which order along it, and where along it."""

import math
import random
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

Arc = tuple[int, int, int, int]
"""(tail, head, minimum distance, weight)"""


def settle(count: int, arcs: Sequence[Arc]) -> list[int]:
    """Positions minimising the sum of weight * (head - tail) with head - tail >= distance.

    The arcs must connect all ``count`` places. The constraints are those of a network, so that
    the corner at which the simplex method stops is one of whole numbers.
    Source: Gansner, Koutsofios, North and Vo 1993, section 2.3.
    """
    tail, head, distance, weight = np.array(arcs).T
    cost = np.bincount(head, weight, count) - np.bincount(tail, weight, count)
    each = np.arange(len(arcs))
    signs = np.repeat([1.0, -1.0], len(arcs))
    apart = coo_array((signs, (np.tile(each, 2), np.concatenate([tail, head]))))
    bounds = [(0, 0), *[(None, None)] * (count - 1)]
    solved = linprog(cost, apart.tocsr(), -distance, bounds=bounds, method="highs-ds")
    return [int(place) for place in np.rint(solved.x - solved.x.min())]


Pairs = Sequence[tuple[int, int]]

LONG_EDGES = 3
"""A parent with more long edges than this sends them down one shared lane."""

WORK = 30_000
"""Segments looked at while ordering; more restarts for small graphs, fewer sweeps for large."""


@dataclass(frozen=True)
class Layered:
    """Nodes and bends in rows; every segment joins neighbouring rows.

    Items 0 to n - 1 are nodes, the others bends: places where a long edge passes a row.
    ``routes[e]`` are the items edge e runs through, both ends included.
    """

    rows: list[list[int]]
    up: list[list[int]]
    down: list[list[int]]
    routes: list[list[int]]


def assign_rows(count: int, edges: Pairs, capacity: int) -> list[int]:
    """Row of each node: every edge points down, edges are short, no row is overfull.

    Edge length is minimised as a linear program; a row with more than ``capacity`` nodes is then
    broken into several. The nodes must be connected.
    """
    up: list[list[int]] = [[] for _ in range(count)]
    down: list[list[int]] = [[] for _ in range(count)]
    for parent, child in edges:
        up[child].append(parent)
        down[parent].append(child)
    if count == 1:
        return [0]
    row = settle(count, [(p, c, 1, 1) for p, c in edges])
    _level(row, up, down, math.inf)
    row = _break_rows(row, up, down, capacity)
    _level(row, up, down, capacity)
    kept = {r: i for i, r in enumerate(sorted(set(row)))}  # a row may have emptied
    return [kept[r] for r in row]


def _level(row: list[int], up: list[list[int]], down: list[list[int]], capacity: float) -> None:
    """Move single nodes where their edges are shortest, among equals to the emptiest row."""
    filled = Counter(row)
    last = max(row)
    for node, own in enumerate(row):
        low = max((row[p] for p in up[node]), default=-1) + 1
        high = min((row[c] for c in down[node]), default=last + 1)
        pull = len(up[node]) - len(down[node])
        free = [r for r in range(low, high) if filled[r] < capacity or r == own]
        filled[own] -= 1
        row[node] = min(free, key=lambda r: (pull * r, filled[r], r))
        filled[row[node]] += 1


def _break_rows(
    row: list[int], up: list[list[int]], down: list[list[int]], capacity: int
) -> list[int]:
    """Rows renumbered so that none holds more than ``capacity`` nodes.

    Of an overfull row, nodes with more parents stay close to them above, nodes with more
    children go below.
    """
    members: list[list[int]] = [[] for _ in range(max(row) + 1)]
    for node, r in enumerate(row):
        members[r].append(node)
    renumbered = [0] * len(row)
    base = 0
    for group in members:
        group.sort(key=lambda v: (len(down[v]) - len(up[v]), v))
        parts = -(-len(group) // capacity)
        size = -(-len(group) // parts)
        for i, node in enumerate(group):
            renumbered[node] = base + i // size
        base += parts
    return renumbered


def build_ladder(row: Sequence[int], edges: Pairs, *, share: int = LONG_EDGES) -> Layered:
    """Cut long edges at every row they pass.

    A parent with more than ``share`` long edges sends them down one lane, and a child with more
    collects them in one.
    """
    rows: list[list[int]] = [[] for _ in range(max(row) + 1)]
    for node, r in enumerate(row):
        rows[r].append(node)
    far = [(parent, child) for parent, child in edges if row[child] - row[parent] > 1]
    leaving = Counter(parent for parent, _ in far)
    entering = Counter(child for parent, child in far if leaving[parent] <= share)
    lanes: dict[tuple[int, bool], dict[int, int]] = {}
    total = len(row)
    routes = []
    for parent, child in edges:
        lane: dict[int, int] = {}  # row -> bend
        if leaving[parent] > share:
            lane = lanes.setdefault((parent, True), lane)
        elif entering[child] > share:
            lane = lanes.setdefault((child, False), lane)
        passed = range(row[parent] + 1, row[child])
        for r in passed:
            if r not in lane:
                rows[r].append(total)
                lane[r] = total
                total += 1
        routes.append([parent, *(lane[r] for r in passed), child])
    up: list[list[int]] = [[] for _ in range(total)]
    down: list[list[int]] = [[] for _ in range(total)]
    for above, below in dict.fromkeys(step for route in routes for step in pairwise(route)):
        down[above].append(below)
        up[below].append(above)
    return Layered(rows, up, [_bends_amid(items, len(row)) for items in down], routes)


def _bends_amid(items: list[int], count: int) -> list[int]:
    """Nodes with the bends between them: a lane amid its branches keeps the drawing narrow."""
    nodes = [item for item in items if item < count]
    bends = [item for item in items if item >= count]
    half = len(nodes) // 2
    return [*nodes[:half], *bends, *nodes[half:]]


def order_rows(ladder: Layered) -> list[list[int]]:
    """Rows in an order with few crossings: barycentre sweeps, swaps, seeded restarts."""
    segments = sum(map(len, ladder.down)) or 1
    tries = max(1, min(12, WORK // (40 * segments)))
    sweeps = max(4, min(12, WORK // (tries * segments)))
    shuffle = random.Random(0)
    best, fewest = ladder.rows, crossings(ladder, ladder.rows)
    for attempt in range(tries):
        rows = _first_order(ladder)
        if attempt:
            for row in rows:
                shuffle.shuffle(row)
        for sweep in range(sweeps):
            _sweep(ladder, rows, downwards=sweep % 2 == 0)
            _swap_neighbours(ladder, rows)
            crossed = crossings(ladder, rows)
            if crossed < fewest:
                best, fewest = [list(row) for row in rows], crossed
            if fewest == 0:
                return best
    return best


def crossings(ladder: Layered, rows: Sequence[Sequence[int]]) -> int:
    """Number of pairs of segments that cross."""
    total = 0
    for above, below in pairwise(rows):
        place = {item: i for i, item in enumerate(below)}
        seen: list[int] = []
        for item in above:
            ends = sorted(place[b] for b in ladder.down[item])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _first_order(ladder: Layered) -> list[list[int]]:
    """Each row in the order of a walk down from the first node: relatives stay together."""
    where = {item: r for r, row in enumerate(ladder.rows) for item in row}
    rows: list[list[int]] = [[] for _ in ladder.rows]
    seen: set[int] = set()
    stack = [item for row in reversed(ladder.rows) for item in reversed(row)]
    while stack:
        item = stack.pop()
        if item not in seen:
            seen.add(item)
            rows[where[item]].append(item)
            stack.extend(reversed(ladder.down[item]))
    return rows


def _sweep(ladder: Layered, rows: list[list[int]], *, downwards: bool) -> None:
    """Sort each row by the mean place of the neighbours in the row before it."""
    last = len(rows) - 1
    for r in range(1, last + 1) if downwards else range(last - 1, -1, -1):
        place = {item: i for i, item in enumerate(rows[r - 1 if downwards else r + 1])}
        near = ladder.up if downwards else ladder.down
        mean = {}
        for i, item in enumerate(rows[r]):
            ends = near[item]
            mean[item] = sum(place[e] for e in ends) / len(ends) if ends else i
        rows[r].sort(key=mean.__getitem__)


def _swap_neighbours(ladder: Layered, rows: list[list[int]], passes: int = 4) -> None:
    """Exchange neighbours in a row as long as that removes crossings."""
    place = {item: i for row in rows for i, item in enumerate(row)}
    for _ in range(passes):
        improved = False
        for row in rows:
            for i in range(len(row) - 1):
                a, b = row[i], row[i + 1]
                if _gain(ladder.up, place, a, b) + _gain(ladder.down, place, a, b) > 0:
                    row[i], row[i + 1] = b, a
                    place[a], place[b] = i + 1, i
                    improved = True
        if not improved:
            return


def _gain(near: list[list[int]], place: dict[int, int], a: int, b: int) -> int:
    """Crossings saved on one side when b goes before a."""
    return sum((place[x] > place[y]) - (place[x] < place[y]) for x in near[a] for y in near[b])


SPACE = 12
"""Least room between two boxes, and between two bends."""

BESIDE = 11
"""Least room between a box and a bend."""

WALL = 16
"""What a pixel of width beyond the target costs, in pixels of travel."""


def place_columns(
    ladder: Layered, rows: list[list[int]], nodes: int, width: int, target: float
) -> list[float]:
    """Centre of each item, minimising weighted sideways travel under least distances.

    The first ``nodes`` items are boxes of one width, the others bends. Weights 1 between nodes, 2
    at a bend, 8 between bends: long edges run straight. Two walls stand ``target`` apart; pushing
    them further costs more than most detours.
    Source: Gansner, Koutsofios, North and Vo 1993, section 4.2.
    """
    apart, weights = (SPACE, width // 2 + BESIDE, width + SPACE), (8, 2, 1)
    half = [round(width / 2) if item < nodes else 0 for item in range(len(ladder.up))]
    arcs = [(a, b, apart[(a < nodes) + (b < nodes)], 0) for row in rows for a, b in pairwise(row)]
    count = len(ladder.up)
    for above, lower in enumerate(ladder.down):
        for below in lower:
            weight = weights[(above < nodes) + (below < nodes)]
            arcs += [(count, above, 0, weight), (count, below, 0, weight)]
            count += 1
    left, right = count, count + 1
    arcs.append((left, right, round(target), WALL))
    arcs += [(left, row[0], half[row[0]], 0) for row in rows]
    arcs += [(row[-1], right, half[row[-1]], 0) for row in rows]
    return [float(place) for place in settle(count + 2, arcs)[: len(ladder.up)]]
