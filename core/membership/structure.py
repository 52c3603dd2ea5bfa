"""Learning a structure from pairwise tables, and which edges cost most risk for least fit.

Appendix I.1 of Murakonda et al. 2021. The score is read as Hall's correlation-based feature
selection: the sum in the root runs over ordered pairs of different parents and |Pa| is its
diagonal. (Unordered, the penalty would nearly halve.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.errors import EquipoiseError
from core.membership.bound import removal_savings
from core.network import Network
from core.table import CELL_LIMIT, Array, Table, Variable, cells

PARENT_LIMIT = 3


BLOCK_CELLS = 64
"""Cells of a block of variables: a table over two blocks holds all their pairs."""


def correlations(variables: tuple[Variable, ...], counts: CountSource) -> Array:
    """2 - 2 H(X, Y) / (H(X) + H(Y)) of every pair: 0 independent, 1 each decides the other."""
    sizes = np.array([v.cardinality for v in variables])
    starts = np.cumsum(sizes) - sizes
    together = _together(variables, counts)
    total = max(float(together[: sizes[0], : sizes[0]].sum()), 1.0)
    both = _entropies(together, starts, total)
    alone = np.diagonal(both)
    apart = alone[:, None] + alone
    # a variable that never varies tells nothing
    strength = np.where(apart > 0, 2 - 2 * both / np.where(apart > 0, apart, 1.0), 0.0)
    np.fill_diagonal(strength, 0.0)
    return np.maximum(strength, 0.0)


def _together(variables: tuple[Variable, ...], counts: CountSource) -> Array:
    """How many records have each two states, of one variable or of two: (states, states).

    Counted in tables over two blocks of variables: a thousand variables have half a million pairs,
    and asking for each would take longer than counting.
    """
    blocks = _blocks(variables)
    sides = [_sides(block) for block in blocks]
    ends = np.cumsum([0, *(side.shape[1] for side in sides)])
    matrix = np.zeros((ends[-1], ends[-1]))
    for i, first in enumerate(blocks):
        rest = range(i + 1, len(blocks))
        asked = [first, *((*first, *blocks[j]) for j in rest)]
        alone, *crossed = counts.counts(asked)
        rows = slice(ends[i], ends[i + 1])
        matrix[rows, rows] = sides[i].T @ (sides[i] * alone.values.reshape(-1, 1))
        for j, table in zip(rest, crossed, strict=True):
            joint = table.values.reshape(len(sides[i]), len(sides[j]))
            columns = slice(ends[j], ends[j + 1])
            matrix[rows, columns] = sides[i].T @ joint @ sides[j]
            matrix[columns, rows] = matrix[rows, columns].T
    return matrix


def _blocks(variables: tuple[Variable, ...]) -> list[tuple[Variable, ...]]:
    """Neighbouring variables whose joint table has few cells; a large one stands alone."""
    blocks: list[tuple[Variable, ...]] = []
    for variable in variables:
        if blocks and cells((*blocks[-1], variable)) <= BLOCK_CELLS:
            blocks[-1] += (variable,)
        else:
            blocks.append((variable,))
    return blocks


def _sides(block: tuple[Variable, ...]) -> Array:
    """Which states each cell of a block's table has: (cells, states)."""
    places = np.indices([v.cardinality for v in block]).reshape(len(block), -1)
    each = [own[:, None] == np.arange(v.cardinality) for own, v in zip(places, block, strict=True)]
    return np.concatenate(each, axis=1).astype(np.float64)


def _entropies(together: Array, starts: NDArray[np.intp], total: float) -> Array:
    """Joint entropy of every two variables in nats; with itself a variable's own."""
    shares = together / total
    terms = -shares * np.log(np.where(shares > 0, shares, 1.0))
    sums = np.add.reduceat(np.add.reduceat(terms, starts, axis=0), starts, axis=1)
    return np.asarray(np.triu(sums) + np.triu(sums, 1).T)  # equal both ways, to the last digit


