"""Noise has the distribution it claims; tolerances come from the standard error."""

import math

import numpy as np
import pytest
from scipy import stats

from core.noise import standard_laplace


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
