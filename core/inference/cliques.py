"""Elimination orders, the cliques they make, joined to a tree, and whether they fit in memory.

Graphs are lists of bit masks: bit u of ``graph[v]`` says that u and v are joined. Two heuristics
are tried (least weight, least fill) and the cheaper order is kept; ties go to the smaller index,
so the same graph always gives the same order.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from core.errors import EquipoiseError
from core.table import CELL_LIMIT, Variable

HOPELESS = 64 * math.log(2)
"""Log cells of a clique beyond which the slower heuristic is not tried: it will not save us."""


class Elimination(NamedTuple):
    """Variables in order of elimination, each with the mask of its neighbours at that moment."""

    order: tuple[int, ...]
    neighbours: tuple[int, ...]

    @property
    def width(self) -> int:
        """Variables in the largest clique, less one."""
        return max((mask.bit_count() for mask in self.neighbours), default=0)


def members(mask: int) -> Iterator[int]:
    """Positions of the set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(positions: Iterable[int]) -> int:
    """The mask with these bits set."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def moral_graph(scopes: Iterable[Iterable[int]], size: int) -> list[int]:
    """The graph that joins all variables of each scope."""
    graph = [0] * size
    for scope in scopes:
        mask = mask_of(scope)
        for v in members(mask):
            graph[v] |= mask & ~(1 << v)
    return graph


def lightest(graph: Sequence[int], cardinalities: Sequence[int]) -> Elimination:
    """The order of the first heuristic alone: a fifth of the work, and often as cheap."""
    return _least_weight(list(graph), [math.log(c) for c in cardinalities])


def triangulate(graph: Sequence[int], cardinalities: Sequence[int]) -> Elimination:
    """The cheaper of the two heuristics' orders, by the total number of cells."""
    logs = [math.log(c) for c in cardinalities]

    def weight(v: int, mask: int) -> float:
        return logs[v] + math.fsum(logs[u] for u in members(mask))

    light = _least_weight(list(graph), logs)
    weights = [weight(v, mask) for v, mask in zip(light.order, light.neighbours, strict=True)]
    if max(weights, default=0.0) > HOPELESS:
        return light
    full = _least_fill(list(graph), weight)
    others = [weight(v, mask) for v, mask in zip(full.order, full.neighbours, strict=True)]
    return full if _total(others) <= _total(weights) else light


def _total(log_cells: Iterable[float]) -> float:
    return math.fsum(map(math.exp, log_cells))


def _least_weight(graph: list[int], logs: Sequence[float]) -> Elimination:
    """Eliminates the variable whose clique has the fewest cells."""
    weight = [logs[v] + math.fsum(logs[u] for u in members(graph[v])) for v in range(len(graph))]

    def changed(v: int, added: dict[int, int]) -> Iterator[int]:
        for u in members(graph[v]):  # kept up to date, because cliques may be large here
            weight[u] += math.fsum(logs[w] for w in members(added.get(u, 0))) - logs[v]
            yield u

    return _eliminate(graph, lambda v: (round(weight[v], 9),), changed)


def _least_fill(graph: list[int], weight: Callable[[int, int], float]) -> Elimination:
    """Eliminates the variable that needs the fewest new edges, of these the lightest."""

    def score(v: int) -> tuple[float, ...]:
        missing = sum((graph[v] & ~graph[u]).bit_count() - 1 for u in members(graph[v]))
        return missing, round(weight(v, graph[v]), 9)

    def changed(v: int, added: dict[int, int]) -> Iterator[int]:
        touched = graph[v]
        for u in added:
            touched |= graph[u]
        return members(touched)

    return _eliminate(graph, score, changed)


