"""Reading tables through the graph: exact without noise, better with it, safe when it is wrong."""

import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.methods.design import FILTERED, design, filter_design, measured, merged_plan
from core.methods.equipoise import noise_variances
from core.methods.filtering import refined
from core.network import Network
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import METRICS, Truth
from core.table import Variable
from sources.study import sampled_study


def errors(method, truth, counts, metric="l1_weighted", **knobs):
    scenario = Scenario(**{"replicates": 60, **knobs})
    parts = [
        METRICS[metric](truth, r.model) for r in rehearsals(method, truth.network, counts, scenario)
    ]
    return np.concatenate(parts).mean()


def test_without_noise_the_counts_are_exact():
    study = sampled_study("child", None, records=3000, seed=0)
    truth = Truth.of(study.network, study.counts)
    made = filter_design(study.network)
    plan = merged_plan(study.network, made, Scenario(epsilon=math.inf))
    rng = np.random.default_rng(0)
    noisy = measured(study.network, study.counts, made, plan, replicates=2, rng=rng)
    families, _ = refined(made, noisy, noise_variances(plan))
    np.testing.assert_allclose(families, np.repeat(truth.counts[:, None], 2, axis=1), atol=1e-6)


def test_filtering_tables_are_larger_than_plain_ones():
    study = sampled_study("child", None, records=10, seed=0)
    plain, filtered = design(study.network), filter_design(study.network)
    assert len(filtered.tables) < len(plain.tables)
    assert filtered.merged.costing == FILTERED


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_the_filter_is_better_than_plain_sums_when_the_graph_is_right(name):
    study = sampled_study(name, None, records=10_000, seed=1)
    truth = Truth.of(study.network, study.counts)
    for metric in ("l1_row", "l1_weighted"):
        plain = errors("equipoise", truth, study.counts, metric, epsilon=0.7)
        filtered = errors("equipoise-filter", truth, study.counts, metric, epsilon=0.7)
        assert filtered < 0.97 * plain


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_a_wrong_graph_costs_little(name):
    """A quarter of the edges is missing: independences that the filter uses do not hold."""
    study = sampled_study(name, None, records=10_000, seed=1)
    network = study.network
    rng = np.random.default_rng(1)
    gone = set(rng.permutation(len(network.edges))[: len(network.edges) // 4].tolist())
    kept = [edge for k, edge in enumerate(network.edges) if k not in gone]
    parents = tuple(tuple(p for p, c in kept if c == name) for name in network.names)
    truth = Truth.of(Network(network.variables, parents), study.counts)
    plain = errors("equipoise", truth, study.counts, epsilon=0.7)
    assert errors("equipoise-filter", truth, study.counts, epsilon=0.7) < 1.25 * plain


def test_a_graph_that_denies_everything_is_not_believed():
    """Two equal columns, declared independent; a filter that trusts the graph would lose them.

    The merged table holds both. Their marginals stay right, however wrong the model is.
    """
    variables = tuple(Variable(n, ("0", "1", "2")) for n in "ab")
    network = Network(variables, ((), ()))
    column = np.repeat([0, 1, 2], [800, 150, 50])
    counts = Rows(Dataset(variables, np.stack([column, column], axis=1)))
    truth = Truth.of(network, counts)
    assert len(filter_design(network).tables) == 1
    plain = errors("equipoise", truth, counts, epsilon=2.0, replicates=400)
    assert errors("equipoise-filter", truth, counts, epsilon=2.0, replicates=400) < 1.3 * plain
