"""Proposition 4 of Bernstein et al. 2017: the mean squared error of noisy marginals."""

import numpy as np
import pytest

from core.undirected.sample import Setting, draw, synthetic
from core.undirected.views import true_marginals


@pytest.mark.parametrize(("epsilon", "records"), [(0.3, 200), (5.0, 2000), (50.0, 20_000)])
def test_mean_squared_error_of_every_cell(epsilon, records):
    truth = synthetic("chain", 5, 3, seed=4)
    setting = Setting(epsilon=epsilon, records=records, populations=2000, repeats=1)
    sample = draw(truth, setting)
    exact = true_marginals(truth)
    squares = (sample.noisy[:, 0] / records - exact) ** 2
    privacy = 2 * len(truth.field.tables) ** 2 / (records * epsilon) ** 2
    predicted = exact * (1 - exact) / records + privacy
    error = 5 * squares.std(axis=0) / np.sqrt(len(squares))
    assert (np.abs(squares.mean(axis=0) - predicted) <= error).all()
    ratio = squares.mean() / predicted.mean()
    assert 0.93 < ratio < 1.07
    bias = (sample.noisy[:, 0] / records - exact).mean(axis=0)
    assert (np.abs(bias) <= 5 * np.sqrt(predicted / len(squares))).all()
