"""Solving backwards: the ε found reaches the goal, a smaller one does not, and refusals say why."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.counts import Rows
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.sampling import sample
from core.options import Options
from core.scenario import Scenario
from core.study.experiments import measure, rehearsals
from core.study.metrics import Truth
from core.study.solve import LIMITS, Goal, quantile_interval, resampled, sampling_error, solve
from sources.study import sampled_study

SCENARIO = Scenario(replicates=30)


@pytest.fixture(scope="module")
def asia():
    study = sampled_study("asia", None, records=5000, seed=0)
    return Truth.of(study.network, study.counts), study.counts


@pytest.mark.parametrize("metric", ["l1_row", "l1_weighted", "query_l1"])
@pytest.mark.parametrize("method", ["uniform", "equipoise"])
def test_the_epsilon_found_reaches_the_goal_and_three_percent_less_does_not(asia, method, metric):
    truth, counts = asia
    (found,) = solve(truth, counts, SCENARIO, Goal(0.03, metric), methods=[method])
    at = measure(method, truth, counts, replace(SCENARIO, epsilon=found.epsilon), [metric])
    less = replace(SCENARIO, epsilon=0.97 * found.epsilon)
    before = measure(method, truth, counts, less, [metric])
    assert at[metric].mean() == pytest.approx(found.reached, rel=1e-9)
    assert found.reached <= 0.03 < before[metric].mean()
    assert found.low < found.reached < found.high


def test_accuracy_asks_for_at_least(asia):
    truth, counts = asia
    (found,) = solve(truth, counts, SCENARIO, Goal(0.95, "map_accuracy"), methods=["uniform"])
    assert found.reached >= 0.95


def test_a_list_of_queries_lies_within_the_limit_in_95_percent_of_the_releases(asia):
    truth, counts = asia
    goal = Goal(0.02, queries=(Query(("lung",), {"smoke": "yes"}), Query(("xray", "dysp"))))
    (found,) = solve(truth, counts, SCENARIO, goal, methods=["equipoise"])
    assert found.reached <= 0.02
    tighter = replace(goal, limit=0.01)
    (more,) = solve(truth, counts, SCENARIO, tighter, methods=["equipoise"])
    assert more.epsilon > found.epsilon


@pytest.mark.parametrize(("size", "least"), [(100, 0.93), (1000, 0.93), (40, 0.84)])
def test_the_interval_of_a_quantile_holds_it(size, least):
    """It had the width of the mean's, which holds the quantile of 50 values half of the time."""
    rng, truth, rounds = np.random.default_rng(5), stats.gamma.ppf(0.95, 4), 600
    spans = [quantile_interval(rng.gamma(4, size=size), 0.95) for _ in range(rounds)]
    assert np.mean([span.low <= truth <= span.high for span in spans]) > least
    assert all(span.low <= span.mean <= span.high for span in spans)


def test_an_answer_within_limits_has_the_interval_of_its_quantile(asia):
    goal = Goal(0.05, queries=(Query(("lung",)),))
    (found,) = solve(*asia, Scenario(replicates=100), goal, methods=["uniform"])
    truth, counts = asia
    at = Scenario(replicates=100, epsilon=found.epsilon)
    (release,) = rehearsals("uniform", truth.network, counts, at)
    span = quantile_interval(goal.errors(truth, release.model), 0.95)
    assert (found.low, found.reached, found.high) == (span.low, span.mean, span.high)


def test_goals_beyond_the_limits_are_answered_in_words(asia):
    truth, counts = asia
    easy, hard = Goal(1.99, "l1_row"), Goal(1e-7, "l1_row")
    (found,) = solve(truth, counts, SCENARIO, easy, methods=["equipoise"])
    assert found.epsilon == LIMITS[0]
    assert "even at" in found.reason
    (found,) = solve(truth, counts, SCENARIO, hard, methods=["uniform"])
    assert found.epsilon is None
    assert "not reached" in found.reason


def test_a_prior_can_keep_the_goal_out_of_reach(asia):
    truth, counts = asia
    heavy = replace(SCENARIO, options=Options(prior=500.0))
    (found,) = solve(truth, counts, heavy, Goal(0.05, "l1_row"), methods=["equipoise"])
    assert found.epsilon is None
    assert "prior" in found.reason


def test_the_population_needs_more_budget_or_is_out_of_reach(asia):
    truth, counts = asia
    goal = Goal(0.03, "query_l1")
    about = replace(goal, population=True)
    (records,) = solve(truth, counts, SCENARIO, goal, methods=["uniform"])
    (population,) = solve(truth, counts, SCENARIO, about, methods=["uniform"])
    assert population.epsilon > records.epsilon
    tiny = replace(about, limit=0.9 * sampling_error(truth, about, 0))
    (none,) = solve(truth, counts, SCENARIO, tiny, methods=["uniform"])
    assert none.epsilon is None
    assert "5,000 records alone are off by" in none.reason


def test_resampled_models_err_as_models_of_new_samples_do(asia):
    truth, _ = asia
    rng = np.random.default_rng(5)
    twins = [
        Truth.of(truth.network, Rows(sample(truth.model, truth.records, rng=rng))).model.values
        for _ in range(40)
    ]
    fast = resampled(truth, 40, rng=np.random.default_rng(6)).values
    heavy = truth.row_counts > 50
    rows = truth.network.layout.row_totals
    slow_error = rows(np.abs(np.stack(twins) - truth.model.values))[:, heavy].mean()
    fast_error = rows(np.abs(fast - truth.model.values))[:, heavy].mean()
    assert fast_error == pytest.approx(slow_error, rel=0.1)


def test_bad_goals_are_refused():
    with pytest.raises(EquipoiseError, match="must be positive"):
        Goal(0.0, "l1_row")
    with pytest.raises(EquipoiseError, match="no metric 'x'"):
        Goal(0.1, "x")


def test_accuracy_has_no_population(asia):
    truth, counts = asia
    goal = Goal(0.9, "map_accuracy", population=True)
    with pytest.raises(EquipoiseError, match="against the records"):
        solve(truth, counts, SCENARIO, goal, methods=["uniform"])


def test_progress(asia):
    truth, counts = asia
    seen = []
    found = solve(
        truth,
        counts,
        SCENARIO,
        Goal(0.1, "l1_row"),
        methods=["uniform", "equipoise"],
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]
    assert [s.method for s in found] == ["uniform", "equipoise"]
