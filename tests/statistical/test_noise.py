"""Noise has the distribution it claims; tolerances come from the standard error."""

import math

import numpy as np
import pytest
from scipy import stats

from core.methods.noise import (
    GAUSSIAN_TABLE,
    discrete_gaussian,
    discrete_gaussian_variance,
    discrete_laplace,
    discrete_laplace_variance,
    standard_laplace,
)


def test_laplace_passes_a_kolmogorov_test_and_its_signs_are_even():
    draws = standard_laplace((200, 1000), rng=np.random.default_rng(11)).ravel()
    assert stats.kstest(draws, stats.laplace.cdf).pvalue > 1e-4
    assert abs((draws > 0).mean() - 0.5) < 5 * 0.5 / math.sqrt(draws.size)
    assert draws.var() == pytest.approx(2, rel=5 * math.sqrt(20 / draws.size) / 2)


def test_a_wrong_scale_would_be_noticed():
    draws = 1.05 * standard_laplace((200_000,), rng=np.random.default_rng(11))
    assert stats.kstest(draws, stats.laplace.cdf).pvalue < 1e-4


def test_neighbouring_draws_are_not_correlated():
    draws = standard_laplace((100, 1001), rng=np.random.default_rng(2))
    left, right = draws[:, :-1].ravel(), draws[:, 1:].ravel()
    assert abs(np.corrcoef(left, right)[0, 1]) < 5 / math.sqrt(left.size)
    assert abs(np.corrcoef(np.abs(left), np.abs(right))[0, 1]) < 5 / math.sqrt(left.size)


def fits(draws, weights, reach):
    """p-value of a chi-square test of whole numbers against P(k) ∝ weights(k)."""
    every = np.arange(-400, 401)
    chances = weights(every)
    chances /= chances.sum()
    inside = np.abs(every) <= reach
    seen = np.array([(draws == k).sum() for k in every[inside]])
    expected = np.append(chances[inside], chances[~inside].sum()) * draws.size
    return stats.chisquare(np.append(seen, draws.size - seen.sum()), expected).pvalue


@pytest.mark.parametrize(("deviation", "reach"), [(0.5, 1), (1.0, 3), (3.7, 9), (20.0, 50)])
def test_the_discrete_gaussian_has_its_probabilities(deviation, reach):
    draws = discrete_gaussian((100_000,), deviation, rng=np.random.default_rng(4))
    assert (draws == np.rint(draws)).all()
    chance = fits(draws, lambda k: np.exp(-(k**2) / (2 * deviation**2)), reach)
    assert chance > 1e-4
    variance = discrete_gaussian_variance(deviation)
    assert draws.var() == pytest.approx(variance, rel=5 * math.sqrt(3 / draws.size))


def test_a_rounded_normal_number_is_not_a_discrete_gaussian():
    draws = np.rint(0.5 * np.random.default_rng(4).standard_normal(100_000))
    assert fits(draws, lambda k: np.exp(-(k**2) / (2 * 0.5**2)), 1) < 1e-6


@pytest.mark.parametrize(("scale", "reach"), [(0.3, 1), (1.0, 5), (12.0, 60)])
def test_the_discrete_laplace_has_its_probabilities(scale, reach):
    draws = discrete_laplace((100_000,), scale, rng=np.random.default_rng(4))
    assert fits(draws, lambda k: np.exp(-np.abs(k) / scale), reach) > 1e-4
    variance = discrete_laplace_variance(scale)
    assert draws.var() == pytest.approx(variance, rel=5 * math.sqrt(12 / draws.size))


@pytest.mark.parametrize("draw", [discrete_gaussian, discrete_laplace])
def test_a_larger_scale_stretches_the_same_draws(draw):
    small = draw((50, 40), 3.0, rng=np.random.default_rng(1))
    large = draw((50, 40), 30.0, rng=np.random.default_rng(1))
    assert np.corrcoef(small.ravel(), large.ravel())[0, 1] > 0.97
    more = draw((70, 40), 3.0, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(more[:50], small)
    np.testing.assert_array_equal(draw((5, 4), 0.0, rng=np.random.default_rng(1)), 0)


@pytest.mark.parametrize("deviation", [0.0, 0.1, 0.3, 1.0, 2.5, 10.0, 40.0])
def test_variances_are_those_of_the_probabilities(deviation):
    """Of both laws, summed term by term; of no noise they are none."""
    whole = np.arange(-4000, 4001)
    with np.errstate(divide="ignore", invalid="ignore"):
        laws = np.exp(-((whole / deviation) ** 2) / 2), np.exp(-np.abs(whole) / deviation)
    told = discrete_gaussian_variance(deviation), discrete_laplace_variance(deviation)
    for law, variance in zip(laws, told, strict=True):
        law[whole == 0] = 1.0
        summed = (law * whole**2).sum() / law.sum()
        assert variance == pytest.approx(summed, rel=1e-12, abs=1e-200)


@pytest.mark.parametrize("deviation", [3.0, 1000.0, 65_536.0])
def test_discrete_gaussian_draws_are_quantiles_of_uniform_numbers(deviation):
    draws = discrete_gaussian((2000,), deviation, rng=np.random.default_rng(5))
    normal = stats.norm.ppf(np.random.default_rng(5).random(2000))
    assert np.abs(draws - deviation * normal).max() < 0.55
    above = math.nextafter(65_536.0, math.inf)  # the first that is not tabulated
    rounded = np.rint(above * np.random.default_rng(5).standard_normal(9))
    assert (discrete_gaussian((9,), above, rng=np.random.default_rng(5)) == rounded).all()


def test_no_discrete_gaussian_draw_lies_beyond_its_table():
    """Where rounding leaves the last uniform numbers above all probabilities together."""

    class Last:
        def random(self, shape):
            return np.full(shape, 1.0)

    assert 17 <= discrete_gaussian((), 2.0, rng=Last()) <= 19


def test_beyond_the_table_the_probabilities_agree():
    """P(0) of the discrete and of the rounded Gaussian at the switch."""
    deviation = float(GAUSSIAN_TABLE)
    discrete = 1 / (deviation * math.sqrt(2 * math.pi))  # the theta function is 1 to e^-(2πσ)²
    rounded = 2 * (stats.norm.cdf(0.5 / deviation) - 0.5)
    assert rounded == pytest.approx(discrete, rel=1e-10)
    draws = discrete_gaussian((100_000,), 2 * deviation, rng=np.random.default_rng(3))
    assert stats.kstest(draws / (2 * deviation), stats.norm.cdf).pvalue > 1e-4