def _eliminate(
    graph: list[int],
    score: Callable[[int], tuple[float, ...]],
    changed: Callable[[int, dict[int, int]], Iterator[int]],
) -> Elimination:
    """Removes the vertex of least score, joins its neighbours, and so on; ``graph`` is used up.

    ``changed(v, added)`` gives the vertices to be scored again after v left and each u in
    ``added`` got the new neighbours ``added[u]``.
    """
    scores = {v: score(v) for v in range(len(graph))}
    heap = [(scores[v], v) for v in scores]
    heapq.heapify(heap)
    order, masks = [], []
    while scores:
        key, v = heapq.heappop(heap)
        if scores.get(v) != key:  # an outdated entry
            continue
        del scores[v]
        order.append(v)
        masks.append(graph[v])
        added = {}
        for u in members(graph[v]):
            new = graph[v] & ~graph[u] & ~(1 << u)
            if new:
                added[u] = new
            graph[u] = (graph[u] | new) & ~(1 << v)
        for u in changed(v, added):
            scores[u] = score(u)
            heapq.heappush(heap, (scores[u], u))
    return Elimination(tuple(order), tuple(masks))


TOTAL_LIMIT = 2**24
"""Most cells all cliques may have together (128 MiB of float64 for one replicate)."""


class Forest(NamedTuple):
    """Maximal cliques as masks, each with a parent (itself for the first); homes of variables.

    Shared variables stay together: a variable's cliques are connected. A component of its own
    hangs on the first clique and shares nothing with it. There is at least one clique.
    """

    masks: tuple[int, ...]
    parents: tuple[int, ...]
    home: dict[int, int]

    def cells(self, sizes: Sequence[int]) -> int:
        """Cells of all cliques together."""
        return sum(clique_cells(sizes, mask) for mask in self.masks)


def clique_cells(sizes: Sequence[int], mask: int) -> int:
    """Cells of one clique."""
    return math.prod(sizes[v] for v in members(mask))


def forest_of(sizes: Sequence[int], sets: Sequence[Sequence[int]]) -> Forest:
    """The cliques of the junction tree over tables of these variables: before anything is made."""
    return maximal_cliques(triangulate(moral_graph(sets, len(sizes)), sizes))


def maximal_cliques(elimination: Elimination) -> Forest:
    """The maximal cliques of an elimination; a variable's home held it when it was eliminated."""
    rank = {v: place for place, v in enumerate(elimination.order)}
    masks: list[int] = []
    parents: list[int] = []
    home: dict[int, int] = {}
    steps = list(zip(elimination.order, elimination.neighbours, strict=True))
    for v, mask in reversed(steps):
        above = home[min(members(mask), key=rank.__getitem__)] if mask else 0
        if mask and masks[above] == mask:
            masks[above] |= 1 << v
            home[v] = above
        else:
            home[v] = len(masks)
            masks.append(mask | 1 << v)
            parents.append(above)
    return Forest(tuple(masks) or (0,), tuple(parents) or (0,), home)


def check_sizes(variables: Sequence[Variable], cliques: Sequence[frozenset[int]]) -> None:
    """Refuse cliques that are too large, one by one or together."""
    sizes = [math.prod(variables[v].cardinality for v in c) for c in cliques]
    largest = max(range(len(cliques)), key=sizes.__getitem__)
    if sizes[largest] > CELL_LIMIT:
        excess = f"{spelled(sizes[largest])} cells; at most {CELL_LIMIT:,} are allowed"
    elif sum(sizes) > TOTAL_LIMIT:
        excess = (
            f"{sizes[largest]:,} cells, and {sum(sizes):,} cells in all; at most "
            f"{TOTAL_LIMIT:,} are allowed in all"
        )
    else:
        return
    names = [variables[v].name for v in sorted(cliques[largest])]
    listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    raise EquipoiseError(
        f"exact inference needs a table over {listed} with {excess}, so remove edges between "
        "these variables, merge their states, or ask about fewer variables"
    )


def spelled(cells: int) -> str:
    """A number of cells that a person can read."""
    return f"{cells:,}" if cells < 10**12 else f"about 10^{int(math.log10(cells))}"
