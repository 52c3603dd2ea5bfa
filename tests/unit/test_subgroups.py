"""Who bears the error: against one row and one state at a time."""

import numpy as np
import pytest

from core.scenario import Scenario
from core.study.answered import explained, likeliest
from core.study.bands import MEDIAN, bands
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from core.study.subgroups import by_size, by_state
from sources.study import sampled_study
from tests import brute_force

SCENARIO = Scenario(epsilon=0.5, replicates=6)


@pytest.fixture(scope="module")
def measured():
    study = sampled_study("asia", None, records=800, seed=2)
    truth = Truth.of(study.network, study.counts)
    (release,) = rehearsals("uniform", study.network, study.counts, SCENARIO)
    return study, truth, release.model


def test_rows_by_size_one_by_one(measured):
    study, truth, model = measured
    groups = by_size("uniform", truth, study.counts, SCENARIO)
    errors, biases = {}, {}
    for node, exact in enumerate(truth.model.conditionals):
        held = truth.network.layout.unpack(truth.counts, node)
        private = model.conditional(node).values
        for setting in np.ndindex(exact.values.shape[:-1]):
            records = int(held[setting].sum())
            if not records:
                continue
            size = next(i for i, low in enumerate((1, 10, 100, 1000))
                        if low <= records < 10 * low)  # fmt: skip
            rows, row = private[:, *setting], exact.values[setting]
            errors.setdefault(size, []).append(np.abs(rows - row).sum(axis=-1))
            biases.setdefault(size, []).append(rows[:, row.argmax()] - row.max())
    assert [g.name for g in groups] == ["1 to 9 records", "10 to 99 records", "100 to 999 records"]
    assert [g.members for g in groups] == [len(errors[size]) for size in sorted(errors)]
    for group, size in zip(groups, sorted(errors), strict=True):
        np.testing.assert_allclose(group.error, bands(np.mean(errors[size], axis=0)), rtol=1e-10)
        np.testing.assert_allclose(group.bias, bands(np.mean(biases[size], axis=0)), atol=1e-12)
    assert sum(g.share for g in groups) == pytest.approx(1)
    assert groups[0].error[MEDIAN] > groups[-1].error[MEDIAN]  # the rare bear it


def test_people_by_state_off_the_joint_distribution(measured):
    study, truth, model = measured
    groups = by_state("bronc", "uniform", truth, study.counts, SCENARIO)
    assert [g.name for g in groups] == ["bronc = yes", "bronc = no"]
    for group, state in zip(groups, ("yes", "no"), strict=True):
        off = []
        for other in study.network.names:
            if other == "bronc":
                continue
            exact, chance = brute_force.query(truth.model, [other], {"bronc": state})
            private, chances = brute_force.query(model, [other], {"bronc": state})
            off.append(np.abs(private / chances[:, None] - exact / chance).sum(axis=-1))
        np.testing.assert_allclose(group.error, bands(np.mean(off, axis=0)), rtol=1e-8)
        np.testing.assert_allclose(group.bias, bands(chances - chance), atol=1e-10)
        assert group.share == pytest.approx(float(chance))


def test_the_likeliest_states_of_some_variables(measured):
    study, truth, model = measured
    given, targets = {"smoke": "yes"}, ["bronc", "dysp"]
    found = explained(given, "uniform", truth, study.counts, SCENARIO, targets)
    exact, _ = brute_force.query(truth.model, targets, given)
    private, _ = brute_force.query(model, targets, given)
    assert tuple(found.truth) == np.unravel_index(exact.argmax(), exact.shape)
    for row, joint in zip(found.private, private, strict=True):
        assert tuple(row) == np.unravel_index(joint.argmax(), joint.shape)
    assert list(found.states) == targets
    assert found.whole == np.mean([(row == found.truth).all() for row in found.private])
    assert likeliest.__doc__
