"""The error of single-variable answers against asking for each variable by itself."""

import numpy as np
import pytest

from core.inference.queries import query
from core.scenario import Scenario
from core.study.experiments import measure, rehearsals
from core.study.metrics import Truth
from sources.study import sampled_study


def test_marginal_error_is_the_mean_over_single_questions():
    study = sampled_study("asia", None, records=500, seed=0)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(replicates=5)
    found = measure("uniform", truth, study.counts, scenario, ["marginal_l1"])["marginal_l1"]
    model = next(rehearsals("uniform", study.network, study.counts, scenario)).model
    one_by_one = [
        np.abs(query(model, [name]).values - query(truth.model, [name]).values).sum(axis=-1)
        for name in study.network.names
    ]
    assert found == pytest.approx(np.mean(one_by_one, axis=0), rel=1e-9)
    assert (found > 0).all()


def test_the_exact_model_has_no_marginal_error():
    study = sampled_study("asia", None, records=500, seed=0)
    truth = Truth.of(study.network, study.counts)
    found = measure("exact", truth, study.counts, Scenario(replicates=2), ["marginal_l1"])
    assert found["marginal_l1"] == pytest.approx(0, abs=1e-12)
