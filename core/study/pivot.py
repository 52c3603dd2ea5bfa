"""Intervals with a release: what the records may say, given what was measured of them and how.

A release publishes noisy tables y = n + e whose noise has a known law. So e is drawn again and
again, sent through the release's own tables as the noise was, and y - e are counts that the records
may have had. No record is looked at, and nothing is assumed of them.

A **row** holds n_jk / n_j. Whatever the records, y_jk - θ y_j is noise alone at θ = n_jk / n_j, so
a value is left out only where that noise is in the outer tails of its law, 5 % on each side:
Fieller's interval with the noise's own law in the place of the normal one. It covers nine in ten
however the model was shrunk, backed off or filtered, which a bootstrap that starts at the released
model does not: a row that was shrunk looks certain from there (``python -m benchmarks.intervals``).
A row that few records fill gets nearly all of 0 to 1: that is what the release says about it.

A **question** is a function q of all conditionals. Shrinking bends the released θ, so its answer is
corrected by one step along what was measured, q(θ) + Σ ∂q/∂θ_jk (y_jk - θ_jk y_j) / (n P(j)), with
y - e for y: linear in the noise, so its quantiles are an interval about the corrected answer. What
errors multiplied with each other do is left out, so how often it covers is measured, not proved.

Both are about what the same network without noise would say of the same records. How far the
records are from others that might have been sampled is not in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.estimation.consistency import compile_plan
from core.estimation.effects import Axes, side_by_side
from core.inference.evidence import Query
from core.inference.queries import query
from core.methods.noise import (
    discrete_gaussian,
    discrete_gaussian_variance,
    discrete_laplace,
    discrete_laplace_variance,
)
from core.network import Network
from core.parameters import Model
from core.table import Array

LEVEL = 0.9
"""How often an interval is meant to cover."""

REPLICATES = 400
"""Noise drawn again so often."""

LEAST = 1.0
"""Records that a row is taken to have where the released model says that it has fewer."""

MIXED = 1e-4
"""Part of the uniform conditionals where a derivative is taken."""

STEPS = np.linspace(0, 1, 201)
"""Values tried for a row that perhaps nobody fills."""


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """Noisy counts as they were drawn, the last variable fastest, with law and scale of noise."""

    names: tuple[str, ...]
    values: Array
    scale: float
    gaussian: bool

    @property
    def variance(self) -> float:
        """Of one cell's noise."""
        spread = discrete_gaussian_variance if self.gaussian else discrete_laplace_variance
        return spread(self.scale)

    def again(self, replicates: int, *, rng: np.random.Generator) -> Array:
        """Noise of the same law: ``(replicates, cells)``."""
        draw = discrete_gaussian if self.gaussian else discrete_laplace
        return draw((replicates, self.values.size), self.scale, rng=rng)


