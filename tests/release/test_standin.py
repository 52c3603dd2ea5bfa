"""Rehearsals in public: no private row is read, and what they forecast comes true."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.network import Network
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.metrics import Truth
from core.table import Variable
from release.review.standin import (
    DRAWS,
    earlier_release,
    own_parameters,
    random_model,
    random_tables,
    rehearsing,
)
from sources.networks import sample
from sources.study import sampled_study
from tests.wholes import rehearse

ASIA = sample("asia")
SCENARIO = Scenario(epsilon=1.0, replicates=40)


def test_the_network_s_own_parameters_forecast_the_error_on_the_rows():
    stand_in = own_parameters("asia", ASIA.network, ASIA.model)
    found = rehearse(stand_in, "equipoise", SCENARIO, records=2000)
    study = sampled_study("asia", None, records=2000, seed=77)
    truth = Truth.of(study.network, study.counts)
    real = measure("equipoise", truth, study.counts, SCENARIO, ("l1_weighted",))["l1_weighted"]
    band = found.bands["l1_weighted"]
    assert band.low <= np.median(real) <= band.high
    assert band.low <= band.low_80 <= band.low_50 <= band.median
    assert band.median <= band.high_50 <= band.high_80 <= band.high
    assert "asia" in found.title


def test_each_pool_adds_to_what_was_found():
    states = list(rehearsing(random_tables(ASIA.network), "uniform", SCENARIO, records=300))
    assert [s.runs for s in states] == [10 * (i + 1) for i in range(DRAWS)]
    assert states[0].bands != states[-1].bands
    assert states[-1] == rehearse(random_tables(ASIA.network), "uniform", SCENARIO, records=300)


def test_more_budget_is_less_error():
    few, many = (
        rehearse(random_tables(ASIA.network), "uniform", replace(SCENARIO, epsilon=e), records=500)
        for e in (0.1, 10.0)
    )
    assert many.bands["l1_row"].high < few.bands["l1_row"].low


def test_an_earlier_release_may_have_another_graph():
    other = Network(ASIA.network.variables, ((),) * len(ASIA.network.variables))
    model = random_model(other, rng=np.random.default_rng(1))
    earlier = earlier_release("release 1", ASIA.network, model, file="model.json")
    found = rehearse(earlier, "uniform", SCENARIO, records=300)
    assert found.kind == "earlier release"
    assert (found.title, found.file) == ("records drawn from release 1", "model.json")


def test_a_stand_in_over_other_variables_is_refused():
    other = Network((Variable("asia", ("a", "b", "c")),), ((),))
    model = random_model(other, rng=np.random.default_rng(1))
    with pytest.raises(EquipoiseError, match="'asia' is missing or has other states"):
        own_parameters("x", ASIA.network, model)


def test_random_rows_are_uniform_over_the_simplex():
    network = Network((Variable("a", ("0", "1", "2")),), ((),))
    rows = np.array(
        [random_model(network, rng=np.random.default_rng(i)).values for i in range(4000)]
    )
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    np.testing.assert_allclose(rows.mean(axis=0), 1 / 3, atol=5 * np.sqrt(1 / 18 / 4000))
    np.testing.assert_allclose((rows**2).mean(axis=0), 1 / 6, atol=0.01)  # Dirichlet(1, 1, 1)


@pytest.mark.parametrize(
    ("changes", "word"),
    [({"method": "none"}, "method"), ({"records": 0}, "records")],
)
def test_what_cannot_be_rehearsed_is_refused(changes, word):
    asked = {"method": "uniform", "records": 10, **changes}
    method = asked.pop("method")
    with pytest.raises(EquipoiseError, match=word):
        rehearse(random_tables(ASIA.network), method, SCENARIO, **asked)
