"""Composed guarantees against Google's accounting library and against each other."""

import math
from collections import Counter

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as google
from hypothesis import given, settings
from hypothesis import strategies as st

from core.membership.bound import (
    PublishedBound,
    guaranteed_advantage,
    guaranteed_auc,
    guaranteed_power,
)
from core.membership.curves import find, noisy_complexity, release_curves
from core.membership.gaussian import delta_of
from core.membership.tradeoff import RESPONSE, compose, composed
from core.methods.noise import GAUSSIAN_TABLE
from core.methods.plans import BudgetPlan
from core.methods.registry import METHODS
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.experiments import rehearsals
from release.preview import Nothing
from sources.study import sampled_study

ALPHAS = np.array([1e-4, 0.001, 0.01, 0.1, 0.5, 0.9])


def plan_of(parts, neighbours=Neighbours.REPLACE, cells=None, **more):
    parts = np.array(parts, dtype=float)
    tables = tuple((f"t{i}",) for i in range(parts.shape[-1]))
    sizes = cells or (4,) * len(tables)
    total = float(parts.sum(axis=-1).max()) + more.get("stage_one", 0.0)
    return BudgetPlan(total, neighbours, tables, sizes, parts, parts[..., :1], **more)


@pytest.mark.parametrize("tables", [1, 8, 37])
@pytest.mark.parametrize("noise", ["laplace", "discrete laplace"])
def test_composition_agrees_with_dp_accounting(tables, noise):
    own = 1 / (2 * tables)  # ε of one coordinate: two cells of each table change in a swap
    ours = composed(plan_of([1 / tables] * tables), noise)
    make = {
        "laplace": lambda: google.from_laplace_mechanism(
            1 / own, value_discretization_interval=1e-5
        ),
        "discrete laplace": lambda: google.from_discrete_laplace_mechanism(
            own, sensitivity=1, value_discretization_interval=1e-5
        ),
    }[noise]
    theirs = make().self_compose(2 * tables)
    for epsilon in np.linspace(0, 1, 21):
        expected = theirs.get_delta_for_epsilon(float(epsilon))
        assert ours.delta(float(epsilon)) == pytest.approx(expected, abs=1e-3)


def test_unequal_tables_agree_with_dp_accounting():
    parts = [0.5, 0.3, 0.15, 0.05]
    ours = composed(plan_of(parts), "laplace")
    theirs = google.identity(value_discretization_interval=1e-5)
    for part in parts:
        one = google.from_laplace_mechanism(2 / part, value_discretization_interval=1e-5)
        theirs = theirs.compose(one.self_compose(2))
    for epsilon in (0.0, 0.2, 0.5, 0.9):
        expected = theirs.get_delta_for_epsilon(epsilon)
        assert ours.delta(epsilon) == pytest.approx(expected, abs=1e-4)


def test_37_tables_sharing_epsilon_one():
    together = composed(plan_of([1 / 37] * 37), "laplace")
    assert float(together.powers(np.array([0.01]))[0]) == pytest.approx(0.0135, abs=1e-4)
    assert together.auc == pytest.approx(0.533, abs=1e-3)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.floats(0.01, 2), min_size=1, max_size=12),
    st.sampled_from(["laplace", "discrete laplace"]),
    st.sampled_from(list(Neighbours)),
)
def test_epsilon_alone_is_never_below_the_composed_guarantee(parts, noise, neighbours):
    plan = plan_of(parts, neighbours)
    network = sampled_study("figure-one", None, records=50, seed=0).network
    curves = release_curves(plan, noise, network, 1000)
    pure, together = find(curves, "pure_epsilon"), find(curves, "composed")
    assert (pure.powers(ALPHAS) >= together.powers(ALPHAS) - 1e-12).all()
    assert pure.auc >= together.auc - 1e-12
    # the grid rounds outwards: before the smaller is taken it may exceed ε by very little only
    raw = composed(plan, noise).powers(ALPHAS)
    exact = [guaranteed_power(a, plan.epsilon, neighbours) for a in ALPHAS]
    assert (raw <= np.array(exact) + 1e-3).all()
    assert (raw >= ALPHAS - 1e-9).all()


def test_one_response_is_the_pure_curve():
    found = compose(Counter({(RESPONSE, 1.5): 1})).powers(ALPHAS)
    pure = [guaranteed_power(a, 1.5, Neighbours.REPLACE) for a in ALPHAS]
    assert found == pytest.approx(pure, abs=1e-3)


