"""Every family's table measured, and the best division of a Gaussian budget among them.

A table of d_t cells that gets the share c_t measures each effect A of its variables with precision
c_t d_A / d_t; tables that share an effect add theirs up to q_A. The squared error over the cells of
all families is then Σ v_A / q_A, v_A = Σ_{families F ⊇ A} w_F² d_F Π_{i∈A} (r_i - 1) / r_i ·
Π_{j∈F∖A} 1 / r_j², which is convex in the shares. w_F² is d_F^¼ times the square of what
a person asks for: rows of large tables have fewer records. ResidualPlanner (Xiao, He, Zhang, Kifer
2023) gives each effect its own noise, and the least error in closed form, (Σ sqrt(v_A p_A))² with
p_A = Π_{i∈A} (r_i - 1) / r_i. Family tables come within 3 to 11 % of it on the sample networks, and
stay histograms. Everything here is a function of the public graph and the numbers of states.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.estimation.effects import Index
from core.methods.merging import Costing, MergePlan
from core.network import Network
from core.table import Array

DIVIDED = Costing(power=1.0)
"""Costs of tables are their shares already."""

ROUNDS = 300
"""Rounds in which shares grow where they lower the error most."""

LARGER = 0.25
"""Power of a family's cells by which its squared error counts: more helps rows, less questions."""

LEAST = 1e-3
"""Tables with less than this part of an even share are not measured where another has them."""


@dataclass(frozen=True, eq=False)
class Workload:
    """Effects of some tables: which table has which, how precisely, and what each matters.

    Effects that one table alone has are one: their errors fall alike. ``effect`` and ``reach``
    belong to the pairs of a table and one of its effects, table after table from ``starts`` on.
    """

    effect: Index
    reach: Array
    """Precision of the effect for all of the budget."""
    starts: Index
    matters: Array
    """v_A of each effect."""

    def precisions(self, shares: Array) -> Array:
        """q_A for these shares of the tables."""
        each = np.repeat(shares, np.diff(self.starts, append=len(self.effect)))
        return np.asarray(np.bincount(self.effect, self.reach * each, len(self.matters)), float)

    def error(self, shares: Array) -> float:
        """Σ v_A / q_A."""
        return float((self.matters / self.precisions(shares)).sum())

    def best(self) -> Array:
        """Shares of least error.

        Multiplied by the square root of how much each lowers it, again and again: the error falls
        in every round. Source: Silvey, Titterington, Torsney 1978, for designs of experiments.
        """
        shares = np.full(len(self.starts), 1 / len(self.starts))
        for _ in range(ROUNDS):
            falls = (self.matters / self.precisions(shares) ** 2)[self.effect] * self.reach
            shares *= np.sqrt(np.add.reduceat(falls, self.starts))
            shares /= shares.sum()
        return shares


def workload(tables: Sequence[tuple[int, ...]], sizes: Sequence[int], weights: Array) -> Workload:
    """The effects of different tables that are measured, and wanted with such weights."""
    number: dict[tuple[int, ...], int] = {}
    pairs: list[tuple[int, float, float]] = []
    starts = []
    for place, (table, weight) in enumerate(zip(tables, weights.tolist(), strict=True)):
        starts.append(len(pairs))
        cells = math.prod(sizes[j] for j in table)
        alone = whole = weight**2 * cells  # Σ v_A / reach over all effects of the table
        for subset in _shared(table, [*tables[:place], *tables[place + 1 :]]):
            own = math.prod(sizes[j] for j in subset)
            part = weight**2 * math.prod(sizes[j] - 1 for j in subset)
            pairs.append((number.setdefault(subset, len(number)), own / cells, part * own / cells))
            alone -= part
        if alone > 1e-9 * whole:
            pairs.append((number.setdefault((-1, place), len(number)), 1.0, alone))
    effect, reach, adds = zip(*pairs, strict=True)
    return Workload(
        np.array(effect, dtype=np.intp),
        np.array(reach),
        np.array(starts, dtype=np.intp),
        np.asarray(np.bincount(effect, adds), float),
    )


def _shared(table: Sequence[int], others: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Subsets of a table's variables that another table has too, the empty one always."""
    own = set(table)
    common = {tuple(sorted(own.intersection(other))) for other in others} | {()}
    subsets = {
        subset
        for variables in common
        for size in range(len(variables) + 1)
        for subset in itertools.combinations(variables, size)
    }
    return sorted(subsets)


def divided_families(network: Network, importance: Array) -> MergePlan:
    """The tables of families with their best shares; the smallest that has it serves a family.

    ``importance`` multiplies the error of a family.
    """
    sizes = [v.cardinality for v in network.variables]
    families = [tuple(sorted(scope)) for scope in network.scopes]
    weight: dict[tuple[int, ...], float] = {}
    for family, own in zip(families, importance.tolist(), strict=True):
        cells = math.prod(sizes[j] for j in family)
        weight[family] = math.hypot(weight.get(family, 0.0), own * cells ** (LARGER / 2))
    tables = list(weight)
    shares = workload(tables, sizes, np.array(list(weight.values()))).best()
    every = [set(table) for table in tables]
    alone = np.array([not any(map(own.__lt__, every)) for own in every])  # in no other table
    # rounding makes equal shares equal on every machine
    shares = np.maximum(np.round(shares * len(tables), 6), np.where(alone, LEAST, 0))
    kept = np.flatnonzero(shares >= LEAST).tolist()
    held = [math.prod(sizes[j] for j in tables[t]) for t in kept]
    served: list[list[int]] = [[] for _ in kept]
    for i, family in enumerate(families):
        holders = [
            (held[k], tables[t] != family, -shares[t], k)  # no word about the order of variables
            for k, t in enumerate(kept)
            if set(family) <= set(tables[t])
        ]
        served[min(holders)[-1]].append(i)
    return MergePlan(
        tuple(tables[t] for t in kept),
        tuple(map(tuple, served)),
        tuple(shares[kept].tolist()),
        DIVIDED,
    )