def learn(variables: tuple[Variable, ...], counts: CountSource, parents: int) -> Network:
    """The greedy structure with at most ``parents`` parents for each variable.

    The edge that raises its child's score most is added until none does; no cycles, no family
    beyond the cell limit. Reads pairwise counts: private, and part of a release if published.
    """
    if not 0 <= parents <= PARENT_LIMIT:
        raise EquipoiseError(
            f"the number of parents is {parents}; it must lie between 0 and {PARENT_LIMIT}"
        )
    if parents == 0:
        return Network(variables, ((),) * len(variables))
    return greedy(variables, correlations(variables, counts), parents)


def greedy(variables: tuple[Variable, ...], related: Array, parents: int) -> Network:
    """The same from correlations that are known already."""
    search = _Search(variables, related, parents)
    while search.step():
        pass
    return Network(variables, tuple(tuple(variables[j].name for j in p) for p in search.chosen))


class _Search:
    """The gains of all edges still possible and each child's best, kept up to date."""

    def __init__(self, variables: tuple[Variable, ...], related: Array, parents: int) -> None:
        size = len(variables)
        self.variables, self.related, self.parents = variables, related, parents
        self.chosen: list[list[int]] = [[] for _ in range(size)]
        self.reaches = np.eye(size, dtype=bool)
        self.scores = np.zeros(size)
        self.gains = np.stack([self._gains(child) for child in range(size)])
        self.best = self.gains.max(axis=1)

    def _gains(self, child: int) -> Array:
        """Rise of the child's score with each further parent. Source: Eq. 35."""
        chosen = self.chosen[child]
        pulled = self.related[child, chosen].sum() + self.related[child]
        among = self.related[np.ix_(chosen, chosen)].sum() - self.related[chosen, chosen].sum()
        spread = len(chosen) + 1 + among + 2 * self.related[:, chosen].sum(axis=1)
        gains = pulled / np.sqrt(spread) - self.scores[child]
        gains[[child, *chosen]] = -np.inf
        own = cells([self.variables[j] for j in (*chosen, child)])
        sizes = np.array([v.cardinality for v in self.variables])
        gains[own * sizes > CELL_LIMIT] = -np.inf
        # rounding makes equal gains equal on every machine: the first pair is taken
        return np.round(gains, 12) if len(chosen) < self.parents else np.full_like(gains, -np.inf)

    def step(self) -> bool:
        """Add the best edge; whether there was one."""
        child = int(np.argmax(self.best))
        parent = int(np.argmax(self.gains[child]))
        if self.best[child] <= 0:
            return False
        self.chosen[child].append(parent)
        self.scores[child] += self.gains[child, parent]
        self.gains[child] = self._gains(child)
        changed = self.reaches[:, parent].copy()
        self.reaches[changed] |= self.reaches[child]
        changed[child] = True
        # no edge into an ancestor
        self.gains[changed] = np.where(self.reaches[changed], -np.inf, self.gains[changed])
        self.best[changed] = self.gains[changed].max(axis=1)
        return True


@dataclass(frozen=True)
class EdgePrice:
    """What removing an edge saves and loses."""

    parent: str
    child: str
    saves: int
    """Free parameters gone: the risk is proportional."""
    loses: float
    """Fall of the log-likelihood of all records, in nats."""

    @property
    def by_chance(self) -> bool:
        """Whether chance alone would explain the fit: it gains half a nat for each parameter."""
        return self.loses <= self.saves

    @property
    def bargain(self) -> float:
        """Parameters saved for each nat of fit lost."""
        return self.saves / max(self.loses, 1e-9)


def edge_prices(network: Network, counts: CountSource) -> tuple[EdgePrice, ...]:
    """Every edge, most parameters saved per nat of fit first. Computed from private counts."""
    tables = counts.counts(network.families)
    prices = []
    for edge in removal_savings(network):
        table = tables[network.position[edge.child]]
        rest = [n for n in table.names if n != edge.parent]
        lost = _fit(table) - _fit(table.marginal(rest))
        prices.append(EdgePrice(edge.parent, edge.child, edge.saves, max(lost, 0.0)))
    return tuple(sorted(prices, key=lambda e: (-e.bargain, e.parent, e.child)))


def _fit(table: Table) -> float:
    """Log-likelihood of the last variable given the others, in nats."""
    values = table.values
    rows = values.sum(axis=-1, keepdims=True)
    shares = np.divide(values, rows, out=np.ones_like(values), where=values > 0)
    return float((values * np.log(shares)).sum())
