"""Studies of undirected models: every view in steps, the accountant, the verb."""

import itertools
import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from cli import main
from core.errors import EquipoiseError
from core.markov.belief import marginals
from core.markov.dpsgd import Training
from core.markov.mobility import Town, generate, split, town_field
from core.markov.synthetic import random_field
from core.privacy import Neighbours
from core.undirected import mobility, study
from core.undirected.estimators import ESTIMATORS, estimate
from core.undirected.people_descent import descended, segments
from core.undirected.sample import Setting, draw, synthetic
from core.undirected.study import curve_steps, measure
from core.undirected.views import (
    learned_marginals,
    mean_squares,
    penalised,
    projected,
    slopes,
    step_divergences,
    true_marginals,
)
from sources.accounting import noise_multiplier

TRUTH = synthetic("chain", 5, 3, seed=0)
SMALL = Setting(records=2000, populations=2, repeats=2)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_gives_a_model_for_every_replicate(name, monkeypatch):
    learned = []

    def kept(*asked):
        learned.append(estimate(*asked))
        return learned[-1]

    monkeypatch.setattr(study, "estimate", kept)
    outcome = measure(name, draw(TRUTH, SMALL), noise_multiplier)
    (theta,) = [model.theta for model in learned]
    assert theta.shape == (2, 2, TRUTH.field.size)
    assert np.isfinite(theta).all()
    assert outcome.divergence.shape == (4,)
    assert (outcome.divergence >= 0).all()


@pytest.mark.parametrize("name", ["naive", "cgm", "gaussian"])
def test_an_infinite_epsilon_leaves_the_sampling_error(name):
    sample = draw(TRUTH, replace(SMALL, epsilon=math.inf))
    private = measure(name, sample, noise_multiplier).divergence
    exact = measure("non-private", sample).divergence
    np.testing.assert_allclose(private, exact, atol=0.01)


def test_curves_are_measured_point_by_point_and_the_same_again():
    points = [(name, e, 500) for name in ("naive", "cgm") for e in (0.5, 2.0)]
    found, again = {}, {}
    steps = curve_steps(found, TRUTH, SMALL, points)
    for done, _ in enumerate(steps, start=1):
        assert len(found) == done
    for _ in itertools.islice(curve_steps(again, TRUTH, SMALL, points[2:]), 1):
        pass
    assert list(again) == points[2:3]  # stopped, and what was done is kept
    np.testing.assert_array_equal(found[points[2]].divergence, again[points[2]].divergence)
    assert found["naive", 0.5, 500].divergence.mean() > found["naive", 2.0, 500].divergence.mean()


def test_more_populations_leave_the_noise_of_an_epsilon_stretched_only():
    one, other = (draw(TRUTH, replace(SMALL, epsilon=e)) for e in (0.5, 1.0))
    np.testing.assert_allclose(one.noisy - one.exact, 2 * (other.noisy - other.exact))


def test_the_scatter_and_the_squares_and_their_slopes():
    names = ("naive", "cgm", "non-private")
    found = {name: learned_marginals(name, TRUTH, SMALL) for name in names}
    exact = true_marginals(TRUTH)
    gaps = {name: np.abs(values - exact).mean() for name, values in found.items()}
    assert gaps["non-private"] < gaps["naive"]
    many = replace(SMALL, epsilon=0.1, populations=300, repeats=1)
    squares = {n: mean_squares(TRUTH, replace(many, records=n), ())
               for n in (100, 1000, 10**7, 10**8)}  # fmt: skip
    learned = mean_squares(TRUTH, replace(SMALL, records=1000), ("naive",))
    assert learned.each["naive"].mean() < learned.noisy
    for point in squares.values():
        assert point.noisy == pytest.approx(point.predicted, rel=0.15)
    falling = slopes({n: p.noisy for n, p in squares.items()})
    assert falling[0] == pytest.approx(-2, abs=0.1)
    assert falling[-1] == pytest.approx(-1, abs=0.15)


