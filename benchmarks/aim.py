"""AIM and MST, from their papers' descriptions, over this project's junction tree.

AIM: McKenna, Mullins, Sheldon, Miklau 2022, "AIM: an adaptive and iterative mechanism for
differentially private synthetic data". MST: McKenna, Miklau, Sheldon 2021, "Winning the NIST
contest". Both under zCDP, add/remove neighbours; one model of least squares by entropic mirror
descent (private-pgm). Settings: AIM's published constants (16 d rounds at most, a tenth of rho for
choices, halved noise where a round told nothing), workload of all pairs, or triples where asked
for; model of at most ``CELLS`` cells, ``STEPS`` steps of the fit after each round and
``LAST_STEPS`` after the last. Records are drawn with whole counts, as their reference does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.counts import Rows
from core.inference.cliques import forest_of
from core.inference.logarithms import distribute
from core.markov.belief import conditionals, table_sums
from core.markov.graph import Field
from core.methods.noise import discrete_gaussian
from core.privacy import concentrated
from core.synthesis.pairs import pair_tables
from core.table import Array, Variable

CELLS = 2**18
"""Cells of the model: 2 MB, as in the reduced setting of the specification."""

STEPS, LAST_STEPS = 100, 400

Columns = tuple[int, ...]


@dataclass
class Rival:
    """Noisy tables of one run, the model fitted to them, and what is left of rho."""

    rows: Rows
    rng: np.random.Generator
    tables: list[tuple[Columns, Array, float]] = field(default_factory=list)
    theta: dict[Columns, Array] = field(default_factory=dict)
    beliefs: list[Array] = field(default_factory=list)
    model: Field | None = None
    records: float = 1.0

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Columns."""
        return self.rows.dataset.variables

    @property
    def sizes(self) -> list[int]:
        """States of each column."""
        return [v.cardinality for v in self.variables]

    def exact(self, sets: Sequence[Columns]) -> list[Array]:
        """Exact counts."""
        families = [tuple(self.variables[c] for c in own) for own in sets]
        return [table.values for table in self.rows.counts(families)]

    def measure(self, columns: Columns, deviation: float) -> None:
        """One more table with Gaussian noise."""
        (exact,) = self.exact([columns])
        noise = discrete_gaussian(exact.shape, deviation, rng=self.rng)
        self.tables.append((columns, exact + noise, deviation))

    def fit(self, steps: int) -> None:
        """Least squares over all tables by entropic mirror descent from the last potentials."""
        own, weight, goal = self._problem()
        n, theta = self.records, np.zeros(own.size)
        for columns, where in zip(own.tables, own.slices, strict=True):
            theta[where] = self.theta.get(columns, 0.0)

        def expected(at: Array) -> tuple[Array, list[Array], float]:
            _, cliques = conditionals(own.tree, at[:, None])
            distribute(own.tree, cliques)
            mean = table_sums(own, cliques)[:, 0]
            return mean, cliques, float(0.5 * (weight * (n * mean - goal) ** 2).sum())

        mean, cliques, value = expected(theta)
        length = 2.0 / (n**2 * weight.max())
        for _ in range(steps):
            slope = n * weight * (n * mean - goal)
            length *= 2
            for _ in range(25):
                new, cells, better = expected(theta - length * slope)
                if value - better >= 0.5 * float(slope @ (mean - new)):
                    break
                length /= 2
            theta, mean, value, cliques = theta - length * slope, new, better, cells
        self.theta = {c: theta[where] for c, where in zip(own.tables, own.slices, strict=True)}
        self.beliefs = [table[..., 0] for table in cliques]

    def _problem(self) -> tuple[Field, Array, Array]:
        """The field of all tables, the precision of each cell, its weighted mean; the records."""
        self.model = own = Field(self.variables, tuple(sorted({c for c, _, _ in self.tables})))
        places = dict(zip(own.tables, own.slices, strict=True))
        weight, goal, totals, trust = np.zeros(own.size), np.zeros(own.size), 0.0, 0.0
        for columns, values, deviation in self.tables:
            weight[places[columns]] += 1 / deviation**2
            goal[places[columns]] += values.ravel() / deviation**2
            own_trust = 1 / (deviation**2 * values.size)
            totals, trust = totals + own_trust * float(values.sum()), trust + own_trust
        self.records = max(1.0, totals / trust)
        return own, weight, goal / weight

    def answers(self, sets: Sequence[Columns]) -> dict[Columns, Array]:
        """The model's counts of sets of at most three columns."""
        assert self.model is not None
        tree, sizes = self.model.tree, self.sizes
        pairs = pair_tables(tree, self.beliefs, sizes)
        held: dict[Columns, Array] = {}
        for (i, j), table in pairs.items():
            held[i, j] = table
            held[(i,)], held[(j,)] = table.sum(axis=1), table.sum(axis=0)
        for third in range(len(sizes)) if any(len(s) == 3 for s in sets) else ():
            for (i, j), table in self._given(third).items():
                if third > j:
                    held[i, j, third] = table
        return {own: self.records * held[own] for own in sets}

    def _given(self, third: int) -> dict[Columns, Array]:
        """P(i, j, third) of all pairs, one state of the third after the other."""
        assert self.model is not None
        tree, sizes = self.model.tree, self.sizes
        parts = []
        flat = np.concatenate([self.theta[c].ravel() for c in self.model.tables])
        for state in range(sizes[third]):
            kept = np.full(sizes[third], -60.0)
            kept[state] = 0.0
            at = flat.copy()
            where = self.model.slices[self.model.tables.index((third,))]
            at[where] += kept
            partition, cliques = conditionals(tree, at[:, None])
            distribute(tree, cliques)
            tables = pair_tables(tree, [c[..., 0] for c in cliques], sizes)
            parts.append((float(partition[0]), tables))
        top = max(mass for mass, _ in parts)
        chance = np.array([math.exp(mass - top) for mass, _ in parts])
        chance /= chance.sum()
        return {
            pair: np.stack([p * t[pair] for p, (_, t) in zip(chance, parts, strict=True)], axis=-1)
            for pair in parts[0][1]
        }


