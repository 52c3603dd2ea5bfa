"""Using the graph inside merged tables: matched filters, and expected counts.

A family's count is the sum of many cells of its table, most of them nearly empty: a plain sum
collects their noise. The model says how a family's records spread over those cells; weighting each
cell by the share of its spread that is real and not noise estimates the same count with less
noise, as far as the graph is right. How far it is not, is measured and believed: misfit by table
widens the spread, and James-Stein shrinkage returns to the plain sum where the two disagree.

Everything here is computed from noisy tables: it costs no budget. Arrays are
``(cells, replicates)``.
"""

import numpy as np

from core.estimation.effects import Index
from core.methods.design import Design, FilterDesign
from core.methods.factors import Factors
from core.table import Array

STRENGTH = 0.1
"""How much a row leans on the rung below, in noise standard deviations of a cell."""

ROUNDS = 2
"""Rounds of filtering, each with a better model of how records spread."""


BLOCK_CELLS = 2**21
"""Cells times replicates worked on at a time (16 MiB an array)."""


def refined(
    designed: FilterDesign, noisy: Array, variances: Array, prior: float = 0.0
) -> tuple[Array, Array]:
    """Counts and conditionals of the network's families, from noisy tables.

    ``variances`` are the noise variances of a cell of each table. Replicates are independent and
    are worked on in blocks, so that memory stays bounded.
    """
    step = max(1, BLOCK_CELLS // len(designed.factors.cells))
    blocks = [
        _refined(designed, np.ascontiguousarray(noisy[:, start : start + step]), variances, prior)
        for start in range(0, noisy.shape[1], step)
    ]
    counts, conditionals = (np.concatenate(parts, axis=1) for parts in zip(*blocks, strict=True))
    return counts, conditionals


def _refined(
    designed: FilterDesign, noisy: Array, variances: Array, prior: float
) -> tuple[Array, Array]:
    """One block: filters, expected counts, posterior means.

    Two rounds of matched filters; then every table is replaced by its expected counts given noise
    and model, read once more by least squares; light rows become posterior means.
    """
    ladder, consistency = designed.ladder, designed.consistency
    deviations = np.sqrt(consistency.variances(variances))
    strengths = np.maximum(STRENGTH * deviations, 1e-12)
    rungs = consistency.read(noisy, variances)
    left = deviations[:, None]
    if variances.any():  # exact tables need no filter: its rounding would fill their empty rows
        rungs, left = _read_through(designed, noisy, variances, rungs, strengths, left)
    priors = ladder.on_top(prior) if prior else None
    families = rungs.take(designed.order, axis=0)
    climbed = ladder.climb(rungs, strengths, priors=priors, noise=left, out=rungs)
    return families, climbed.take(designed.order, axis=0)


def _read_through(
    designed: FilterDesign,
    noisy: Array,
    variances: Array,
    rungs: Array,
    strengths: Array,
    deviations: Array,
) -> tuple[Array, Array]:
    """Rungs read through the model, and the standard deviation of the noise left in them."""
    factors, ladder, consistency = designed.factors, designed.ladder, designed.consistency
    total = np.maximum(rungs[ladder.slices[0]].sum(axis=0), 1.0)
    spread = _Spread(designed, noisy, variances)
    for _ in range(ROUNDS):
        conditionals = ladder.climb(rungs, strengths)
        expected = factors.expected(conditionals[ladder.tops], total)
        estimates, noise = _filtered(factors, noisy, expected, spread, total)
        rungs = designed.pooling.apply(estimates.T, 1 / noise.T).T
    conditionals = ladder.climb(rungs, strengths, noise=deviations)
    expected = factors.expected(conditionals[ladder.tops], total)
    share = spread.real_share(expected)
    rungs = consistency.apply((expected + share * (noisy - expected)).T).T
    kept = variances[:, None] * spread.table_means(share**2)
    return rungs, np.sqrt(consistency.variances(kept.T)).T


class _Spread:
    """How much of what a cell shows is real: records scatter around the model, noise is added."""

    def __init__(self, designed: Design, noisy: Array, variances: Array) -> None:
        self.noisy = noisy
        self.starts = np.array([where.start for where in designed.slices])
        self.sizes = np.array([where.stop - where.start for where in designed.slices])
        self.variances = variances
        self.by_cell = np.repeat(variances, self.sizes)[:, None]

    def table_means(self, values: Array) -> Array:
        """Mean over the cells of each table."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0) / self.sizes[:, None])

    def _to_cells(self, values: Array) -> Array:
        return np.repeat(values, self.sizes, axis=0)

    def real_share(self, expected: Array) -> Array:
        """Share of a cell's spread that is real: v / (v + noise variance).

        v = μ + τ² (μ² + mean²): μ is the model's count, whose records scatter like a Poisson
        number; τ² is the misfit of the model in the cell's table, by moments.
        """
        mean = self._to_cells(self.table_means(expected))
        squares = expected**2 + mean**2
        surplus = (self.noisy - expected) ** 2 - self.by_cell - expected
        misfit = np.maximum(self.table_means(surplus), 0) / np.maximum(
            self.table_means(squares), 1e-12
        )
        real = expected + self._to_cells(misfit) * squares
        return np.where(self.by_cell > 0, real / np.maximum(real + self.by_cell, 1e-300), 1.0)


def _filtered(
    factors: Factors, noisy: Array, expected: Array, spread: _Spread, total: Array
) -> tuple[Array, Array]:
    """Filtered counts of every part, and (noise variance of a cell) · (cells) of each part.

    F = M Σ w y / Σ w μ, M = Σ μ: unbiased when records spread as the model says. Filters know
    shapes better than totals, so each part is shifted to the total of all tables.
    """
    share = spread.real_share(expected)
    plain, mass = factors.sums(noisy), factors.sums(expected)
    scale = mass / np.maximum(factors.sums(share * expected), 1e-12)
    filtered = factors.sums(share * noisy) * scale
    noise = factors.sums(share**2) * scale**2
    sizes = factors.sizes[:, None]
    plainly = (mass <= 1e-9) | (noise > sizes)
    filtered, noise = np.where(plainly, plain, filtered), np.where(plainly, sizes, noise)
    starts = np.array([where.start for where in factors.slices])
    cells = np.array([where.stop - where.start for where in factors.slices])
    filtered, noise = _guarded(
        plain, filtered, noise, factors, spread.variances[factors.table], starts
    )
    shift = (total - np.add.reduceat(filtered, starts, axis=0)) / cells[:, None]
    filtered += np.repeat(shift, cells, axis=0)
    each = np.add.reduceat(noise, starts, axis=0) * spread.variances[factors.table][:, None]
    return filtered, np.maximum(each, 1e-12)


def _guarded(
    plain: Array,
    filtered: Array,
    noise: Array,
    factors: Factors,
    variances: Array,
    starts: Index,
) -> tuple[Array, Array]:
    """Back towards the plain sum by as much as the two differ beyond their noise.

    Positive-part James-Stein, part by part.
    """
    spare = factors.sizes[:, None] - noise
    gap = np.add.reduceat((plain - filtered) ** 2, starts, axis=0)
    noisy_gap = np.add.reduceat(spare, starts, axis=0) * variances[:, None]
    distrust = np.where(noisy_gap > 0, np.maximum(1 - noisy_gap / np.maximum(gap, 1e-300), 0), 0)
    back = np.repeat(distrust, np.diff(starts, append=len(plain)), axis=0)
    return filtered + back * (plain - filtered), noise + back * spare
