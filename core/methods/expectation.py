"""Tables that agree, and what the graph expects of them: nearly empty cells without their noise.

Tables that overlap are made to agree by least squares; their noise is then independent from effect
to effect, of known variance. Records scatter around what the model expects of a cell: their
variance D is large where many are expected, and nearly nothing where none is. So the best linear
guess of the counts is μ + D (D + Σ)⁻¹ (y - μ), Σ the noise of the table: diagonal in effects,
while D is diagonal in cells, so that it is solved by conjugate gradients. Rows are read off the
guess and make the next model.

Everything here is computed from noisy tables: it costs no budget. Arrays are
``(cells, replicates)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.estimation.consistency import ConsistencyPlan
from core.estimation.effects import Index, Tables
from core.methods.design import AgreedDesign
from core.methods.filtering import BLOCK_CELLS, STRENGTH
from core.table import Array

PASSES = 2
"""How often the model of how records spread is made and used."""

DOUBT = 2.0
"""Variance of a cell's count around the model's, relative to that count squared."""

STEPS = 6
"""Steps of conjugate gradients: noise differs little from effect to effect."""


def expected(
    designed: AgreedDesign, noisy: Array, variances: Array, prior: float = 0.0
) -> tuple[Array, Array]:
    """Counts and conditionals of the network's families, from noisy tables.

    ``variances`` are the noise variances of a cell of each table. Replicates are independent and
    are worked on in blocks, so that memory stays bounded.
    """
    step = max(1, BLOCK_CELLS // len(designed.factors.cells))
    blocks = [
        _expected(designed, np.ascontiguousarray(noisy[:, start : start + step]), variances, prior)
        for start in range(0, noisy.shape[1], step)
    ]
    counts, conditionals = (np.concatenate(parts, axis=1) for parts in zip(*blocks, strict=True))
    return counts, conditionals


def _expected(
    designed: AgreedDesign, noisy: Array, variances: Array, prior: float
) -> tuple[Array, Array]:
    """One block: agreement, passes of guesses and models, posterior means."""
    ladder, consistency = designed.ladder, designed.consistency
    deviations = np.sqrt(consistency.variances(variances))
    strengths = np.maximum(STRENGTH * deviations, 1e-12)
    rungs = consistency.read(noisy, variances)
    left = np.broadcast_to(deviations[:, None], (len(deviations), noisy.shape[1]))
    if variances.any():  # exact tables need no guess: its rounding would fill their empty rows
        agreed: Array = designed.agreement.apply(noisy.T).T
        noise = EffectNoise.of(designed.agreement, variances)
        total = np.maximum(rungs[ladder.slices[0]].sum(axis=0), 1.0)
        for _ in range(PASSES):
            conditionals = ladder.climb(rungs, strengths, noise=left)
            model = designed.factors.expected(conditionals[ladder.tops], total)
            guess, real = noise.guess(agreed, model)
            rungs = designed.reading.apply(guess.T).T
            left = deviations[:, None] * real[designed.holder]
    priors = ladder.on_top(prior) if prior else None
    families = rungs.take(designed.order, axis=0)
    climbed = ladder.climb(rungs, strengths, priors=priors, noise=left, out=rungs)
    return families, climbed.take(designed.order, axis=0)


@dataclass(frozen=True, eq=False)
class EffectNoise:
    """Noise of tables that agree: independent from effect to effect, not from cell to cell."""

    tables: Tables
    variances: Array
    """Of each effect: ``(coordinates, 1)``."""
    starts: Index
    sizes: Index

    @classmethod
    def of(cls, agreement: ConsistencyPlan, variances: Array) -> EffectNoise:
        """What is left where tables of these noise variances are made to agree."""
        starts = np.array([where.start for where in agreement.wanted.slices])
        sizes = np.diff(starts, append=agreement.wanted.size)
        left = agreement.coordinate_variances(variances)
        return cls(agreement.wanted, left, starts, sizes)

    def guess(self, noisy: Array, model: Array) -> tuple[Array, Array]:
        """Counts of each cell, and by how much noise in each table is less: ``(tables, ...)``.

        D = μ + τ² (μ² + mean²) + ``DOUBT`` μ²: records that the model expects scatter like a
        Poisson number, and it may be wrong, by table as far as the misfit τ² shows.
        """
        model = np.maximum(model, 1e-9)
        each = self._to_cells(self._sums(self.variances) / self.sizes[:, None])
        off = noisy - model
        squares = model**2 + self._to_cells(self._sums(model) / self.sizes[:, None]) ** 2
        surplus = np.maximum(self._sums(off**2 - each - model), 0) / self._sums(squares)
        real = model + self._to_cells(surplus) * squares + DOUBT * model**2
        share = real / (real + each)
        left = np.sqrt(self._sums(share**2) / self.sizes[:, None])
        return model + real * self._solved(real, each, off), left

    def _solved(self, real: Array, each: Array, off: Array) -> Array:
        """(D + Σ)⁻¹ (y - μ), table by table, by conjugate gradients that begin at each cell."""
        solved = off / (real + each)
        rest = off - self._times(real, solved)
        better = rest / (real + each)
        way, size = better.copy(), self._sums(rest * better)
        for _ in range(STEPS):
            moved = self._times(real, way)
            step = self._to_cells(size / np.maximum(self._sums(way * moved), 1e-300))
            solved += step * way
            rest -= step * moved
            better = rest / (real + each)
            before, size = size, self._sums(rest * better)
            way = better + self._to_cells(size / np.maximum(before, 1e-300)) * way
        return solved

    def _times(self, real: Array, cells: Array) -> Array:
        """(D + Σ) times cells."""
        effects = self.tables.rotate(cells)
        effects *= self.variances
        return real * cells + self.tables.rotate(effects, inverse=True)

    def _sums(self, cells: Array) -> Array:
        """Sum over the cells of each table."""
        return np.asarray(np.add.reduceat(cells, self.starts, axis=0))

    def _to_cells(self, tables: Array) -> Array:
        return np.repeat(tables, self.sizes, axis=0)