def aim(
    rows: Rows,
    epsilon: float,
    delta: float,
    *,
    rng: np.random.Generator,
    ways: int = 2,
    cells: int = CELLS,
) -> Rival:
    """The model of one run of AIM."""
    rho = concentrated(epsilon, delta)
    own = Rival(rows, rng)
    d = len(own.sizes)
    rounds = 16 * d
    deviation, choosing = math.sqrt(rounds / (1.8 * rho)), math.sqrt(0.8 * rho / rounds)
    workload = list(itertools.combinations(range(d), ways))
    closure = [c for w in range(1, ways + 1) for c in itertools.combinations(range(d), w)]
    overlap = {c: sum(len(set(c) & set(w)) for w in workload) for c in closure}
    used = 0.0
    for column in range(d):
        own.measure((column,), deviation)
        used += 0.5 / deviation**2
    own.fit(STEPS)
    exact = dict(zip(closure, own.exact(closure), strict=True))
    while used < rho * (1 - 1e-9):
        if rho - used < 2 * (0.5 / deviation**2 + choosing**2 / 8):
            left = rho - used
            choosing, deviation = math.sqrt(0.8 * left), math.sqrt(1 / (1.8 * left))
        limit = cells * min(1.0, used / rho)
        sets = [c for c, _, _ in own.tables]
        fits = [
            c
            for c in closure
            if c in sets or forest_of(own.sizes, [*sets, c]).cells(own.sizes) <= limit
        ]
        answers = own.answers(fits)
        noise = math.sqrt(2 / math.pi) * deviation
        scores = np.array([
            overlap[c] * (np.abs(exact[c] - answers[c]).sum() - noise * exact[c].size) for c in fits
        ])  # fmt: skip
        reach = max(overlap[c] for c in fits)
        z = scores * choosing / (2 * reach) + rng.gumbel(size=len(fits))
        best = fits[int(np.argmax(z))]
        own.measure(best, deviation)
        used += 0.5 / deviation**2 + choosing**2 / 8
        own.fit(STEPS)
        told = np.abs(own.answers([best])[best] - answers[best]).sum()
        if told <= noise * exact[best].size:
            deviation, choosing = deviation / 2, 2 * choosing
    own.fit(LAST_STEPS)
    return own


def mst(
    rows: Rows, epsilon: float, delta: float, *, rng: np.random.Generator, steps: int = LAST_STEPS
) -> Rival:
    """The model of one run of MST: a third of rho each for columns, tree and its tables."""
    rho = concentrated(epsilon, delta)
    own = Rival(rows, rng)
    d = len(own.sizes)
    for column in range(d):
        own.measure((column,), math.sqrt(3 * d / (2 * rho)))
    own.fit(steps)
    pairs = list(itertools.combinations(range(d), 2))
    answers = own.answers(pairs)
    exact = dict(zip(pairs, own.exact(pairs), strict=True))
    scores = {p: float(np.abs(exact[p] - answers[p]).sum()) for p in pairs}
    choosing = math.sqrt(8 * rho / (3 * (d - 1)))
    part, tree = list(range(d)), []
    for _ in range(d - 1):
        fits = [p for p in pairs if part[p[0]] != part[p[1]]]
        z = np.array([scores[p] for p in fits]) * choosing / 2 + rng.gumbel(size=len(fits))
        best = fits[int(np.argmax(z))]
        tree.append(best)
        part = [part[best[0]] if own_part == part[best[1]] else own_part for own_part in part]
    for pair in tree:
        own.measure(pair, math.sqrt(3 * (d - 1) / (2 * rho)))
    own.fit(steps)
    return own