@dataclass(frozen=True, eq=False)
class RowIntervals:
    """Least and largest value of every cell of every conditional, packed as the model."""

    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Pivot:
    """Family counts that the records may have had, packed: ``(replicates, cells)``.

    ``measured`` says which cells have any; the others were stated and are as released.
    """

    released: Model
    counts: Array
    measured: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        released: Model,
        tables: Sequence[MeasuredTable],
        *,
        replicates: int = REPLICATES,
        rng: np.random.Generator,
    ) -> Pivot:
        """From all noisy tables of a release, by least squares; a Poisson sample's have no part."""
        network = released.network
        scopes = [_axes(network, table.names) for table in tables]
        weights = [1 / (max(t.variance, 1e-12) * t.values.size) for t in tables]
        families = [i for i, family in enumerate(network.families) if _within(family, tables)]
        wanted = [_axes(network, [v.name for v in network.families[i]]) for i in families]
        slices = side_by_side(wanted)
        plan = compile_plan(scopes, side_by_side(scopes), weights, (wanted, slices))
        noise = [table.again(replicates, rng=rng) for table in tables]
        drawn = np.concatenate([t.values - e for t, e in zip(tables, noise, strict=True)], axis=1)
        consistent = plan.apply(drawn)
        counts = np.zeros((replicates, network.layout.size))
        measured = np.zeros(network.layout.size, dtype=bool)
        for i, where in zip(families, slices, strict=True):
            counts[:, network.layout.slices[i]] = consistent[:, where]
            measured[network.layout.slices[i]] = True
        return cls(released, counts, measured)

    def rows(self, level: float = LEVEL) -> RowIntervals:
        """An interval for every cell of every conditional."""
        layout, released = self.released.network.layout, self.released.values
        low, high = np.zeros(layout.size), np.ones(layout.size)
        totals = layout.row_totals(self.counts)
        for block in layout.blocks:
            shares, whole = layout.rows(self.counts, block), totals[:, block.rows, None]
            least, most = _fieller(shares, whole, (1 - level) / 2)
            low[block.cells], high[block.cells] = least.ravel(), most.ravel()
        low = np.where(self.measured, np.clip(low, 0, released), released)
        high = np.where(self.measured, np.clip(high, released, 1), released)
        return RowIntervals(low, high)

    def answers(self, asked: Query, level: float = LEVEL) -> tuple[Array, Array, Array]:
        """The released answer to a question, and its least and largest value.

        The step is a difference quotient along each replicate's direction; there, conditionals are
        mixed with a little of the uniform ones, so that none leaves zero for less.
        """
        network, (base, way) = self.released.network, self._steps
        told = query(self.released, asked.targets, asked.given).values.ravel()
        size = base.min() / (2 * max(float(np.abs(way).max()), 1e-300))
        ahead, behind = (
            query(Model(network, base + sign * size * way), asked.targets, asked.given).values
            for sign in (1, -1)
        )
        moved = told + (ahead - behind).reshape(-1, told.size) / (2 * size)
        low, high = np.quantile(moved, ((1 - level) / 2, (1 + level) / 2), axis=0)
        return told, np.clip(low, 0, told), np.clip(high, told, 1)

    @cached_property
    def _steps(self) -> tuple[Array, Array]:
        """Conditionals to start at, and how each replicate's counts would move them."""
        network, layout = self.released.network, self.released.network.layout
        totals = layout.row_totals(self.counts)
        measured = [w for w in layout.row_slices if totals[:, w].any()]
        people = float(np.median([totals[:, where].sum(axis=1).mean() for where in measured]))
        filled = np.empty(layout.row_count)
        for parents, where in zip(network.parents, layout.row_slices, strict=True):
            chance = query(self.released, parents).values.ravel() if parents else 1.0
            filled[where] = np.maximum(people * chance, LEAST)
        base, way = np.empty(layout.size), np.zeros_like(self.counts)
        for block in layout.blocks:
            theta = layout.rows(self.released.values, block)
            off = layout.rows(self.counts, block) - theta * totals[:, block.rows, None]
            way[:, block.cells] = (off / filled[block.rows, None]).reshape(len(way), -1)
            base[block.cells] = ((1 - MIXED) * theta + MIXED / block.cardinality).ravel()
        return base, np.where(self.measured, way, 0)


def _axes(network: Network, names: Sequence[str]) -> Axes:
    places = [network.index(name) for name in names]
    return tuple((i, network.variables[i].cardinality) for i in places)


def _within(family: Sequence[object], tables: Sequence[MeasuredTable]) -> bool:
    own = {getattr(v, "name", "") for v in family}
    return any(own <= set(table.names) for table in tables)


def _fieller(shares: Array, whole: Array, tail: float) -> tuple[Array, Array]:
    """Limits of share / whole over replicates in front; ``whole`` may be zero or less in some."""
    filled = np.asarray((whole > 0).all(axis=0))
    safe = np.where(whole > 0, whole, 1.0)
    low, high = np.quantile(shares / safe, (tail, 1 - tail), axis=0)
    unsure = np.flatnonzero(~filled[:, 0])
    some, of = shares[:, unsure], whole[:, unsure]
    fits = np.minimum(_at_most(some, of), _at_most(-some, -of)) / len(shares) >= tail
    none = ~fits.any(axis=0)  # noise fits no value: any may be
    first, last = fits.argmax(axis=0), len(STEPS) - 1 - fits[::-1].argmax(axis=0)
    low[unsure] = np.where(none, 0, STEPS[np.maximum(first - 1, 0)])
    high[unsure] = np.where(none, 1, STEPS[np.minimum(last + 1, len(STEPS) - 1)])
    return low, high


def _at_most(some: Array, of: Array) -> NDArray[np.intp]:
    """In how many replicates ``some <= theta * of``, for each theta of ``STEPS``.

    That holds from some step on where the whole is positive, up to a step where it is negative, for
    all or none where it is zero: each replicate is placed by division, and set right by products.
    """
    last, size = len(STEPS), some[0].size
    place = np.searchsorted(STEPS, some / np.where(of == 0, 1.0, of))

    def changed(step: NDArray[np.intp]) -> NDArray[np.bool_]:
        there = (some <= STEPS[np.clip(step, 0, last - 1)] * of) == (of > 0)
        placed: NDArray[np.bool_] = (step >= 0) & ((step >= last) | there)
        return placed

    place -= changed(place - 1)
    place += ~changed(place)
    cell = np.broadcast_to(np.arange(size).reshape(some.shape[1:]), some.shape)
    held = np.zeros((last + 1) * size, dtype=np.intp)
    holds = (of != 0) | (some <= 0)
    for sign, step in ((1, np.where(of > 0, place, 0)), (-1, np.where(of < 0, place, last))):
        held += sign * np.bincount((step * size + cell)[holds], minlength=held.size)
    return held.reshape(last + 1, *some.shape[1:])[:-1].cumsum(axis=0)
