"""Which tables to measure: families merged while the predicted cost falls.

A table t that serves families i of d_i cells costs a_t = Σ_i d_i sqrt(m_ti), because each cell of
family i is a sum over m_ti cells of the table. Summed plainly, m is the product of the states of
the variables summed out. Filtered sums count cells by their share of the records: with a flat
prior over how a variable's r states share them, Σ p² is 2 / (r + 1) on average, so m counts
(r + 1) / 2 for each variable. Budgets ∝ a_t^p make the whole cost a power of Σ_t a_t^p, with
p = 1/2 for Laplace noise (sd ∝ 1 / ε_t) and p = 2/3 for Gaussian noise (sd ∝ 1 / sqrt(rho_t)).
Everything here is a function of the public graph and the numbers of states.
"""

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
    """Whether sums over cells are filtered, and the power by which budgets follow costs."""

    filtered: bool = False
    power: float = 0.5

    def states(self, sizes: Array) -> Array:
        """What a variable that is summed out counts for."""
        return (sizes + 1) / 2 if self.filtered else sizes


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
        serving = {i: t for t, served in enumerate(self.serves) for i in served}
        return tuple(serving[i] for i in range(families))


class _Greedy:
    """Tables to be merged; for each the best partner is kept up to date, not every pair."""

    def __init__(
        self, tables: Sequence[frozenset[int]], sizes: Array, weights: Array, costing: Costing
    ) -> None:
        self.tables, self.weights, self.power = list(tables), weights, costing.power
        # what a variable adds to a table: cells, and cells that count
        self.logs = np.stack([np.log(sizes), np.log(costing.states(sizes))])
        self.alive = np.ones(len(tables), dtype=bool)
        self.cells = np.stack([self._cells(t) for t in tables], axis=1)
        self.holders: list[set[int]] = [set() for _ in sizes]
        for number, table in enumerate(tables):
            for variable in table:
                self.holders[variable].add(number)
        self.gain = np.full(len(tables), -np.inf)
        self.partner = np.zeros(len(tables), dtype=np.intp)
        for number in range(len(tables)):
            self._look(number)

    def _cells(self, table: frozenset[int]) -> Array:
        """Logarithms of a table's cells, and of those that count."""
        return np.asarray(self.logs[:, sorted(table)].sum(axis=1))

    def _gains(self, table: int) -> Array:
        """Fall of Σ a^p when ``table`` is merged with each other one."""
        union = self.cells + self.cells[:, table : table + 1]
        for variable in sorted(self.tables[table]):
            union[:, sorted(self.holders[variable])] -= self.logs[:, variable : variable + 1]
        roots = (self.weights * np.exp(self.cells[1] / 2)) ** self.power
        merged = ((self.weights + self.weights[table]) * np.exp(union[1] / 2)) ** self.power
        allowed = self.alive & (union[0] <= np.log(MERGED_CELLS) + 1e-9)
        allowed[table] = False
        # rounding makes equal gains equal on every machine: the first pair is taken
        gain = np.round(roots + roots[table] - merged, 9)
        return np.where(allowed, gain, -np.inf)

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
        self.cells[:, first] = self._cells(self.tables[first])
        self.alive[second] = False
        self.gain[second] = -np.inf
        for table in np.flatnonzero(self.alive & np.isin(self.partner, (first, second))).tolist():
            self._look(table)  # the partner changed or is gone
        self._look(first)
        gains = self._gains(first)
        better = gains > self.gain
        self.gain[better] = gains[better]
        self.partner[better] = first


def graph_ranks(network: Network) -> list[int]:
    """A number for each variable that does not depend on the order of variables.

    Variables that differ in states, parents or children (and theirs, and so on) get different
    numbers, so that ties between tables are broken in the same way in every order.
    """
    tabled = len(network.families)
    ranks = [2 * v.cardinality + (i >= tabled) for i, v in enumerate(network.variables)]
    while True:
        keys = [
            (ranks[i], *(tuple(sorted(ranks[j] for j in js)) for js in (parents, children)))
            for i, (parents, children) in enumerate(
                zip(network.parent_indices, network.children, strict=True)
            )
        ]
        places = {key: k for k, key in enumerate(sorted(keys))}
        finer = [places[key] for key in keys]
        if len(set(finer)) == len(set(ranks)):
            return finer
        ranks = finer


def merge_families(network: Network, importance: Array, costing: Costing = SUMS) -> MergePlan:
    """The tables to measure: maximal families, merged greedily.

    ``importance`` multiplies what each family adds to the cost of its table.
    """
    families = [frozenset(scope) for scope in network.scopes]
    sizes = np.array([v.cardinality for v in network.variables], dtype=np.float64)
    cells = {f: float(np.prod(sizes[list(f)])) for f in families}
    rank = graph_ranks(network)
    maximal = sorted(
        {f for f in families if not any(f < other for other in families)},
        key=lambda f: (sorted(rank[v] for v in f), sorted(f)),
    )
    served: list[list[int]] = [[] for _ in maximal]
    for i, family in enumerate(families):
        holders = [t for t, table in enumerate(maximal) if family <= table]
        served[min(holders, key=lambda t: (cells[maximal[t]], t))].append(i)
    each = importance.tolist()
    states = costing.states(sizes)
    own = [
        w * cells[f] / float(np.prod(states[list(f)])) ** 0.5
        for w, f in zip(each, families, strict=True)
    ]
    weights = np.array([sum(own[i] for i in s) for s in served])
    greedy = _Greedy(maximal, sizes, weights, costing)
    while (pair := greedy.best()) is not None:
        greedy.merge(*pair)
        served[pair[0]] += served[pair[1]]
    kept = np.flatnonzero(greedy.alive).tolist()
    return MergePlan(
        tuple(tuple(sorted(greedy.tables[t])) for t in kept),
        tuple(tuple(sorted(served[t])) for t in kept),
        tuple(float(greedy.weights[t] * np.exp(greedy.cells[1, t] / 2)) for t in kept),
        costing,
    )
