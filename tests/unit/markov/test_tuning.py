"""DP-SGD tuned over a grid, and the random reference: as in the paper."""

import json
from dataclasses import replace

import numpy as np
import pytest

from cli import main
from core.markov.belief import marginals
from core.undirected import tuning
from core.undirected.estimators import RANDOM_PENALTY, estimate
from core.undirected.sample import Setting, draw, synthetic
from core.undirected.study import TUNING, measure
from sources.accounting import noise_multiplier

TRUTH = synthetic("chain", 5, 3, seed=0)
SMALL = Setting(records=500, populations=2, repeats=2)


@pytest.mark.parametrize("records", [1, 1000, 10_000, 100_000, 10**7])
def test_the_grid_covers_every_parameter_at_a_bounded_cost(records):
    ways = tuning.grid(records)
    assert len(set(ways)) == len(ways)
    assert {way.pace for way in ways} == set(tuning.PACES)
    assert {way.clip for way in ways} == set(tuning.CLIPS)
    visits = [way.steps * way.rate * records for way in ways]
    least = min(steps * rate for steps, rate in tuning.SCHEDULES) * records
    assert max(visits) <= max(tuning.VISITS, least)
    if records <= 100_000:
        assert len({(way.steps, way.rate) for way in ways}) == tuning.TRIED


def test_more_noise_is_answered_by_smaller_steps(monkeypatch):
    """The best way follows from the error: with hopeless noise it is to stay where one is."""
    monkeypatch.setattr(tuning, "SCHEDULES", ((20, 1.0),))
    monkeypatch.setattr(tuning, "PACES", (1e-6, 3.0))
    loud = tuning.tuned(TRUTH, SMALL, lambda *_: 1e4)
    silent = tuning.tuned(TRUTH, SMALL, lambda *_: 0.0)
    assert (loud.pace, silent.pace) == (1e-6, 3.0)


def test_a_search_is_repeatable_and_a_given_training_is_kept():
    first, again = (tuning.tuned(TRUTH, SMALL, noise_multiplier) for _ in range(2))
    assert first == again
    given = replace(SMALL, training=replace(first, pace=0.123))
    outcome = measure("dp-sgd", draw(TRUTH, given), noise_multiplier)
    assert outcome.training == given.training
    assert measure("dp-sgd", draw(TRUTH, SMALL), noise_multiplier).training == first


def test_tuned_steps_beat_every_fixed_choice_of_before_where_noise_dominates():
    weak = replace(SMALL, epsilon=0.05)
    tuned = measure("dp-sgd", draw(TRUTH, weak), noise_multiplier).divergence.mean()
    for way in (
        tuning.Training(steps=100, rate=0.1, clip=0.7, pace=1.0),
        tuning.Training(steps=300, rate=0.03, pace=2.0),
    ):
        fixed = replace(weak, training=way)
        assert tuned < measure("dp-sgd", draw(TRUTH, fixed), noise_multiplier).divergence.mean()


def test_the_random_reference_is_the_likeliest_model_of_random_tables():
    """Where the likelihood is largest, tables = marginals + 2 λ θ: they must be tables."""
    sample = draw(TRUTH, SMALL)
    learned = estimate("random", sample)
    assert learned.converged.all()
    _, mean = marginals(TRUTH.field, learned.theta)
    tables = mean + 2 * RANDOM_PENALTY * learned.theta
    left = 0.1 * RANDOM_PENALTY  # the gradient that the solver leaves in a cell
    assert tables.min() > -left
    for where in TRUTH.field.slices:
        np.testing.assert_allclose(tables[..., where].sum(axis=-1), 1, atol=left * 9)
    # they are drawn one by one, so they contradict each other, and no two replicates agree
    rows = [tables[..., w].reshape(2, 2, 3, 3).sum(axis=-1) for w in TRUTH.field.slices[:2]]
    assert np.abs(rows[0] - rows[1]).max() > 0.1
    assert np.abs(tables[0, 0] - tables[0, 1]).max() > 0.1


def test_the_shell_says_how_dp_sgd_was_tuned(capsys):
    line = ["undirected", "--nodes", "3", "--states", "2", "--records", "200"]
    assert main([*line, "--estimators", "naive,dp-sgd"]) == 0
    assert TUNING in capsys.readouterr().out
    assert main([*line, "--estimators", "dp-sgd", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["training"]["pace"] in tuning.PACES
    assert main([*line, "--estimators", "naive"]) == 0
    assert TUNING not in capsys.readouterr().out


def test_what_is_not_solved_is_counted(capsys, monkeypatch):
    monkeypatch.setattr("core.markov.collective.ROUNDS", 0)
    outcome = measure("cgm", draw(TRUTH, SMALL))
    assert outcome.unfinished == 4
    assert measure("naive", draw(TRUTH, SMALL)).unfinished == 0
    line = "undirected --nodes 3 --states 2 --records 200 --estimators cgm"
    assert main(line.split()) == 0
    assert "cgm at ε = 1 and 200 records: 10 replicates were not" in capsys.readouterr().out
