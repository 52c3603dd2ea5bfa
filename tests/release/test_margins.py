"""Where a proof decides: just outside of what is private, by less than any double would see."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

from core.errors import EquipoiseError
from core.gaussian_noise import KAPPA, MOST_CHANGED, GaussianBudget, gaussian_budget
from core.privacy import best_order
from release import rationals
from release.rationals import (
    GRID,
    amplified,
    choosing_epsilon,
    decimal,
    gaussian_deviation,
    proved_budget,
    within,
)

STEP = Fraction(1, GRID)


def wide(value):
    """A fraction in mpmath's own digits."""
    return mpmath.mpf(value.numerator) / value.denominator


def exactly(value):
    return Fraction(mpmath.nstr(value, 90, min_fixed=0, max_fixed=0))


def concentrated_leak(rho, epsilon):
    """δ of rho-concentrated privacy at the order that the proof takes."""
    order = wide(Fraction(best_order(float(rho), float(epsilon))))
    lost = mpmath.exp((order - 1) * (order * wide(rho) - wide(epsilon)))
    return lost / (order - 1) * (1 - 1 / order) ** order


def gaussian_leak(rho, epsilon):
    """δ whose part for continuous noise is what it leaks at the ε that is left to it."""
    slack = wide(decimal(KAPPA)) * MOST_CHANGED
    less, m = wide(epsilon) - 2 * slack, mpmath.sqrt(2 * wide(rho))
    leaks = mpmath.ncdf(m / 2 - less / m) - mpmath.exp(less) * mpmath.ncdf(-m / 2 - less / m)
    return leaks * mpmath.exp(slack)


PROOFS = [(rationals._is_concentrated, concentrated_leak), (rationals._is_gaussian, gaussian_leak)]


@pytest.mark.parametrize(("private", "leak"), PROOFS)
@pytest.mark.parametrize(("rho", "epsilon"), [("0.03", "1"), ("0.2", "3"), ("0.001", "0.15")])
def test_a_delta_is_proved_from_what_leaks_on_and_not_below(private, leak, rho, epsilon):
    rho, epsilon = Fraction(rho), Fraction(epsilon)
    with mpmath.workdps(100):
        leaks = leak(rho, epsilon)
        below, above = (exactly(leaks * (1 + mpmath.mpf(x))) for x in ("-1e-26", "1e-20"))
    assert not private(rho, epsilon, below)
    assert private(rho, epsilon, above)


@pytest.mark.parametrize("cost", [Fraction(1, 2), Fraction(2)])
def test_a_sample_that_costs_hardly_more_than_a_step_is_charged_the_next(cost):
    with mpmath.workdps(100):
        own = wide(cost) + mpmath.mpf(10) ** -35
        tables = exactly(mpmath.log1p(mpmath.expm1(own) * 10))
    assert amplified(tables, Fraction(1, 10)) == cost + STEP


def test_a_plan_is_above_its_budget_by_one_part_in_a_thousand_million_at_most():
    total = Fraction(10**9)
    (kept,) = within([total + 1], total)
    assert total - STEP <= kept <= total
    with pytest.raises(EquipoiseError, match="does not fit"):
        within([total + 1 + STEP], total)
    assert within([total], total) == (total,)
    with pytest.raises(EquipoiseError, match="no part"):
        within([], total)


def test_what_a_double_holds_is_neither_raised_nor_lowered():
    assert gaussian_deviation(8, Fraction(1), 0) == 2
    assert gaussian_deviation(6, Fraction(1), 1) == 2
    assert choosing_epsilon(Fraction(1, 2), Fraction(1, 8)) == 2


def test_a_budget_of_which_nothing_is_on_the_grid_is_refused():
    with pytest.raises(EquipoiseError, match="leave nothing to measure with"):
        proved_budget(Fraction(1, 10**12), Fraction(1, 10**12))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize(("times", "step"), [(1 + 1e-9, 10**11), (1.2, 20)])
def test_a_rho_of_gaussian_privacy_is_not_believed_either(monkeypatch, epsilon, times, step):
    most = gaussian_budget(epsilon, 1e-6)
    assert most.exact
    monkeypatch.setattr(rationals, "_MARGIN", Fraction(1, step))
    monkeypatch.setattr(rationals, "gaussian_budget", lambda *_: GaussianBudget(most.rho * times))
    found = proved_budget(decimal(epsilon), Fraction(1, 10**6))
    assert most.rho * (1 - 2 / step) <= float(found.rho) <= most.rho * (1 + 1e-12)
    assert (found.rounding, found.choice) == (1, Fraction(Decimal("0.19635")))
