"""Posterior means against their twin: the same integrals on a very fine grid."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import stats

from core.estimation.posterior import LIGHT, STRENGTHS, light_rows, posterior_means


def slow_mean(rows, centres, noise, records):
    """One family, one replicate: means over quantiles of the prior, strengths by evidence."""
    states = rows.shape[1]
    shift = (records - rows.sum(axis=1)) / states
    place = (rows + shift[:, None]) / records[:, None]
    width = noise * np.sqrt(1 - 1 / states) / records
    evidence = np.zeros((len(rows), states, len(STRENGTHS)))
    means = np.zeros_like(evidence)
    levels = (np.arange(2000) + 0.5) / 2000
    for n, k, s in np.ndindex(evidence.shape):
        prior = stats.beta(STRENGTHS[s] * centres[n, k], STRENGTHS[s] * (1 - centres[n, k]))
        points = prior.ppf(levels)  # equally likely under the prior, its poles included
        likelihood = np.exp(-0.5 * ((place[n, k] - points) / width[n]) ** 2)
        evidence[n, k, s] = likelihood.mean()
        means[n, k, s] = (points * likelihood).mean() / likelihood.mean()
    logs = np.log(evidence).sum(axis=(0, 1)) * (states - 1) / states
    common = np.full(len(STRENGTHS), 1 / len(STRENGTHS))
    for _ in range(2):
        weights = np.exp(logs + np.log(common) - logs.max())
        weights /= weights.sum()
        common = (weights + 0.5 / len(STRENGTHS)) / 1.5
    found = means @ weights
    return found / found.sum(axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("states", [2, 3])
def test_posterior_means_equal_fine_integrals(states):
    rng = np.random.default_rng(states)
    size = 6
    centres = rng.dirichlet(np.full(states, 1.5), size)
    records = rng.uniform(2, 18, size)
    truth = rng.dirichlet(np.full(states, 0.5), size)
    rows = truth * records[:, None] + rng.normal(0, 1, (size, states))
    groups = np.zeros((2, size), dtype=np.intp)
    fast = posterior_means(rows, centres, np.ones(size), records, groups)
    np.testing.assert_allclose(fast, slow_mean(rows, centres, np.ones(size), records), atol=0.02)


def one_family(size):
    return np.zeros((2, size), dtype=np.intp)


def test_rows_are_distributions_between_their_centre_and_the_data():
    rng = np.random.default_rng(0)
    rows, centres = rng.normal(3, 2, (50, 4)), rng.dirichlet(np.ones(4), 50)
    found = posterior_means(rows, centres, np.full(50, 2.0), np.full(50, 12.0), one_family(50))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found.min() >= 0


def test_rows_without_records_take_their_centre():
    centres = np.array([[0.9, 0.1], [0.3, 0.7]])
    found = posterior_means(
        np.zeros((2, 2)), centres, np.full(2, 5.0), np.full(2, 1e-3), one_family(2)
    )
    np.testing.assert_allclose(found, centres, atol=0.02)


def test_many_rows_that_agree_with_their_centre_pull_a_lone_one_to_it():
    """The strength is learned: the same noisy row moves less among rows that scatter little."""
    lone, centre = np.array([[8.0, 4.0]]), np.array([[0.5, 0.5]])
    rng = np.random.default_rng(1)
    tight = 12 * np.repeat([[0.5, 0.5]], 60, axis=0) + rng.normal(0, 1, (60, 2))
    sides = rng.integers(0, 2, 60)
    wide = 12 * np.stack([sides, 1 - sides], axis=1) + rng.normal(0, 1, (60, 2))
    found = []
    for others in (tight, wide):
        rows = np.concatenate([lone, others])
        centres = np.repeat(centre, len(rows), axis=0)
        size = len(rows)
        mean = posterior_means(rows, centres, np.ones(size), np.full(size, 12.0), one_family(size))
        found.append(mean[0, 0])
    assert 0.5 < found[0] < 0.6 < found[1] < 0.75


def test_replicates_do_not_learn_from_each_other():
    rng = np.random.default_rng(2)
    rows, centres = rng.normal(4, 2, (40, 3)), rng.dirichlet(np.ones(3), 40)
    replicate = np.repeat([0, 1], 20)
    groups = np.stack([replicate, np.tile([0, 0, 1, 1], 10)])
    noise, records = np.full(40, 1.5), np.full(40, 10.0)
    together = posterior_means(rows, centres, noise, records, groups)
    for r in (0, 1):
        mine = replicate == r
        alone = posterior_means(
            rows[mine], centres[mine], noise[mine], records[mine], groups[:, mine] * [[0], [1]]
        )
        np.testing.assert_allclose(together[mine], alone, atol=1e-12)


def test_light_rows_are_those_with_few_records():
    noise = np.ones((3, 1))
    rows = np.array([[5.0, -6.0], [LIGHT, 1.0], [2.0, 2.0]])[:, :, None]
    records, light = light_rows(rows, noise)
    assert light[:, 0].tolist() == [True, False, True]
    assert (records > 0).all()
    assert records[2, 0] == pytest.approx((4 + np.sqrt(16 + 2)) / 2)
    assert not light_rows(rows, np.zeros((3, 1)))[1].any()


def test_rows_far_below_zero_keep_their_few_records():
    """The root of a square that swallows the noise is the total itself: nothing would be left."""
    rows = np.array([[-128006.0, 9876.0], [11098.7, -129229.2], [-3.0, 1.0]])[..., None]
    noise = np.array([[4.6e5], [8.9e-8], [1e-3]])
    records, light = light_rows(rows, noise)
    with localcontext(prec=60):
        for row, sd, found in zip(rows[..., 0], noise[:, 0], records[:, 0], strict=True):
            total = sum(map(Decimal, row.tolist()))
            exact = (total + (total**2 + 2 * Decimal(sd) ** 2).sqrt()) / 2
            assert found == pytest.approx(float(exact), rel=1e-9)
    assert light.all()
    means = posterior_means(rows[..., 0], np.full((3, 2), 0.5), noise[:, 0], records[:, 0],
                            one_family(3))  # fmt: skip
    np.testing.assert_allclose(means.sum(axis=1), 1)
