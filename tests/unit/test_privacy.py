import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.gaussian_noise import gaussian_budget
from core.methods.plans import (
    BudgetPlan,
    check_parts,
    even_shares,
    importance,
    paired_plan,
    sensitivities,
)
from core.network import Network
from core.privacy import Neighbours, check_epsilon, check_fraction, concentrated, inflated, leakage
from core.scenario import Scenario
from core.table import Variable
from tests.strategies import networks


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, 1e9, -math.inf])
def test_an_epsilon_that_means_nothing_is_refused_with_its_value(epsilon):
    with pytest.raises(EquipoiseError, match="epsilon is"):
        check_epsilon(epsilon)


def test_an_epsilon_of_zero_is_not_called_too_small_and_a_million_is_the_largest():
    with pytest.raises(EquipoiseError, match="epsilon is 0; it must be a positive number"):
        check_epsilon(0.0)
    assert check_epsilon(1e6) == 1e6
    with pytest.raises(EquipoiseError, match=r"at most 1e\+06 is accepted"):
        check_epsilon(math.nextafter(1e6, math.inf))


OUTSIDE = [0, -0.1, 1.5, math.nan]


@pytest.mark.parametrize(
    ("knob", "value"), [*(("split", v) for v in [*OUTSIDE, 1]), *(("rate", v) for v in OUTSIDE)]
)
def test_beta_and_gamma_lie_strictly_inside(knob, value):
    with pytest.raises(EquipoiseError, match="strictly between 0 and 1"):
        Scenario(**{knob: value})
    assert check_fraction("beta", 0.5) == 0.5
    assert Scenario(rate=1).rate == 1  # Stage I may look at every record


