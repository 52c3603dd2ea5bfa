"""The noise that is forecast before anything is spent is the noise that comes."""

import numpy as np
import pytest

from core.methods.registry import METHODS
from core.options import Options
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from sources.study import sampled_study

FORECAST = [name for name, method in METHODS.items() if method.forecast is not None]


def deviations(method, truth, counts, scenario):
    """Root mean square noise of a cell of each family's table, and the forecast."""
    squares, size = 0.0, 0
    for release in rehearsals(method, truth.network, counts, scenario):
        squares = squares + ((release.noisy - truth.counts) ** 2).sum(axis=0)
        size += len(release.noisy)
    mean = squares / size
    found = [np.sqrt(mean[where].mean()) for where in truth.network.layout.slices]
    told = METHODS[method].forecast(truth.network, release.plan, scenario.options)
    return np.array(found), told


def test_at_least_the_methods_with_linear_estimates_have_a_forecast():
    assert {"uniform", "one-table", "equipoise"} <= set(FORECAST)


@pytest.mark.slow
@pytest.mark.parametrize("method", FORECAST)
@pytest.mark.parametrize("network", ["figure-one", "asia", "sachs", "child", "alarm"])
def test_each_familys_noise_is_forecast_within_five_percent(method, network):
    study = sampled_study(network, None, records=1000, seed=0)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(epsilon=0.5, replicates=5000)
    found, told = deviations(method, truth, study.counts, scenario)
    np.testing.assert_allclose(found, told, rtol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("method", FORECAST)
def test_floors_and_weights_are_part_of_the_forecast(method):
    study = sampled_study("asia", None, records=1000, seed=0)
    truth = Truth.of(study.network, study.counts)
    options = Options(floors=(("lung", 0.5),), weights=(("asia", 3.0), ("dysp", 0.2)))
    scenario = Scenario(epsilon=0.5, replicates=4000, options=options)
    found, told = deviations(method, truth, study.counts, scenario)
    np.testing.assert_allclose(found, told, rtol=0.05)
    plain, _ = deviations(method, truth, study.counts, Scenario(epsilon=0.5, replicates=50))
    assert not np.allclose(plain, told, rtol=0.05)


@pytest.mark.parametrize("method", FORECAST)
def test_half_the_budget_is_twice_the_noise(method):
    study = sampled_study("asia", None, records=100, seed=0)
    told = []
    for epsilon in (0.02, 0.01):
        scenario = Scenario(epsilon=epsilon, replicates=1)
        release = next(rehearsals(method, study.network, study.counts, scenario))
        told.append(METHODS[method].forecast(study.network, release.plan))
    np.testing.assert_allclose(told[1], 2 * told[0], rtol=1e-3)
