"""Release noise is independent: within a table, between tables, requests, releases and workers.

Two tables with the same noise differ by exact counts, so this is part of the guarantee. Noise of an
enormous scale never shows a number twice, in whatever order or sign; noise of a release's scale
is held against the product of its known law.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, chi2

from core.methods.randomness import Histograms
from core.privacy import Neighbours
from release.audit.planted import Reused
from release.meter import Meter
from release.process import Worker
from release.published import GAUSSIAN, LAPLACE
from release.worker import ExactSampler
from tests.release.test_worker import chances

ALARM = 1e-6
"""Chance that a test on fresh entropy fails though all is well, all its comparisons together."""

CELLS = 1500
TABLES = Histograms((("a",), ("b",), ("c",), ("d",)), np.repeat(np.arange(4), CELLS))
SCALES = {LAPLACE: np.array([3.7, 3.7, 9.0, 3.7]), GAUSSIAN: np.array([6.3, 6.3, 9.0, 6.3])}


def release(kind, drawer):
    """Two requests of one release through the meter: tables as drawn, those of one scale alone."""
    delta = Fraction(0) if kind == LAPLACE else Fraction(1, 10**3)
    meter = Meter(Fraction(10), delta, Neighbours.ADD_REMOVE, drawer)
    blocks = []
    for _ in range(2):
        if kind == LAPLACE:
            noise = meter.laplace(TABLES, SCALES[kind], 1.0)
        else:
            noise = meter.gaussian(TABLES, SCALES[kind])
        blocks += [noise[TABLES.owner == table] for table in (0, 1, 3)]
    return blocks, float(meter.measurements[0].scale)


def pairs_of(blocks):
    """Disjoint samples that should know nothing of each other."""
    for block in blocks:
        yield block[0::2], block[1::2]
        yield block[: CELLS // 2], block[CELLS // 2 :]
    yield from itertools.combinations(blocks, 2)
    yield from ((one, other[::-1]) for one, other in itertools.combinations(blocks, 2))


def dependence(blocks, kind, scale):
    """Smallest p-value of all comparisons, times their number (Bonferroni).

    Of each pair of samples: how often both hold the same number, or opposite ones, and nine classes
    of joint size against the product of the law.
    """
    reach = np.arange(-math.ceil(60 * scale), math.ceil(60 * scale) + 1)
    law = chances(kind, scale, reach)
    same = float((law**2).sum())
    cut = round(scale / 2)
    thirds = np.array([law[reach < -cut].sum(), law[np.abs(reach) <= cut].sum(), 0.0])
    thirds[2] = 1 - thirds.sum()
    smallest, tests = 1.0, 0
    for one, other in pairs_of(blocks):
        size = len(one)
        for sign in (1, -1):
            equal = int((one == sign * other).sum())
            smallest = min(smallest, binom.sf(equal - 1, size, same))
        classes = np.bincount(3 * which(one, cut) + which(other, cut), minlength=9)
        expected = size * np.outer(thirds, thirds).ravel()
        smallest = min(smallest, chi2.sf(((classes - expected) ** 2 / expected).sum(), 8))
        tests += 3
    return smallest * tests


def which(noise, cut):
    return (noise >= -cut).astype(np.intp) + (noise > cut)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_tables_of_one_scale_know_nothing_of_each_other(kind):
    """Two requests of one release, a second release, and one by another process."""
    with Worker() as first, Worker() as second:
        runs = [release(kind, worker) for worker in (first, first, second)]
    blocks = [block for found, _ in runs for block in found]
    assert dependence(blocks, kind, runs[0][1]) > ALARM


class Remembering(ExactSampler):
    """Answers a question it has answered before with the same numbers."""

    def __init__(self):
        self.known = {}

    def noise(self, kind, scales, cells):
        key = (kind, tuple(scales), tuple(cells))
        return self.known.setdefault(key, super().noise(kind, scales, cells))


class Opposite(ExactSampler):
    """Gives each second table of a scale the negative of the first, backwards."""

    def noise(self, kind, scales, cells):
        drawn = super().noise(kind, scales, cells).reshape(len(cells), -1)
        drawn[1] = -drawn[0][::-1]
        return drawn.ravel()


class Periodic(ExactSampler):
    """Draws half of a table and repeats it."""

    def noise(self, kind, scales, cells):
        half = super().noise(kind, scales, [size // 2 for size in cells])
        return np.tile(half.reshape(len(cells), -1), 2).ravel()


class Sharing(ExactSampler):
    """A part of the noise is common to all tables: neither equal nor opposite."""

    def noise(self, kind, scales, cells):
        drawn = super().noise(kind, scales, cells).reshape(len(cells), -1)
        signed = np.sign(drawn[0]) * abs(drawn)
        return np.where(np.arange(drawn.shape[1]) % 4, drawn, signed).ravel()


@pytest.mark.parametrize(
    "drawer", [Reused(ExactSampler()), Remembering(), Opposite(), Periodic(), Sharing()]
)
def test_noise_that_is_used_twice_is_noticed(drawer):
    blocks, scale = release(LAPLACE, drawer)
    assert dependence(blocks, LAPLACE, scale) < ALARM


def enormous(drawer, kind):
    """Magnitudes of tables of one scale, asked for twice."""
    scales, cells = [Fraction(2**50)] * 4, [250] * 4
    return np.concatenate([np.abs(drawer.noise(kind, scales, cells)) for _ in range(2)])


@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_no_number_comes_twice(kind):
    """4,000 magnitudes of scale 2^50: a false alarm has probability 8e6 · 2^-50 < 1e-8."""
    with Worker() as first, Worker() as second:
        drawn = np.concatenate([enormous(worker, kind) for worker in (first, second)])
    assert len(np.unique(drawn)) == len(drawn)


@pytest.mark.parametrize("drawer", [Reused(ExactSampler()), Remembering(), Opposite(), Periodic()])
def test_a_number_that_comes_twice_is_noticed(drawer):
    drawn = enormous(drawer, LAPLACE)
    assert len(np.unique(drawn)) < len(drawn)