@pytest.mark.parametrize(
    ("knobs", "words"),
    [
        ({"replicates": 0}, "replicates is 0"),
        ({"replicates": 200_000}, "200,000"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_a_scenario_refuses_what_it_cannot_run(knobs, words):
    with pytest.raises(EquipoiseError, match=words):
        Scenario(**knobs)


def test_parts_above_the_budget_are_refused():
    check_parts(np.full(10, 0.1), 1.0)
    with pytest.raises(EquipoiseError, match="more than the budget"):
        check_parts(np.array([0.1] * 10 + [1e-11]), 1.0)
    with pytest.raises(EquipoiseError, match="part of the budget is 0"):
        check_parts(np.array([0.5, 0.0]), 1.0)
    with pytest.raises(EquipoiseError, match="part of the budget is nan"):
        check_parts(np.array([0.5, np.nan]), 1.0)
    with pytest.raises(EquipoiseError, match="more than the budget"):
        check_parts(np.array([[0.5, 0.5], [0.6, 0.5]]), 1.0)


@given(st.floats(0.001, 50), st.floats(0.01, 0.99))
def test_amplification_turns_the_inflated_epsilon_back(epsilon, rate):
    back = math.log1p(rate * math.expm1(inflated(epsilon, rate)))
    assert back == pytest.approx(epsilon, rel=1e-9)
    assert inflated(epsilon, rate) > epsilon


@pytest.mark.parametrize("epsilon", [599.0, 600.5, 700.0, 700.5, 1e6])
@pytest.mark.parametrize("rate", [1e-12, 0.1, 1.0])
def test_amplification_does_not_overflow(epsilon, rate):
    """However rare the sample: a budget that overflows would be one without noise."""
    assert inflated(epsilon, rate) == pytest.approx(epsilon - math.log(rate), rel=1e-14)


@given(networks(), st.floats(0.01, 100), st.sampled_from(Neighbours))
def test_the_even_plan_spends_epsilon_and_no_more(network, epsilon, neighbours):
    plan = paired_plan(network, epsilon, neighbours, even_shares(network, epsilon))
    assert plan.spent == pytest.approx(epsilon, rel=1e-12)
    assert set(plan.node_epsilon.tolist()) == {epsilon / len(network.names)}
    assert plan.scales[0] == pytest.approx(
        2 * len(network.names) * neighbours.l1_sensitivity / epsilon
    )


def test_a_plan_that_overspends_cannot_be_made():
    parts = np.array([0.7, 0.4])
    with pytest.raises(EquipoiseError, match="more than the budget"):
        BudgetPlan(1.0, Neighbours.ADD_REMOVE, (("a",), ("b",)), (2, 2), parts, parts)


@pytest.mark.parametrize("epsilon", [math.nan, 0.0, 1e9])
def test_a_plan_has_a_budget_that_means_something(epsilon):
    parts = np.array([1e-9])
    with pytest.raises(EquipoiseError, match="epsilon is"):
        BudgetPlan(epsilon, Neighbours.ADD_REMOVE, (("a",),), (2,), parts, parts)


def test_a_family_is_measured_with_all_its_parents_and_they_without_it():
    parents = ((), (), ("a", "b"))
    network = Network(tuple(Variable(n, ("0", "1", "2")) for n in "abc"), parents)
    plan = paired_plan(network, 1.0, Neighbours.REPLACE, even_shares(network, 1.0))
    assert plan.tables == (("a",), (), ("b",), (), ("a", "b", "c"), ("a", "b"))
    assert plan.cells == (3, 1, 3, 1, 27, 9) and plan.serving == (0, 2, 4)


def test_the_sensitivity_and_weight_of_the_papers_example():
    """Figure 1, binary: the worked example gives one half for A."""
    parents = ((), (), ("A", "B"), ("C",), ("C",), ("D", "E"))
    network = Network(tuple(Variable(n, ("0", "1")) for n in "ABCDEF"), parents)
    np.testing.assert_allclose(sensitivities(network), [0.5, 0.5, 0.125, 0.25, 0.25, 0])
    np.testing.assert_allclose(importance(network)[[0, 2, 5]], [4 * 2 * 1.5, 3 * 3 * 1.125, 1])


@pytest.mark.parametrize(
    ("rho", "epsilon"),
    [(0.02, 1.0), (0.5, 5.0), (0.001, 0.1), (2.0, 20.0), (0.3, 0.5), (2.0, 0.5)],
)
def test_delta_of_concentrated_privacy_equals_another_accountants(rho, epsilon):
    from dp_accounting.rdp import rdp_privacy_accountant

    orders = 1 + np.geomspace(1e-3, 1e5, 4000)
    delta, _ = rdp_privacy_accountant.compute_delta(orders, rho * orders, epsilon)
    assert leakage(rho, epsilon) == pytest.approx(delta, rel=1e-3)
    assert leakage(rho, epsilon) <= delta * (1 + 1e-9)  # the best order, not one of a list


@given(st.floats(0.01, 100), st.floats(1e-12, 0.1))
def test_the_concentrated_budget_is_the_largest_that_keeps_delta(epsilon, delta):
    rho = concentrated(epsilon, delta)
    assert leakage(rho, epsilon) <= delta
    assert leakage(rho * 1.001, epsilon) > delta


@pytest.mark.parametrize("rho", [36.0, 37.0, 100.0, 1e6])
def test_of_much_rho_and_no_epsilon_everything_leaks(rho):
    """The best order is then one, as far as a double goes, where the formula has no logarithms."""
    assert leakage(rho, 0.0) == pytest.approx(1, abs=1e-9)
    assert leakage(rho, 2 * rho) < 1


def test_the_concentrated_budget_at_its_ends():
    assert concentrated(math.inf, 1e-6) == math.inf
    assert leakage(0.0, 1.0) == 0
    with pytest.raises(EquipoiseError, match="delta is 0"):
        concentrated(1.0, 0.0)


def test_a_gaussian_plan_is_checked_against_rho():
    rho = gaussian_budget(1.0, 1e-6).rho
    parts, tables = np.array([0.5, 0.5]), (("a",), ("b",))

    def plan(whole):
        shares = whole * parts
        return BudgetPlan(
            1.0, Neighbours.REPLACE, tables, (2, 2), parts, parts, delta=1e-6, rho=shares
        )

    np.testing.assert_allclose(plan(rho).scales, math.sqrt(2 / rho + 1))
    with pytest.raises(EquipoiseError, match="more than the budget"):
        plan(1.01 * rho)


def test_a_plan_keeps_its_own_numbers_and_lets_nobody_write_them():
    given = {name: np.array([0.4, 0.6]) for name in ("parts", "node_epsilon", "errors")}
    rho = concentrated(1.0, 1e-6) * np.array([0.4, 0.6])
    tables = (("a",), ("b",))
    plan = BudgetPlan(1.0, Neighbours.REPLACE, tables, (2, 2), **given, delta=1e-6, rho=rho)
    for name in ("parts", "node_epsilon", "errors", "rho"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(plan, name)[0] = 0.9
    given["parts"][0] = 0.9  # whoever made it may go on with its array
    assert plan.parts.tolist() == [0.4, 0.6]
    with pytest.raises(AttributeError):
        plan.epsilon = 2.0


def test_what_stage_one_costs_is_no_more_there_for_the_tables():
    def plan(parts):
        shares = np.array(parts)
        return BudgetPlan(
            1.0, Neighbours.ADD_REMOVE, (("a",), ("b",)), (2, 2), shares, shares, stage_one=0.25
        )

    made = plan([0.25, 0.5])
    assert made.spent == 1.0 and made.stage_two == 0.75
    assert made.delta == 0.0  # pure, unless it says otherwise
    for parts in ([0.25, 0.51], [0.5, 0.5], [0.5, 0.75]):
        with pytest.raises(EquipoiseError, match=r"more than the budget 0\.75"):
            plan(parts)


@pytest.mark.parametrize("tables", [1, 3, 24])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_sensitivities_are_distances_between_neighbours(neighbours, tables):
    """Of one histogram and of several, by what a record moves: not by another formula."""
    one = np.array([1.0] if neighbours is Neighbours.ADD_REMOVE else [1.0, -1.0])
    several = np.tile(one, tables)
    assert neighbours.l1_sensitivity == np.abs(one).sum()
    assert neighbours.l2_sensitivity == pytest.approx(np.linalg.norm(one), rel=1e-15)
    assert neighbours.l1_over(tables) == np.abs(several).sum()
    assert neighbours.l2_over(tables) == pytest.approx(np.linalg.norm(several), rel=1e-14)


def test_the_smallest_budgets_and_shares_are_refused_where_doubles_give_out():
    assert check_epsilon(1e-50) == 1e-50 and check_fraction("a share", 1e-12) == 1e-12
    with pytest.raises(EquipoiseError, match="at least 1e-50 is accepted"):
        check_epsilon(9e-51)
    with pytest.raises(EquipoiseError, match="a share is 9e-13; at least 1e-12"):
        check_fraction("a share", 9e-13)