def test_projection_and_penalty_and_stopping_views():
    noisier = replace(SMALL, epsilon=0.3)
    outcomes = projected(TRUTH, replace(noisier, records=500))
    assert outcomes[True].divergence.mean() < outcomes[False].divergence.mean()
    swept = [penalised(TRUTH, noisier, strength) for strength in (1e-4, 1e-2, 1.0)]
    noisy, exact = ([one[kind].mean() for one in swept] for kind in ("noisy", "exact"))
    assert noisy[0] > noisy[1] < noisy[2]  # it must be tuned
    assert exact[0] < exact[1] < exact[2]  # exact tables need no penalty
    away = list(step_divergences(draw(TRUTH, SMALL), 4, start=np.zeros(1)))
    assert len(away) == 5
    assert away[4].mean() < away[0].mean()


def test_settings_and_names_that_cannot_run_are_refused():
    with pytest.raises(EquipoiseError, match="records is 0"):
        Setting(records=0)
    with pytest.raises(EquipoiseError, match="no estimator 'x'; there are naive"):
        estimate("x", draw(TRUTH, SMALL))
    for wrong in ({"steps": -1}, {"steps": 10**30}, {"share": math.inf}, {"strength": math.inf}):
        with pytest.raises(EquipoiseError, match="up to 10,000 steps and a penalty that is"):
            Setting(**wrong)
    for nodes, states in ((10**9, 2), (4, 10**9)):
        with pytest.raises(EquipoiseError, match="too large; take at most 1,000 of each"):
            synthetic("chain", nodes, states, seed=0)
    for density in (-1.0, 0.0, 5.0, math.nan):
        with pytest.raises(EquipoiseError, match="it must lie above 0 and at most at 1"):
            random_field(4, 2, density, rng=np.random.default_rng(0))
    with pytest.raises(EquipoiseError, match="needs an accountant"):
        estimate("gaussian", draw(TRUTH, SMALL))
    with pytest.raises(EquipoiseError, match="no shape 'ring'"):
        synthetic("ring", 4, 2, seed=0)
    with pytest.raises(EquipoiseError, match="at most 2,000,000 in all"):
        sample = draw(TRUTH, replace(SMALL, records=3_000_000))
        estimate("dp-sgd", sample, noise_multiplier)


def test_the_accountant_agrees_with_the_gaussian_mechanism():
    from dp_accounting import gaussian_mechanism

    one = noise_multiplier(1.0, 1e-5, 1.0, 1)
    assert gaussian_mechanism.get_epsilon_gaussian(one, 1e-5) == pytest.approx(1.0, rel=1e-6)
    assert noise_multiplier(1.0, 1e-5, 1.0, 100) == pytest.approx(10 * one)
    sampled = noise_multiplier(1.0, 1e-5, 0.02, 100)
    assert 0.5 < sampled < 10 * one * 0.1  # a small sample hides a record
    assert noise_multiplier(2.0, 1e-5, 0.02, 100) < sampled
    assert noise_multiplier(math.inf, 1e-5, 0.02, 100) == 0
    with pytest.raises(EquipoiseError, match="delta is 0"):
        noise_multiplier(1.0, 0.0, 1.0, 1)


def test_starting_does_not_pay_for_the_accountant():
    code = "import cli, sys; raise SystemExit('dp_accounting' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_generated_people_move_as_the_town_says():
    town = Town(people=4000, presence=0.9)
    days = generate(town, rng=np.random.default_rng(0))
    learn, test = split(days)
    assert len(learn) == 3000
    assert len(test) == 1000
    seen = days[days.any(axis=-1)]
    before, after = seen[:, :-1], seen[:, 1:]
    at_place = before > 0
    stayed = (before == after)[at_place].mean()
    left = (after == 0)[at_place].mean()
    elsewhere = 1 - town.stay - town.leave  # which may be the same place again
    assert town.stay < stayed < town.stay + elsewhere
    assert left == pytest.approx(town.leave, abs=0.02)
    assert town_field(town).tree.cells == 5 * 81
    with pytest.raises(EquipoiseError, match="stay and leave add up to 1"):
        Town(stay=0.7, leave=0.3)