@pytest.mark.parametrize(
    ("epsilon", "times"), [(1e-6, 1000), (1e-3, 2000), (0.01, 20_000), (0.1, 1000), (50.0, 1)]
)
def test_no_alarm_is_too_rare_for_the_guarantee(epsilon, times):
    """The slow twin: answers that are wrong are binomial, summed from the rarest on."""
    wrong = np.arange(times + 1)
    ways = [math.lgamma(times + 1) - math.lgamma(k + 1) - math.lgamma(times - k + 1) for k in wrong]
    right = -np.log1p(math.exp(-epsilon)) * times
    power = np.cumsum(np.exp(np.array(ways) + right - epsilon * wrong))
    false = np.cumsum(np.exp(np.array(ways) + right - epsilon * (times - wrong)))
    alarms = np.geomspace(1e-15, 1e-3, 49)
    exact = np.interp(alarms, np.append(0, false), np.append(0, power))
    found = compose(Counter({(RESPONSE, epsilon): times})).powers(alarms)
    assert (found >= exact * (1 - 1e-9)).all()


def test_a_table_of_one_cell_does_not_change_in_a_swap():
    with_total = composed(plan_of([0.5, 0.5], cells=(4, 1)), "laplace")
    alone = composed(plan_of([0.5], cells=(4,)), "laplace")
    assert with_total.powers(ALPHAS) == pytest.approx(alone.powers(ALPHAS))


@pytest.mark.parametrize("noise", ["discrete laplace", "laplace"])
@pytest.mark.parametrize("cells", [(2, 1, 1, 1, 1), (1, 1, 1), (4, 4, 1, 1, 1), (1, 4, 4, 4)])
def test_one_record_more_is_found_no_more_often_than_in_a_swap(noise, cells):
    """Every total changes by one then: columns of one state have nothing else to be found by."""
    parts = np.linspace(0.9, 0.3, len(cells))
    plan = plan_of(parts.tolist(), Neighbours.ADD_REMOVE, cells=cells)
    more = compose(Counter((noise, 1 / scale) for scale in plan.scales.tolist()))
    assert (composed(plan, noise).powers(ALPHAS) >= more.powers(ALPHAS) * (1 - 1e-3)).all()


def test_stages_that_look_at_records_are_bounded_stage_by_stage():
    plan = plan_of([[0.9, 0.0 + 1e-6], [0.4, 0.5]], stage_one=0.1)
    both = composed(plan, "laplace")
    pair = compose(Counter({(RESPONSE, 0.1): 1, (RESPONSE, plan.epsilon - 0.1): 1}))
    assert both.powers(ALPHAS) == pytest.approx(pair.powers(ALPHAS), rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-3, 30.0, 1000.0])
def test_extreme_budgets_stay_within_guessing_and_certainty(epsilon):
    found = composed(plan_of([epsilon / 20] * 20, Neighbours.ADD_REMOVE), "discrete laplace")
    powers = found.powers(ALPHAS)
    assert np.isfinite(powers).all()
    assert (powers >= ALPHAS - 1e-9).all() and (powers <= 1 + 1e-9).all()
    assert 0.5 <= found.auc <= 1 + 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_its_curves(method):
    study = sampled_study("asia", None, records=500, seed=0)
    scenario = Scenario(epsilon=1.0, replicates=4)
    release = next(rehearsals(method, study.network, study.counts, scenario))
    curves = release_curves(release.plan, release.noise, study.network, 500)
    if method == "exact":
        assert curves == ()
        return
    pure = release.plan.delta == 0
    last = (["gaussian"], ["guarantee"]) if pure else ([], [])
    assert [c.key for c in curves] == ["pure_epsilon", "composed", "noisy", *last[0]]
    assert [c.claim for c in curves] == ["guarantee", "guarantee", "heuristic", *last[1]]
    alarms = np.linspace(0.001, 0.999, 200)
    if pure:  # appendix H is looser than ε alone, and touches it
        slack = curves[-1].powers(alarms) - curves[0].powers(alarms)
        assert slack.min() >= -1e-12
        assert slack.min() < 0.01
    assert curves[1].auc < curves[0].auc


@pytest.mark.parametrize("deviation", [0.7, 5.0, 60.0])
def test_discrete_gaussian_noise_agrees_with_dp_accounting(deviation):
    ours = compose(Counter({("discrete gaussian", 1 / deviation): 6}))
    theirs = google.from_discrete_gaussian_mechanism(
        deviation, sensitivity=1, value_discretization_interval=1e-4
    ).self_compose(6)
    for epsilon in np.linspace(0, 3, 13) * ours.advantage:
        expected = theirs.get_delta_for_epsilon(float(epsilon))
        assert ours.delta(float(epsilon)) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("epsilon", [1e-5, 1e-9])
