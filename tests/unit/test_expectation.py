"""Counts that the graph expects: against dense matrices, exact without noise, safe when wrong."""

import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.estimation.effects import cells_of, kronecker
from core.methods.design import agreed_design, measured, merged_plan
from core.methods.equipoise import noise_variances
from core.methods.expectation import DOUBT, EffectNoise, expected
from core.methods.filtering import STRENGTH
from core.network import Network
from core.parameters import Model
from core.scenario import Scenario
from core.study.metrics import METRICS, Truth
from core.table import Variable
from sources.study import sampled_study


def noisy_tables(network, counts, epsilon, replicates=3):
    made = agreed_design(network)
    plan = merged_plan(network, made, Scenario(epsilon=epsilon), gaussian=True)
    rng = np.random.default_rng(0)
    drawn = measured(network, counts, made, plan, replicates=replicates, rng=rng)
    return made, drawn, noise_variances(plan)


def both_errors(network, counts, metric, epsilon):
    """Of the method, and of least squares alone on the same noisy tables."""
    truth = Truth.of(network, counts)
    made, noisy, variances = noisy_tables(network, counts, epsilon, 100)
    _, guessed = expected(made, noisy, variances)
    deviations = np.sqrt(made.consistency.variances(variances))
    rungs = made.consistency.read(noisy, variances)
    plain = made.ladder.climb(rungs, STRENGTH * deviations).take(made.order, axis=0)
    return [
        METRICS[metric](truth, Model(network, side.T.copy())).mean() for side in (guessed, plain)
    ]


def test_without_noise_the_counts_are_exact():
    study = sampled_study("child", None, records=3000, seed=0)
    truth = Truth.of(study.network, study.counts)
    families, conditionals = expected(*noisy_tables(study.network, study.counts, math.inf))
    np.testing.assert_allclose(families, np.repeat(truth.counts[:, None], 3, axis=1), atol=1e-6)
    layout = study.network.layout
    totals = layout.row_totals(truth.counts)
    rows = zip(layout.row_slices, layout.shapes, strict=True)
    filled = np.concatenate([np.repeat(totals[own] > 0, shape[-1]) for own, shape in rows])
    cells = np.concatenate([np.arange(w.start, w.stop) for w in layout.slices])[filled]
    np.testing.assert_allclose(conditionals[cells, 0], truth.model.values[cells], atol=1e-9)


@pytest.mark.parametrize("name", ["asia", "sachs", "child"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_guess_is_that_of_dense_matrices(name, epsilon):
    study = sampled_study(name, None, records=10_000, seed=0)
    made, noisy, variances = noisy_tables(study.network, study.counts, epsilon)
    noise = EffectNoise.of(made.agreement, variances)
    agreed = made.agreement.apply(noisy.T).T
    rng = np.random.default_rng(1)
    model = rng.gamma(0.3, 200, agreed.shape)
    guess, _ = noise.guess(agreed, model)
    for axes, where in zip(noise.tables.axes, noise.tables.slices, strict=True):
        contrasts = kronecker(tuple(r for _, r in axes))
        own = noise.variances[where]
        covariance = contrasts.T @ (own * contrasts)
        for replicate in range(agreed.shape[1]):
            y, mu = agreed[where, replicate], np.maximum(model[where, replicate], 1e-9)
            squares = mu**2 + mu.mean() ** 2
            surplus = ((y - mu) ** 2 - np.diag(covariance) - mu).sum() / squares.sum()
            real = np.diag(mu + max(surplus, 0) * squares + DOUBT * mu**2)
            dense = mu + real @ np.linalg.solve(real + covariance, y - mu)
            off = np.abs(guess[where, replicate] - dense).max()
            assert off <= 0.01 * math.sqrt(np.diag(covariance).mean())
        assert cells_of(axes) == len(own)


def test_replicates_do_not_know_of_each_other():
    study = sampled_study("sachs", None, records=10_000, seed=0)
    made, noisy, variances = noisy_tables(study.network, study.counts, 0.5)
    together = expected(made, noisy, variances)
    alone = [expected(made, noisy[:, k : k + 1], variances) for k in range(noisy.shape[1])]
    for side in (0, 1):
        joined = np.concatenate([one[side] for one in alone], axis=1)
        np.testing.assert_allclose(together[side], joined, atol=1e-7)


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_guesses_are_better_than_plain_sums_when_the_graph_is_right(name):
    study = sampled_study(name, None, records=10_000, seed=1)
    for metric, most in (("l1_row", 0.93), ("l1_weighted", 1.0)):
        guessed, plain = both_errors(study.network, study.counts, metric, 0.2)
        assert guessed < most * plain, metric


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_a_wrong_graph_costs_little(name):
    """A quarter of the edges is missing: independences that the guess uses do not hold."""
    study = sampled_study(name, None, records=10_000, seed=1)
    edges = study.network.edges
    gone = np.random.default_rng(1).permutation(len(edges))[: len(edges) // 4].tolist()
    kept = [edge for k, edge in enumerate(edges) if k not in gone]
    parents = tuple(tuple(p for p, c in kept if c == own) for own in study.network.names)
    wrong = Network(study.network.variables, parents)
    guessed, plain = both_errors(wrong, study.counts, "l1_weighted", 0.7)
    assert guessed < 1.05 * plain


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_parents_that_the_graph_calls_independent_may_be_equal(epsilon):
    """Rows that the graph expects to be full are empty, and those it hardly expects are full."""
    three = ("0", "1", "2")
    variables = (Variable("a", three), Variable("b", three), Variable("c", ("0", "1")))
    network = Network(variables, ((), (), ("a", "b")))
    column = np.repeat([0, 1, 2], [8000, 1500, 500])
    child = (np.arange(10_000) % 10 < np.array([2, 5, 9])[column]).astype(int)
    counts = Rows(Dataset(variables, np.stack([column, column, child], axis=1)))
    for metric in ("l1_row", "l1_weighted"):
        guessed, plain = both_errors(network, counts, metric, epsilon)
        assert guessed < 1.05 * plain