def test_holdout_likelihood_rises_with_epsilon_to_the_exact_one():
    case = mobility.make_case(Town(people=1000, places=4), seed=0, repeats=3)
    found = {(name, e): mobility.holdout(case, name, e)
             for name in mobility.ESTIMATORS for e in (0.05, 50.0)}  # fmt: skip
    exact = found["non-private", 50.0].log_likelihood.mean()
    for name in ("naive", "cgm"):
        assert found[name, 0.05].log_likelihood.mean() < exact - 0.1
        assert found[name, 50.0].log_likelihood.mean() == pytest.approx(exact, abs=0.02)


def test_descent_on_people_clips_each_and_nears_the_exact_fit():
    town = Town(people=400, places=3, segments=6)
    case = mobility.make_case(town, seed=0, repeats=1)
    each = segments(case, town, seed=0)
    lengths = case.field.multiplicity[case.field.owner]
    np.testing.assert_allclose(each.sum(axis=0) / lengths, case.exact, atol=1e-9)
    one = Training(steps=1, rate=1.0, clip=0.5, pace=2.0, momentum=0.0)
    theta = descended(case.field, each, 0.0, [one], rng=np.random.default_rng(0))[0]
    mean = marginals(case.field, np.zeros(case.field.size))[1]
    steps = [(g := own - mean) * min(1, 0.5 / np.linalg.norm(g)) for own in each if own.any()]
    np.testing.assert_allclose(theta, 2.0 * np.sum(steps, axis=0) / len(each), atol=1e-12)
    long = Training(steps=100, rate=1.0, clip=9.0, pace=3.0)
    learned = descended(case.field, each, 0.0, [long], rng=np.random.default_rng(0))
    exact = mobility.holdout(case, "non-private", 1.0).log_likelihood.mean()
    assert mobility.likelihoods(case, learned)[0] == pytest.approx(exact, abs=0.05)


def test_the_verb_gives_the_documented_rows(capsys):
    line = (
        "undirected --estimators naive,cgm --nodes 5 --states 2 --records 500,1000 "
        "--epsilons 0.5,2 --populations 2 --repeats 1 --json"
    )
    assert main(line.split()) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 8
    wanted = {"estimator", "epsilon", "records", "kl", "low", "high", "seconds"}
    assert all(wanted <= set(row) for row in rows)
    assert all(row["low"] <= row["kl"] <= row["high"] for row in rows)
    assert main(["undirected", "--network", "asia", "--records", "1000"]) == 0
    assert "8 variables, 8 tables" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("--estimators magic", "no estimator 'magic'"),
        ("--epsilon 0", "epsilon is 0"),
        ("--states 60", "so merge states"),
        ("--network asia --dag x.bif", "at most one of"),
        ("--records 1.5", "not whole"),
    ],
)
def test_a_bad_question_is_one_sentence(capsys, line, sentence):
    try:
        code = main(["undirected", *line.split()])
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_a_replaced_record_costs_dp_sgd_a_removal_and_an_addition():
    asked = []

    def accountant(epsilon, delta, rate, steps):
        asked.append((epsilon, delta))
        return 1.0

    truth = synthetic("chain", 3, 2, seed=0)
    for neighbours in Neighbours:
        setting = Setting(
            epsilon=1.0, records=50, delta=0.01, neighbours=neighbours, populations=1, repeats=1
        )
        measure("dp-sgd", draw(truth, setting), accountant)
    both = pytest.approx(0.01 / (1 + math.exp(0.5)))  # the search asks more than once
    assert list(dict.fromkeys(asked)) == [(1.0, 0.01), (0.5, both)]
