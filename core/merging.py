"""Which tables to measure: families merged while the predicted cost falls.

A table t of d_t cells that serves families i of d_i cells costs a_t = Σ_i sqrt(d_i · d_t); with
budgets ε_t ∝ sqrt(a_t) the whole costs (Σ_t sqrt(a_t))². Everything here is a function of the
public graph and the numbers of states.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.network import Network
from core.table import Array

MERGED_CELLS = 2**12
"""Most cells of a table that merging makes; a family larger than this is left alone."""


@dataclass(frozen=True)
class MergePlan:
    """Tables as tuples of variable indices, the family each serves, and the cost of each."""

    tables: tuple[tuple[int, ...], ...]
    serves: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]

    @property
    def shares(self) -> Array:
        """Part of the budget of each table: proportional to the root of its cost."""
        roots = np.sqrt(self.costs)
        return np.asarray(roots / roots.sum())

    def table_of(self, families: int) -> tuple[int, ...]:
        """Number of the table that serves each family."""
        found = {i: t for t, served in enumerate(self.serves) for i in served}
        return tuple(found[i] for i in range(families))


class _Greedy:
    """Tables as rows of a membership matrix; the gain of every pair is kept up to date."""

    def __init__(self, members: Array, log_sizes: Array, weights: Array) -> None:
        self.members, self.log_sizes, self.weights = members, log_sizes, weights
        self.alive = np.ones(len(members), dtype=bool)
        self.log_cells = members @ log_sizes
        self.gain = np.stack([self._gains(t) for t in range(len(members))])

    def _gains(self, table: int) -> Array:
        """Fall of Σ sqrt(a) when ``table`` is merged with each other one."""
        union = (
            self.log_cells[table]
            + self.log_cells
            - self.members @ (self.members[table] * self.log_sizes)
        )
        roots = np.sqrt(self.weights) * np.exp(self.log_cells / 4)
        merged = np.sqrt(self.weights + self.weights[table]) * np.exp(union / 4)
        gain = roots + roots[table] - merged
        allowed = self.alive & (union <= np.log(MERGED_CELLS) + 1e-9)
        allowed[table] = False
        # rounding makes equal gains equal on every machine: the first pair is taken
        return np.where(allowed, np.round(gain, 9), -np.inf)

    def best(self) -> tuple[int, int] | None:
        """The pair whose merger gains most, or none that gains."""
        first, second = divmod(int(np.argmax(self.gain)), len(self.gain))
        return (first, second) if self.gain[first, second] > 0 else None

    def merge(self, first: int, second: int) -> None:
        """Put ``second`` into ``first``."""
        self.members[first] = np.maximum(self.members[first], self.members[second])
        self.weights[first] += self.weights[second]
        self.log_cells[first] = self.members[first] @ self.log_sizes
        self.alive[second] = False
        self.gain[second, :] = self.gain[:, second] = -np.inf
        self.gain[first, :] = self.gain[:, first] = self._gains(first)


def merge_families(network: Network) -> MergePlan:
    """The tables to measure: maximal families, merged greedily."""
    families = [frozenset((*p, i)) for i, p in enumerate(network.parent_indices)]
    sizes = np.array([v.cardinality for v in network.variables], dtype=np.float64)
    cells = {f: float(np.prod(sizes[list(f)])) for f in families}
    maximal = sorted({f for f in families if not any(f < other for other in families)}, key=sorted)
    served: list[list[int]] = [[] for _ in maximal]
    for i, family in enumerate(families):
        holders = [t for t, table in enumerate(maximal) if family <= table]
        served[min(holders, key=lambda t: (cells[maximal[t]], t))].append(i)
    weights = np.array([sum(cells[families[i]] ** 0.5 for i in s) for s in served])
    members = np.zeros((len(maximal), len(sizes)))
    for t, table in enumerate(maximal):
        members[t, sorted(table)] = 1
    greedy = _Greedy(members, np.log(sizes), weights)
    while (pair := greedy.best()) is not None:
        greedy.merge(*pair)
        served[pair[0]] += served[pair[1]]
    kept = np.flatnonzero(greedy.alive).tolist()
    return MergePlan(
        tuple(tuple(np.flatnonzero(greedy.members[t]).tolist()) for t in kept),
        tuple(tuple(sorted(served[t])) for t in kept),
        tuple(float(greedy.weights[t] * np.exp(greedy.log_cells[t] / 2)) for t in kept),
    )
