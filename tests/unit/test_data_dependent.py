"""The published allocation's own estimate of its errors, cell by cell."""

import numpy as np
import pytest

from core.methods import data_dependent
from core.methods.data_dependent import estimated_errors
from core.methods.method import packed_counts
from core.methods.plans import even_shares, importance, paired_plan
from core.methods.procedure import measure_families
from core.methods.registry import METHODS
from core.options import Options
from core.parameters import fit
from core.privacy import inflated
from core.scenario import Scenario
from core.study.experiments import rehearsals
from sources.study import sampled_study

STUDY = sampled_study("asia", None, records=300, seed=0)
NETWORK = STUDY.network


def by_hand(model, stage, floor):
    """Mean over a family's cells of θ sqrt(1 / N(parents)² + 1 / N(cell)²), each floored."""
    layout, found = NETWORK.layout, np.zeros((len(stage.tables), len(NETWORK.variables)))
    for replicate in range(len(found)):
        for node, family in enumerate(NETWORK.families):
            where = layout.slices[node]
            theta, cells = (a[replicate, where] for a in (model.values, stage.tables))
            rows = stage.parents[replicate, layout.row_owner == node]
            terms = [
                theta[i] * np.hypot(1 / max(rows[i // family[-1].cardinality], floor),
                                    1 / max(cells[i], floor))
                for i in range(len(cells))
            ]  # fmt: skip
            found[replicate, node] = sum(terms) / len(terms)
    return found


@pytest.mark.parametrize("floor", [0.5, 20.0])
def test_errors_are_those_of_the_formula(floor):
    counts = packed_counts(NETWORK, STUDY.counts)
    stage = measure_families(
        NETWORK, counts, np.full(8, 4.0), replicates=3, rng=np.random.default_rng(1)
    )
    model = fit(NETWORK, stage.consistent.copy("K"))
    found = estimated_errors(NETWORK, model, stage, floor)
    np.testing.assert_allclose(found, by_hand(model, stage, floor), rtol=1e-12)


@pytest.mark.parametrize("epsilon", [1.0, 500.0])
def test_counts_are_floored_at_one_deviation_of_their_noise(monkeypatch, epsilon):
    floors = []

    def kept(network, model, stage, floor):
        floors.append(floor)
        return estimated_errors(network, model, stage, floor)

    monkeypatch.setattr(data_dependent, "estimated_errors", kept)
    scenario = Scenario(epsilon=epsilon, replicates=2)
    for _ in rehearsals("data-dependent-arxiv", NETWORK, STUDY.counts, scenario):
        pass
    first = inflated(scenario.split * epsilon, scenario.rate)
    plan = paired_plan(NETWORK, first, scenario.neighbours, even_shares(NETWORK, first))
    assert floors == [pytest.approx(np.sqrt(2) * plan.scales[0])]


def test_the_budget_goes_by_importance_weight_and_error_and_locks_hold():
    """ε_i ∝ sqrt(W_i w_i δ_i) of what Stage I leaves, but for a floor."""
    first, last = NETWORK.names[0], NETWORK.names[-1]
    for floors in ((), ((last, 0.6),)):
        options = Options(weights=((first, 9.0),), floors=floors)
        scenario = Scenario(epsilon=0.8, replicates=3, options=options)
        method = METHODS["data-dependent-arxiv"]
        plan = method.run(NETWORK, STUDY.counts, scenario, rng=np.random.default_rng(2)).plan
        roots = np.sqrt(importance(NETWORK) * options.weights_of(NETWORK) * plan.errors)
        assert plan.stage_one == scenario.split * 0.8
        rest, others = 0.8 - plan.stage_one, slice(0, -1 if floors else None)
        left = 0.4 * rest if floors else rest
        shares = roots[:, others] / roots[:, others].sum(axis=1, keepdims=True)
        np.testing.assert_allclose(plan.node_epsilon[:, others], left * shares, rtol=1e-12)
        np.testing.assert_allclose(plan.node_epsilon.sum(axis=1), rest, rtol=1e-12)
