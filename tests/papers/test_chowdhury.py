"""Chowdhury, Rekatsinas, Jha (arXiv 2019, ICML 2020): what their methods do on four networks.

Expectations come from an independent implementation: 10,000 records sampled from each network.
"""

import functools

import numpy as np
import pytest

from core.privacy import inflated
from core.scenario import Scenario
from core.study.bounds import error_bounds
from core.study.experiments import match, measure, rehearsals
from core.study.metrics import Truth
from sources.study import sampled_study
from tests.wholes import sweep

NETWORKS = ("asia", "sachs", "child", "alarm")
REPLICATES = {"asia": 400, "sachs": 150, "child": 150, "alarm": 100}
ARXIV, ICML = "data-dependent-arxiv", "data-dependent-icml"
GRID = (1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 9.0)


@functools.cache
def study(name):
    found = sampled_study(name, None, records=10_000, seed=0)
    return Truth.of(found.network, found.counts), found.counts


@functools.cache
def matches(name):
    """ε at which each method has the row error of the uniform split at ε = 3."""
    truth, counts = study(name)
    scenario = Scenario(replicates=REPLICATES[name])
    points = [
        *sweep(truth, counts, scenario, methods=["uniform"], epsilons=[3.0], metrics=["l1_row"]),
        *sweep(truth, counts, scenario, methods=[ARXIV, ICML], epsilons=GRID, metrics=["l1_row"]),
    ]
    return {m.method: m.epsilon for m in match(points, "uniform", 3.0)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "error"), [("asia", 0.074), ("sachs", 0.275), ("child", 0.141), ("alarm", 0.645)]
)
def test_the_uniform_split_has_its_row_error_at_epsilon_one(name, error):
    truth, counts = study(name)
    scenario = Scenario(epsilon=1.0, replicates=REPLICATES[name])
    found = measure("uniform", truth, counts, scenario, ["l1_row"])["l1_row"].mean()
    assert found == pytest.approx(error, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arxiv", "icml"),
    [("asia", 2.1, 2.7), ("sachs", 3.2, 4.1), ("child", 3.8, 6.5), ("alarm", 3.6, 4.1)],
)
def test_the_published_allocations_do_not_replace_epsilon_three_by_one(name, arxiv, icml):
    """The claim is a match at ε = 1; the intervals are 15 % (arXiv) and 25 % (ICML)."""
    found = matches(name)
    assert found[ARXIV] == pytest.approx(arxiv, rel=0.15)
    assert found[ICML] == pytest.approx(icml, rel=0.25)
    assert found[ARXIV] < found[ICML]  # the mean of both stages makes it worse


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sachs", "child", "alarm"])
def test_the_order_of_most_probable_explanations_is_reversed(name):
    """Table 1 says the data-dependent method answers more of them; it answers fewer."""
    truth, counts = study(name)
    scenario = Scenario(epsilon=1.0, replicates=50)
    uniform, icml = (
        measure(m, truth, counts, scenario, ["map_accuracy"])["map_accuracy"].mean()
        for m in ("uniform", ICML)
    )
    assert icml < uniform
    assert uniform > 0.8


@pytest.mark.slow
def test_the_printed_order_of_budgets_does_not_occur_on_asia():
    """asia > smoke > bronc > ... in none of 200 runs; on sachs PKA leads and PKC is fourth."""
    truth, counts = study("asia")
    release = next(rehearsals(ICML, truth.network, counts, Scenario(replicates=200)))
    first = np.argsort(-release.plan.node_epsilon, axis=1)[:, :3]
    printed = [truth.network.position[n] for n in ("asia", "smoke", "bronc")]
    assert not (first == printed).all(axis=1).any()
    truth, counts = study("sachs")
    release = next(rehearsals(ICML, truth.network, counts, Scenario(replicates=200)))
    order = np.argsort(-np.median(release.plan.node_epsilon, axis=0)).tolist()
    names = [truth.network.names[i] for i in order]
    assert names[0] == "PKA"
    assert names.index("PKC") in (2, 3, 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("asia", 10, 30), ("sachs", 200, 700), ("child", 1200, 3700), ("alarm", 2000, 3700)],
)
def test_the_bounds_are_valid_and_say_nothing(name, low, high):
    """An L1 distance of two distributions is at most 2; the upper bounds start at 10."""
    truth, counts = study(name)
    release = next(rehearsals("uniform", truth.network, counts, Scenario(replicates=50)))
    bounds = error_bounds(truth.model, release.model)
    assert (bounds.lower == 0).all()  # some parameter is zero
    assert low < bounds.upper.mean() < high


def test_sampling_raises_the_relative_noise_of_stage_one():
    """β·ε = 0.1 spent on a tenth of the records: 1.39 times the noise relative to the counts."""
    on_all = 1 / 0.1
    on_sample = 1 / inflated(0.1, 0.1) / 0.1
    assert on_sample / on_all == pytest.approx(1.39, abs=0.005)
