import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.allocation import BudgetPlan, Measurement, even_plan
from core.errors import EquipoiseError
from core.privacy import Neighbours, check_epsilon, check_fraction, check_parts, laplace_scale
from core.scenario import Scenario
from tests.strategies import networks


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, 1e9, -math.inf])
def test_an_epsilon_that_means_nothing_is_refused_with_its_value(epsilon):
    with pytest.raises(EquipoiseError, match="epsilon is"):
        check_epsilon(epsilon)


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, math.nan])
@pytest.mark.parametrize("knob", ["split", "rate"])
def test_beta_and_gamma_lie_strictly_inside(value, knob):
    with pytest.raises(EquipoiseError, match="strictly between 0 and 1"):
        Scenario(**{knob: value})
    assert check_fraction("beta", 0.5) == 0.5


@pytest.mark.parametrize(
    ("knobs", "words"),
    [({"replicates": 0}, "replicates is 0"), ({"replicates": 20_000}, "20,000"),
     ({"seed": -1}, "seed is -1")],
)
def test_a_scenario_refuses_what_it_cannot_run(knobs, words):
    with pytest.raises(EquipoiseError, match=words):
        Scenario(**knobs)


def test_replace_doubles_the_scale():
    assert laplace_scale(0.5, Neighbours.ADD_REMOVE) == 2
    assert laplace_scale(0.5, Neighbours.REPLACE) == 4


def test_parts_above_the_budget_are_refused_by_exact_arithmetic():
    check_parts([0.1] * 10, 1.0)
    with pytest.raises(EquipoiseError, match="more than the budget"):
        check_parts([0.1] * 10 + [1e-9], 1.0)
    with pytest.raises(EquipoiseError, match="epsilon is 0"):
        check_parts([0.5, 0.0], 1.0)


@given(networks(), st.floats(0.01, 100), st.sampled_from(Neighbours))
def test_the_even_plan_spends_epsilon_and_no_more(network, epsilon, neighbours):
    plan = even_plan(network, epsilon, neighbours)
    assert plan.spent == pytest.approx(epsilon, rel=1e-12)
    assert set(plan.node_epsilon) == {epsilon / len(network.names)}
    assert plan.scales[0] == pytest.approx(
        2 * len(network.names) * neighbours.histogram_sensitivity / epsilon
    )


def test_a_plan_that_overspends_cannot_be_made():
    parts = (Measurement(("a",), 2, 0.7), Measurement(("b",), 2, 0.4))
    with pytest.raises(EquipoiseError, match="more than the budget"):
        BudgetPlan(1.0, Neighbours.ADD_REMOVE, parts, (0.7, 0.4))
