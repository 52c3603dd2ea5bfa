"""Learning a structure from pairwise tables, and which edges cost most risk for least fit.

Appendix I.1 of Murakonda et al. 2021. The score is read as Hall's correlation-based feature
selection: the sum in the root runs over ordered pairs of different parents and |Pa| is its
diagonal. (Unordered, the penalty would nearly halve.)
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.membership.decomposition import removal_savings
from core.network import Network
from core.table import CELL_LIMIT, Array, Table, Variable, cells

PARENT_LIMIT = 3


def correlations(variables: tuple[Variable, ...], counts: CountSource) -> Array:
    """2 - 2 H(X, Y) / (H(X) + H(Y)) of every pair: 0 independent, 1 each decides the other."""
    pairs = list(itertools.combinations(range(len(variables)), 2))
    tables = counts.counts([(variables[i], variables[j]) for i, j in pairs])
    strength = np.zeros((len(variables), len(variables)))
    for (i, j), table in zip(pairs, tables, strict=True):
        both = _entropy(table.values)
        apart = _entropy(table.values.sum(axis=1)) + _entropy(table.values.sum(axis=0))
        # a variable that never varies tells nothing
        strength[i, j] = strength[j, i] = 2 - 2 * both / apart if apart > 0 else 0.0
    return np.maximum(strength, 0.0)


def _entropy(counts: Array) -> float:
    """Entropy of the shares of a table, in nats."""
    total = counts.sum()
    shares = counts[counts > 0] / max(total, 1)
    return float(-(shares * np.log(shares)).sum())


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
    search = _Search(variables, correlations(variables, counts), parents)
    while search.step():
        pass
    return Network(variables, tuple(tuple(variables[j].name for j in p) for p in search.chosen))


class _Search:
    """The gains of all edges still possible, kept up to date child by child."""

    def __init__(self, variables: tuple[Variable, ...], related: Array, parents: int) -> None:
        size = len(variables)
        self.variables, self.related, self.parents = variables, related, parents
        self.chosen: list[list[int]] = [[] for _ in range(size)]
        self.reaches = np.eye(size, dtype=bool)
        self.scores = np.zeros(size)
        self.gains = np.stack([self._gains(child) for child in range(size)])

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
        possible = np.where(self.reaches, -np.inf, self.gains)  # no edge into an ancestor
        child, parent = divmod(int(np.argmax(possible)), len(self.variables))
        if possible[child, parent] <= 0:
            return False
        self.chosen[child].append(parent)
        self.scores[child] += self.gains[child, parent]
        self.reaches |= np.outer(self.reaches[:, parent], self.reaches[child])
        self.gains[child] = self._gains(child)
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
