"""Sweeps, attacks, searches and learning curves on several processes: the same to the last bit."""

import numpy as np
import pytest

from core import parallel
from core.membership.attack import attacking, run_attack
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation, TablePopulation
from core.scenario import Scenario
from core.study.metrics import Truth
from core.study.solve import Goal, solve
from core.undirected.sample import Setting, synthetic
from core.undirected.study import curve_steps
from sources.study import sampled_study
from tests.wholes import sweep

SCENARIO = Scenario(replicates=4)
STUDY = sampled_study("asia", None, records=300, seed=0)
WORKERS = (1, 2, 3)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(parallel, "PATIENCE", 0.0)


def assert_alike(results):
    for result in results[1:]:
        assert len(result) == len(results[0])
        for one, other in zip(results[0], result, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_sweep():
    truth = Truth.of(STUDY.network, STUDY.counts)
    given = {"methods": ["uniform", "data-dependent-icml"], "epsilons": [0.3, 1.0]}
    points = [sweep(truth, STUDY.counts, SCENARIO, **given, workers=n) for n in WORKERS]
    assert [(p.method, p.epsilon, p.metric) for p in points[1]] == [
        (p.method, p.epsilon, p.metric) for p in points[0]
    ]
    assert_alike([[p.values for p in some] for some in points])


@pytest.mark.parametrize(("release", "drawn"), [("exact", True), ("uniform", False)])
def test_an_attack(release, drawn):
    people = ModelPopulation(STUDY.population) if drawn else TablePopulation(STUDY.dataset)
    asked = Attack(release, 50, 12, (0.05, 0.1))
    results = [run_attack(people, STUDY.network, asked, SCENARIO, workers=n) for n in (1, 2)]
    assert results[1].auc == results[0].auc
    assert results[1].powers == results[0].powers and results[1].scored == results[0].scored
    assert_alike([[result.found] for result in results])


def test_an_attack_that_is_left_has_told_what_it_found():
    asked = Attack("exact", 50, 20)
    parts = attacking(ModelPopulation(STUDY.population), STUDY.network, asked, SCENARIO, 2)
    first = next(parts)
    parts.close()
    assert 0 < first.pools < 20


def test_a_search():
    truth, goal = Truth.of(STUDY.network, STUDY.counts), Goal(0.2, "l1_row")
    methods = ["uniform", "equipoise", "data-dependent-icml"]
    results = [
        solve(truth, STUDY.counts, SCENARIO, goal, methods=methods, workers=n) for n in WORKERS
    ]
    assert results[0] == results[1] == results[2]


def test_learning_curves():
    truth = synthetic("chain", 4, 2, seed=0)
    wanted = [("naive", 1.0, 100), ("cgm", 1.0, 100), ("naive", 0.3, 200)]
    results = []
    for workers in WORKERS:
        outcomes = {}
        list(curve_steps(outcomes, truth, Setting(populations=2), wanted, workers=workers))
        results.append([outcomes[point].divergence for point in wanted])
    assert_alike(results)
