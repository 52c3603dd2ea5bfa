"""Which tables to measure: families merged while the predicted cost falls.

A table t of d_t cells that serves families i of d_i cells costs a_t = Σ_i d_i (d_t / d_i)^(q/2):
each cell of family i is a sum of d_t / d_i noisy cells. Budgets ∝ a_t^p then make the whole cost
a power of Σ_t a_t^p, with p = 1/2 for Laplace noise (sd ∝ 1 / ε_t) and p = 2/3 for Gaussian noise
(sd ∝ 1 / sqrt(rho_t)). Everything here is a function of the public graph and the numbers of
states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.network import Network
from core.options import lifted
from core.table import Array

MERGED_CELLS = 2**12
"""Most cells of a table that merging makes; a family larger than this is left alone."""


@dataclass(frozen=True)
class Costing:
    """``spread`` is q: 1 where cells are summed plainly, less where sums are filtered.

    ``power`` is p, by which budgets follow costs.
    """

    spread: float = 1.0
    power: float = 0.5


SUMS = Costing()


@dataclass(frozen=True)
class MergePlan:
    """Tables as tuples of variable indices, the family each serves, and the cost of each."""

    tables: tuple[tuple[int, ...], ...]
    serves: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]
    costing: Costing = SUMS

    def shares(self, floors: Array) -> Array:
        """Part of the budget of each table: proportional to a power of its cost.

        ``floors`` are smallest shares by family; a table takes the largest of those it serves.
        """
        least = np.array([floors[list(served)].max() for served in self.serves])
        roots = lifted(np.array(self.costs) ** self.costing.power, least)
        return np.asarray(roots / roots.sum())

    def table_of(self, families: int) -> tuple[int, ...]:
        """Number of the table that serves each family."""
        found = {i: t for t, served in enumerate(self.serves) for i in served}
        return tuple(found[i] for i in range(families))


class _Greedy:
    """Tables to be merged; for each the best partner is kept up to date, not every pair."""

    def __init__(
        self, tables: Sequence[frozenset[int]], sizes: Array, weights: Array, costing: Costing
    ) -> None:
        self.tables, self.log_sizes, self.weights = list(tables), np.log(sizes), weights
        self.costing = costing
        self.alive = np.ones(len(tables), dtype=bool)
        self.log_cells = np.array([self.log_sizes[sorted(t)].sum() for t in tables])
        self.holders: list[set[int]] = [set() for _ in sizes]
        for number, table in enumerate(tables):
            for variable in table:
                self.holders[variable].add(number)
        self.gain = np.full(len(tables), -np.inf)
        self.partner = np.zeros(len(tables), dtype=np.intp)
        for number in range(len(tables)):
            self._look(number)

    def _gains(self, table: int) -> Array:
        """Fall of Σ a^p when ``table`` is merged with each other one."""
        union = self.log_cells + self.log_cells[table]
        for variable in sorted(self.tables[table]):
            union[sorted(self.holders[variable])] -= self.log_sizes[variable]
        roots = self._power(self.weights, self.log_cells)
        merged = self._power(self.weights + self.weights[table], union)
        allowed = self.alive & (union <= np.log(MERGED_CELLS) + 1e-9)
        allowed[table] = False
        # rounding makes equal gains equal on every machine: the first pair is taken
        gain = np.round(roots + roots[table] - merged, 9)
        return np.where(allowed, gain, -np.inf)

    def _power(self, weights: Array, log_cells: Array) -> Array:
        """Costs a^p of tables that serve families of these weights."""
        half = self.costing.spread / 2 * log_cells
        return np.asarray(weights**self.costing.power * np.exp(self.costing.power * half))

    def _look(self, table: int) -> None:
        """Find the best partner of a table."""
        gains = self._gains(table)
        self.partner[table] = np.argmax(gains)
        self.gain[table] = gains[self.partner[table]]

    def best(self) -> tuple[int, int] | None:
        """The pair whose merger gains most, or none that gains."""
        first = int(np.argmax(self.gain))
        return (first, int(self.partner[first])) if self.gain[first] > 0 else None

    def merge(self, first: int, second: int) -> None:
        """Put ``second`` into ``first``."""
        for variable in self.tables[second]:
            self.holders[variable].discard(second)
            self.holders[variable].add(first)
        self.tables[first] |= self.tables[second]
        self.weights[first] += self.weights[second]
        self.log_cells[first] = self.log_sizes[sorted(self.tables[first])].sum()
        self.alive[second] = False
        self.gain[second] = -np.inf
        for table in np.flatnonzero(self.alive & np.isin(self.partner, (first, second))).tolist():
            self._look(table)  # the partner changed or is gone
        self._look(first)
        gains = self._gains(first)
        better = gains > self.gain
        self.gain[better] = gains[better]
        self.partner[better] = first


def merge_families(
    network: Network, importance: Array, costing: Costing = SUMS
) -> MergePlan:
    """The tables to measure: maximal families, merged greedily.

    ``importance`` multiplies what each family adds to the cost of its table.
    """
    families = [frozenset((*p, i)) for i, p in enumerate(network.parent_indices)]
    sizes = np.array([v.cardinality for v in network.variables], dtype=np.float64)
    cells = {f: float(np.prod(sizes[list(f)])) for f in families}
    maximal = sorted({f for f in families if not any(f < other for other in families)}, key=sorted)
    served: list[list[int]] = [[] for _ in maximal]
    for i, family in enumerate(families):
        holders = [t for t, table in enumerate(maximal) if family <= table]
        served[min(holders, key=lambda t: (cells[maximal[t]], t))].append(i)
    each = importance.tolist()
    own = [w * cells[f] ** (1 - costing.spread / 2) for w, f in zip(each, families, strict=True)]
    weights = np.array([sum(own[i] for i in s) for s in served])
    greedy = _Greedy(maximal, sizes, weights, costing)
    while (pair := greedy.best()) is not None:
        greedy.merge(*pair)
        served[pair[0]] += served[pair[1]]
    kept = np.flatnonzero(greedy.alive).tolist()
    return MergePlan(
        tuple(tuple(sorted(greedy.tables[t])) for t in kept),
        tuple(tuple(sorted(served[t])) for t in kept),
        tuple(
            float(greedy.weights[t] * np.exp(costing.spread / 2 * greedy.log_cells[t]))
            for t in kept
        ),
        costing,
    )
