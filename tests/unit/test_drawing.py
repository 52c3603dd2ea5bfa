"""Rehearsals draw what they drew before there were releases; releases draw from outside."""

import numpy as np
import pytest

from core.methods.noise import discrete_gaussian, discrete_laplace, standard_laplace
from core.methods.randomness import (
    STEPS,
    Histograms,
    Watched,
    laplace,
    noted,
    thinned,
    whole_gaussian,
    whole_laplace,
)
from core.methods.registry import METHODS
from core.scenario import Scenario
from sources.study import sampled_study

SIZES = (3, 1, 4)
TABLES = Histograms((("a",), (), ("a", "b")), np.repeat(np.arange(3), SIZES))
SCALES = np.array([0.5, 2.0, 30.0])


def generators():
    return np.random.default_rng(5), np.random.default_rng(5)


def test_laplace_is_standard_noise_stretched():
    ours, twin = generators()
    found = laplace(TABLES, SCALES, replicates=6, rng=ours)
    assert np.array_equal(found, standard_laplace((6, 8), rng=twin) * np.repeat(SCALES, SIZES))


def test_laplace_of_each_replicate_has_its_own_scales():
    ours, twin = generators()
    scales = SCALES * np.arange(1, 7)[:, None]
    found = laplace(TABLES, scales, replicates=6, rng=ours)
    wide = np.repeat(scales, SIZES, axis=1)
    assert np.array_equal(found, standard_laplace((6, 8), rng=twin) * wide)


def test_whole_laplace_is_the_discrete_one():
    ours, twin = generators()
    found = whole_laplace(TABLES, SCALES, replicates=6, rng=ours)
    assert np.array_equal(found, discrete_laplace((6, 8), np.repeat(SCALES, SIZES), rng=twin))


def test_whole_gaussian_has_a_stream_for_each_table():
    ours, twin = generators()
    found = whole_gaussian(TABLES, SCALES, replicates=6, rng=ours)
    parts = [
        discrete_gaussian((6, size), scale, rng=stream)
        for size, scale, stream in zip(SIZES, SCALES, twin.spawn(3), strict=True)
    ]
    assert np.array_equal(found, np.concatenate(parts, axis=1))


def test_thinning_is_binomial_in_groups():
    ours, twin = generators()
    counts = np.array([0.0, 10.0, 1000.0])
    found = thinned(counts, 0.1, replicates=30, rng=ours)
    whole = counts.astype(int)[:, None]
    groups = [twin.binomial(whole, 0.1, (3, 25)).T for _ in range(2)]
    assert np.array_equal(found, np.concatenate(groups)[:30])


def test_thinning_once_is_the_first_of_many():
    ours, twin = generators()
    counts = np.array([0.0, 10.0, 1000.0])
    once, often = (thinned(counts, 0.1, replicates=r, rng=g) for r, g in ((1, ours), (30, twin)))
    assert np.array_equal(once, often[:1])


def test_what_children_of_a_watched_generator_draw_is_kept():
    watched, (_, twin) = Watched(np.random.PCG64(5)), generators()
    for child, alike in zip(watched.spawn(2), twin.spawn(2), strict=True):
        found = whole_laplace(TABLES, SCALES, replicates=6, rng=child)
        assert np.array_equal(found, whole_laplace(TABLES, SCALES, replicates=6, rng=alike))
    assert len(watched.drawn) == 2
    assert np.array_equal(watched.drawn[1].noise, found)


@pytest.mark.parametrize(
    ("draw", "knobs", "gaussian", "rate"),
    [(laplace, {"rate": 0.25}, False, 0.25), (laplace, {}, False, 1.0),
     (whole_laplace, {}, False, 1.0), (whole_gaussian, {}, True, 1.0)],
)  # fmt: skip
def test_a_watched_generator_tells_which_tables_got_which_noise(draw, knobs, gaussian, rate):
    watched = Watched(np.random.PCG64(5))
    noise = draw(TABLES, SCALES, replicates=6, rng=watched, **knobs)
    (told,) = watched.drawn
    assert told.histograms is TABLES and told.gaussian is gaussian and told.rate == rate
    assert told.scales.tolist() == SCALES.tolist() and np.array_equal(told.noise, noise)
    noise += 1  # counts are added in its place
    assert not np.array_equal(told.noise, noise)


KNOWN = {
    "uniform": (-39.18150206, 1.00000000),
    "one-table": (4.58333333, 0.89301416),
    "data-dependent-arxiv": (8.41938510, 0.77049276),
    "data-dependent-icml": (8.41938510, 0.82074029),
    "equipoise": (16.87109015, 0.88270627),
    "equipoise-filter": (11.47585224, 0.87786820),
    "equipoise-zcdp": (4.63198978, 0.93081315),
}
"""First noisy count and first probability that each method rehearses, and has long."""


@pytest.mark.parametrize("method", KNOWN)
def test_methods_rehearse_the_same_numbers_as_ever(method):
    study = sampled_study("asia", None, records=1000, seed=1)
    found = METHODS[method].run(
        study.network,
        study.counts,
        Scenario(epsilon=0.5, replicates=3),
        rng=np.random.default_rng([3, 4]),
    )
    numbers = (found.noisy[2, 0], found.model.values[2, -1])
    assert numbers == pytest.approx(KNOWN[method], abs=1e-7)


class Fixed:
    """A release source that gives each table's number as its noise."""

    def laplace(self, histograms, scales, rate):
        self.asked = ("laplace", scales.tolist(), rate)
        return histograms.owner.astype(float)

    def gaussian(self, histograms, deviations):
        self.asked = ("gaussian", deviations.tolist())
        return histograms.owner.astype(float)

    def thinned(self, counts, rate):
        return counts // 2

    def keep(self, histograms, noisy):
        self.told = (histograms, noisy.tolist())

    def spawn(self, streams):
        return [self] * streams


def test_a_release_draws_once_and_from_outside():
    source = Fixed()
    laplace(TABLES, SCALES, replicates=1, rng=source)
    assert source.asked == ("laplace", SCALES.tolist(), 1.0)  # all records, unless it is said
    noise = laplace(TABLES, SCALES[None], replicates=1, rng=source, rate=0.25)
    assert source.asked == ("laplace", SCALES.tolist(), 0.25)
    assert np.array_equal(noise, TABLES.owner[None])
    assert whole_gaussian(TABLES, SCALES, replicates=1, rng=source).shape == (1, 8)
    assert source.asked == ("gaussian", SCALES.tolist())
    assert whole_laplace(TABLES, SCALES, replicates=1, rng=source).shape == (1, 8)
    assert source.asked == ("laplace", SCALES.tolist(), 1.0)
    assert np.array_equal(thinned(np.array([4.0, 9.0]), 0.5, replicates=1, rng=source), [[2, 4]])
    noted(TABLES, np.arange(8.0)[None], rng=source)
    assert source.told == (TABLES, list(range(8)))


def test_the_steps_of_a_score_are_finer_than_a_millionth_of_what_a_record_moves():
    assert STEPS >= 10**6