def test_more_gaussian_noise_than_is_tabulated_is_bounded_and_quick(epsilon):
    """A table of the noise itself would need gigabytes."""
    network = sampled_study("asia", None, records=10, seed=0).network
    scenario = Scenario(epsilon=epsilon, replicates=1)
    plan = next(rehearsals("equipoise-zcdp", network, Nothing(known=0), scenario)).plan
    assert plan.scales.min() > GAUSSIAN_TABLE
    found = composed(plan, "discrete gaussian")
    # Gaussian privacy of two cells of each table, at the largest tabulated deviation
    strength = math.sqrt(2 * len(plan.tables)) / GAUSSIAN_TABLE
    assert 0.5 < found.auc < 0.5 + strength


def test_gaussian_tables_compose_to_one_gaussian():
    ours = compose(Counter({("discrete gaussian", 1 / 20): 8}))
    mu = math.sqrt(8) / 20
    assert ours.delta(0.1) == pytest.approx(delta_of(0.1, mu), abs=1e-5)
    curve = PublishedBound(2 * mu**2, 2)  # Theorem 1 at this mu: the same two normals
    assert ours.powers(ALPHAS) == pytest.approx(curve.powers(ALPHAS), rel=2e-3)


@given(st.floats(0.05, 5), st.floats(1e-6, 0.1), st.floats(0.001, 0.999))
def test_the_guarantee_with_delta_keeps_both_inequalities(epsilon, delta, alpha):
    power = guaranteed_power(alpha, epsilon, Neighbours.REPLACE, delta)
    assert guaranteed_power(alpha, epsilon, Neighbours.REPLACE) <= power <= 1
    assert power <= math.exp(epsilon) * alpha + delta + 1e-12
    assert 1 - alpha <= math.exp(epsilon) * (1 - power) + delta + 1e-9


def test_area_and_gap_with_delta_are_those_of_the_curve():
    for epsilon, delta in ((1.0, 0.05), (0.3, 0.0), (2.0, 0.2)):
        grid = np.linspace(1e-9, 1 - 1e-9, 200_001)
        found = [guaranteed_power(a, epsilon, Neighbours.REPLACE, delta) for a in grid]
        area = np.trapezoid(found, grid)
        assert guaranteed_auc(epsilon, Neighbours.REPLACE, delta) == pytest.approx(area, abs=1e-5)
        gap = max(f - a for f, a in zip(found, grid, strict=True))
        assert guaranteed_advantage(epsilon, Neighbours.REPLACE, delta) == pytest.approx(
            gap, abs=1e-5
        )
    twice = guaranteed_power(0.01, 1.0, Neighbours.ADD_REMOVE, 1e-3)
    assert twice == pytest.approx(math.exp(2) * 0.01 + (1 + math.e) * 1e-3)


def test_infinite_epsilon_guarantees_nothing():
    study = sampled_study("asia", None, records=500, seed=0)
    scenario = Scenario(epsilon=math.inf, replicates=2)
    release = next(rehearsals("uniform", study.network, study.counts, scenario))
    assert release_curves(release.plan, release.noise, study.network, 500) == ()


def test_the_noisy_complexity_lies_between_nothing_and_the_span():
    network = sampled_study("figure-one", None, records=50, seed=0).network
    sizes = (4, 8)
    loud = noisy_complexity(plan_of([1e-4, 1e-4], cells=sizes), network, 1000)
    quiet = noisy_complexity(plan_of([1e6 / 2, 1e6 / 2], cells=sizes), network, 1000)
    assert loud < 1e-3
    assert quiet == pytest.approx(3 + 7, abs=1e-6)


@pytest.mark.parametrize("noise", ["laplace", "discrete gaussian"])
def test_tests_of_the_model_agree_with_dp_accounting(noise):
    """Two tests after three tables: each as the worst mechanism of its ε, which is one answer."""
    plan, tests = plan_of([0.4, 0.4, 0.2]), (0.3, 0.1)
    ours = composed(plan, noise, tests)
    theirs = google.identity(value_discretization_interval=1e-5)
    for scale in plan.scales.tolist():
        make = google.from_laplace_mechanism
        if noise != "laplace":
            make = google.from_discrete_gaussian_mechanism
        one = make(scale, value_discretization_interval=1e-5)
        theirs = theirs.compose(one.self_compose(2))
    for epsilon in tests:
        worst = google.from_privacy_parameters(
            google.common.DifferentialPrivacyParameters(epsilon, 0.0),
            value_discretization_interval=1e-5,
        )
        theirs = theirs.compose(worst)
    for epsilon in (0.0, 0.2, 0.5, 0.9, 1.2):
        expected = theirs.get_delta_for_epsilon(epsilon)
        assert ours.delta(epsilon) == pytest.approx(expected, abs=2e-4)
        assert ours.delta(epsilon) >= composed(plan, noise).delta(epsilon)
