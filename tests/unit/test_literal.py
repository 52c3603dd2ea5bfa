"""The printed conversion: equal to its slow twin, and wrong whatever the budget."""

import numpy as np
import pytest

from core.methods.procedure import literal
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.metrics import METRICS, Truth
from sources.study import sampled_study


def model(study, epsilon):
    rng = np.random.default_rng(0)
    return literal(
        study.network, study.counts, epsilon=epsilon, neighbours=Neighbours.ADD_REMOVE,
        replicates=20, rng=rng,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_no_budget_repairs_the_printed_formula(name):
    study = sampled_study(name, None, records=10_000, seed=0)
    truth = Truth.of(study.network, study.counts)
    for epsilon in (1.0, 1e6):
        assert 0.25 < np.median(METRICS["l1_weighted"](truth, model(study, epsilon))) < 0.6
    counted = measure("uniform", truth, study.counts, Scenario(), ["l1_weighted"])["l1_weighted"]
    assert np.median(counted) < 0.07


def test_without_noise_it_averages_conditionals_as_if_they_were_marginals():
    # asia -> tub: as printed, the table of tub is P(tub | asia), a mass of one for each row, and
    # says asia is as likely as not; the table of asia knows better, and they meet in the middle.
    study = sampled_study("asia", None, records=10_000, seed=0)
    network = study.network
    truth = Truth.of(network, study.counts)
    own = truth.model.conditional(network.index("asia")).values
    gap = (own[0] - own[1]) / 2
    mass = np.mean([c.values.sum() for c in truth.model.conditionals])
    found = model(study, 1e6).conditional(network.index("asia")).values[0]
    assert found == pytest.approx([(1 + gap / mass) / 2, (1 - gap / mass) / 2], abs=1e-3)
    assert abs(found - own).max() > 0.1
