"""Every metric against sums over the whole joint distribution and over single rows."""

import math

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.scenario import Scenario
from core.study.experiments import measure, rehearsals
from core.study.fixed_questions import MARGINAL
from core.study.metrics import FLOOR, METRICS, Truth, divergences
from sources.study import sampled_study
from tests import brute_force
from tests.wholes import sweep

REPLICATES = 4


@pytest.fixture(scope="module", params=["asia", "figure-one"])
def measured(request):
    """Truth, private models one by one, and every metric of them together."""
    study = sampled_study(request.param, None, records=300, seed=1)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(epsilon=0.4, replicates=REPLICATES)
    (release,) = rehearsals("uniform", study.network, study.counts, scenario)
    values = measure("uniform", truth, study.counts, scenario, tuple(METRICS))
    return truth, release.model, values


def rows(truth, model):
    """(exact row, private rows, records in it) of every row of every conditional."""
    for node, exact in enumerate(truth.model.conditionals):
        private = model.conditional(node).values
        held = truth.network.layout.unpack(truth.counts, node)
        for setting in np.ndindex(exact.values.shape[:-1]):
            yield exact.values[setting], private[:, *setting], held[setting].sum()


def divergence(private, exact):
    """KL(private || truth) in nats, one cell after the other."""
    return sum(p * math.log(p / max(q, FLOOR)) for p, q in zip(private, exact, strict=True) if p)


def mean_over_seen(truth, model, distance):
    pairs = [(q, ps) for q, ps, records in rows(truth, model) if records]
    return [np.mean([distance(ps[r], q) for q, ps in pairs]) for r in range(REPLICATES)]


def asked(truth, model):
    """(exact, private answers) to each question, off the whole joint distribution."""
    for question in truth.questions:
        exact, given = brute_force.query(truth.model, question.targets, question.given)
        private, possible = brute_force.query(model, question.targets, question.given)
        flat = np.full((REPLICATES, exact.size), 1 / exact.size)  # where noise rules it out
        for answer, joint, chance in zip(flat, private, possible, strict=True):
            if chance > 0:
                answer[:] = (joint / chance).ravel()
        yield question, (exact / given).ravel(), flat


def l1(private, exact):
    return sum(abs(p - q) for p, q in zip(private, exact, strict=True))


def test_parameters_counted_alike_and_summed(measured):
    truth, model, values = measured
    off = [[l1(ps[r], q) for q, ps, _ in rows(truth, model)] for r in range(REPLICATES)]
    cells = sum(len(q) for q, _, _ in rows(truth, model))
    np.testing.assert_allclose(values["l1_sum"], np.sum(off, axis=1), rtol=1e-12)
    np.testing.assert_allclose(values["l1_parameter"], np.sum(off, axis=1) / cells, rtol=1e-12)


def test_rows_counted_alike(measured):
    truth, model, values = measured
    np.testing.assert_allclose(values["l1_row"], mean_over_seen(truth, model, l1), rtol=1e-10)
    kl = mean_over_seen(truth, model, divergence)
    np.testing.assert_allclose(values["kl_row"], kl, rtol=1e-10)


@pytest.mark.parametrize("kind", ["marginal", "conditional"])
@pytest.mark.parametrize(("name", "distance"), [("l1", l1), ("kl", divergence)])
def test_questions_with_and_without_evidence_apart(measured, kind, name, distance):
    truth, model, values = measured
    some = [(q, ps) for one, q, ps in asked(truth, model) if bool(one.given) == (kind[0] == "c")]
    assert len(some) == MARGINAL
    twin = [np.mean([distance(ps[r], q) for q, ps in some]) for r in range(REPLICATES)]
    np.testing.assert_allclose(values[f"{kind}_query_{name}"], twin, rtol=1e-8, atol=1e-12)


def test_both_kinds_together_are_the_twenty_questions(measured):
    _, _, values = measured
    halves = (values["marginal_query_l1"] + values["conditional_query_l1"]) / 2
    np.testing.assert_allclose(values["query_l1"], halves, rtol=1e-12)


def test_likeliest_answers_are_those_of_the_joint_distribution(measured):
    truth, model, values = measured
    every = list(asked(truth, model))
    twin = [
        np.mean([ps[r].argmax() == q.argmax() for _, q, ps in every]) for r in range(REPLICATES)
    ]
    np.testing.assert_allclose(values["marginal_map_accuracy"], twin, atol=1e-12)
    assert 0 < values["marginal_map_accuracy"].min() <= values["marginal_map_accuracy"].max() <= 1


def test_the_exact_model_is_off_by_nothing():
    study = sampled_study("asia", None, records=300, seed=1)
    truth = Truth.of(study.network, study.counts)
    values = measure("exact", truth, study.counts, Scenario(replicates=1), tuple(METRICS))
    for name, found in values.items():
        assert found == pytest.approx(1.0 if "map" in name else 0.0, abs=1e-12), name


def test_a_state_that_never_occurs_counts_as_a_millionth():
    assert divergences(np.array([0.5, 0.5]), np.array([1.0, 0.0])).sum() == pytest.approx(
        0.5 * math.log(0.5) + 0.5 * math.log(0.5 / 1e-6)
    )


def test_answers_of_another_model_are_not_taken_for_this_one(measured):
    truth, model, _ = measured
    first = METRICS["query_l1"](truth, model)
    assert METRICS["query_l1"](truth, truth.model) == pytest.approx(0, abs=1e-12)
    np.testing.assert_array_equal(METRICS["query_l1"](truth, model), first)


def test_an_unknown_metric_is_refused_with_those_there_are():
    study = sampled_study("asia", None, records=50, seed=1)
    truth = Truth.of(study.network, study.counts)
    with pytest.raises(EquipoiseError, match=r"no metric 'l7'; there are l1_row, .*kl_row"):
        sweep(truth, study.counts, Scenario(), methods=["uniform"], epsilons=[1], metrics=["l7"])
