"""The trace says what the plan says, and what it follows from."""

import math

import numpy as np
import pytest

from core.methods.plans import importance, sensitivities
from core.methods.registry import METHODS
from core.options import Options
from core.scenario import Scenario
from core.study.allocated import allocated
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from sources.study import sampled_study

PRIVATE = [m for m in METHODS if METHODS[m].guarantee.private]
STUDY = sampled_study("asia", None, records=2000, seed=0)
TRUTH = Truth.of(STUDY.network, STUDY.counts)


def trace(method, scenario):
    return allocated(method, TRUTH, STUDY.counts, scenario, ()).trace


@pytest.mark.parametrize("method", PRIVATE)
def test_nodes_and_tables_add_up_to_the_plan(method):
    scenario = Scenario(epsilon=0.8, replicates=40)
    found = trace(method, scenario)
    release = next(rehearsals(method, STUDY.network, STUDY.counts, scenario))
    plan = release.plan
    assert found.spent == pytest.approx(0.8, rel=1e-12)
    assert found.stage_one == plan.stage_one
    assert [t.variables for t in found.tables] == list(plan.tables)
    each = np.atleast_2d(plan.node_epsilon)
    np.testing.assert_allclose(
        [n.epsilon.median for n in found.nodes], np.median(each, axis=0), rtol=1e-12
    )
    assert found.varies == METHODS[method].needs_stage_one
    for node, family in zip(found.nodes, STUDY.network.families, strict=True):
        assert {v.name for v in family} <= set(found.tables[node.table].variables)
        assert node.name in found.tables[node.table].serves
        assert node.epsilon.low <= node.epsilon.median <= node.epsilon.high
        assert (node.delta is not None) == METHODS[method].needs_stage_one
        if not found.varies and plan.rho is None:
            table = found.tables[node.table]
            assert table.scale == pytest.approx(found.sensitivity / table.epsilon.median)
    assert sorted(n for t in found.tables for n in t.serves) == sorted(STUDY.network.names)


def test_the_weights_and_errors_explain_the_published_split():
    """ε_i ∝ sqrt(W_i δ_i), replicate by replicate; the medians come close."""
    scenario = Scenario(replicates=200)
    found = trace("data-dependent-arxiv", scenario)
    release = next(rehearsals("data-dependent-arxiv", STUDY.network, STUDY.counts, scenario))
    roots = np.sqrt(importance(STUDY.network) * release.plan.errors)
    np.testing.assert_allclose(
        release.plan.node_epsilon, 0.9 * roots / roots.sum(axis=1, keepdims=True), rtol=1e-9
    )
    weights = [n.weight for n in found.nodes]
    np.testing.assert_allclose(weights, importance(STUDY.network))
    np.testing.assert_allclose([n.sensitivity for n in found.nodes], sensitivities(STUDY.network))
    assert sum(n.share for n in found.nodes) == pytest.approx(1, abs=0.05)


def test_gaussian_tables_carry_rho_and_delta():
    scenario = Scenario(options=Options(delta=1e-5))
    found = trace("equipoise-zcdp", scenario)
    assert found.delta == 1e-5
    assert found.sensitivity == 1.0
    for table in found.tables:
        assert table.scale == pytest.approx(math.sqrt(1 / (2 * table.rho) + 1))
    assert trace("equipoise", scenario).delta == 0


def test_what_was_asked_for_is_shown():
    options = Options(floors=(("lung", 0.4),), weights=(("asia", 3.0),))
    scenario = Scenario(options=options)
    found = {n.name: n for n in trace("uniform", scenario).nodes}
    plain = importance(STUDY.network)[STUDY.network.position["asia"]]
    assert found["asia"].weight == pytest.approx(plain)
    assert found["asia"].importance == 3
    assert found["lung"].floor == 0.4
    assert found["lung"].share == pytest.approx(0.4)


def test_an_infinite_budget_has_no_shares():
    found = trace("equipoise", Scenario(epsilon=math.inf))
    assert all(math.isnan(n.share) for n in found.nodes)
    assert all(t.scale == 0 for t in found.tables)


def test_the_exact_model_has_nothing_to_trace():
    assert trace("exact", Scenario()) is None
