"""Every variable's posterior at once: equal to one question at a time, and to brute force."""

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.queries import marginals, query
from core.parameters import Model
from core.scenario import Scenario
from core.study.answered import answered, beliefs
from core.study.bands import MEDIAN
from core.study.metrics import Truth
from sources.study import sampled_study

SCENARIO = Scenario(epsilon=0.5, replicates=15, seed=3)
EVIDENCE = {
    "asia": {"xray": "yes", "smoke": "no"},
    "sachs": {"PKA": "LOW"},
    "alarm": {"CVP": "HIGH", "HR": "LOW", "PRESS": "NORMAL"},
}


@pytest.fixture(params=EVIDENCE)
def case(request):
    study = sampled_study(request.param, None, records=3000, seed=1)
    return study, Truth.of(study.network, study.counts), EVIDENCE[request.param]


def test_each_variable_is_answered_as_if_it_were_asked_alone(case):
    study, truth, given = case
    found = beliefs(given, "equipoise", truth, study.counts, SCENARIO)
    for i, name in enumerate(truth.network.names):
        if name in given:
            known = truth.network.variables[i].code(given[name])
            assert found.truth[i][known] == found.private[i][MEDIAN, known] == 1
            continue
        alone = answered(Query((name,), given), "equipoise", truth, study.counts, SCENARIO)
        np.testing.assert_allclose(found.truth[i], alone.truth, atol=1e-12)
        np.testing.assert_allclose(found.private[i], alone.bands, atol=1e-12)


def test_without_evidence_they_are_the_marginals(case):
    study, truth, _ = case
    found = beliefs({}, "uniform", truth, study.counts, SCENARIO)
    for exact, marginal in zip(found.truth, truth.marginals, strict=True):
        np.testing.assert_array_equal(exact, marginal)


def test_replicates_in_any_number_of_axes_are_answered_together(case):
    _, truth, given = case
    twice = Model(truth.network, np.stack([truth.model.values] * 6).reshape(2, 3, -1))
    for many, one in zip(marginals(twice, given), marginals(truth.model, given), strict=True):
        assert many.shape == (2, 3, one.size)
        np.testing.assert_allclose(many, np.broadcast_to(one, many.shape), atol=1e-12)


def test_impossible_evidence_is_refused_by_its_names():
    study = sampled_study("asia", None, records=2000, seed=0)
    truth = Truth.of(study.network, study.counts)
    given = {"either": "no", "lung": "yes", "tub": "no"}  # either is lung or tub
    with pytest.raises(EquipoiseError, match="tub=no, lung=yes, either=no has probability 0"):
        beliefs(given, "uniform", truth, study.counts, SCENARIO)
    with pytest.raises(EquipoiseError, match="has probability 0"):
        query(truth.model, ["smoke"], given)
    with pytest.raises(EquipoiseError, match="no variable 'nobody'"):
        beliefs({"nobody": "yes"}, "uniform", truth, study.counts, SCENARIO)
