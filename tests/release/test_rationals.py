"""Budgets in exact arithmetic: sums never above, scales never below."""

import math
import time
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_epsilon_gaussian
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.gaussian_noise import GaussianBudget, gaussian_budget, gaussian_leakage, normal
from core.methods.randomness import Histograms
from core.privacy import Neighbours, concentrated, inflated, leakage
from release import rationals
from release.meter import Meter
from release.rationals import (
    GRID,
    amount,
    amplified,
    choosing_epsilon,
    decimal,
    fraction,
    gaussian_deviation,
    laplace_scale,
    portion,
    proved_budget,
    upper_tail,
    within,
)

BUDGETS = st.fractions(Fraction(1, 1000), 50, max_denominator=10**6)
SHARES = st.lists(st.floats(1e-6, 1), min_size=1, max_size=60)


@given(SHARES, st.floats(1e-3, 50))
def test_parts_of_a_plan_add_up_to_at_most_the_budget(shares, epsilon):
    parts = epsilon * np.array(shares) / np.sum(shares)
    total = decimal(epsilon)
    found = within([Fraction(p) for p in parts.tolist()], total)
    assert sum(found) <= total
    assert sum(found) >= total * (1 - Fraction(1, 10**9))
    for part, given_part in zip(found, parts.tolist(), strict=True):
        assert 0 < part <= Fraction(given_part)
        assert GRID % part.denominator == 0


def test_a_plan_that_does_not_fit_is_refused():
    with pytest.raises(EquipoiseError, match="does not fit"):
        within([Fraction(1, 2), Fraction(51, 100)], Fraction(1))
    with pytest.raises(EquipoiseError, match="no part"):
        within([Fraction(1), Fraction(1, 10**30)], Fraction(2))


def test_a_typed_number_is_the_decimal_it_shows():
    assert 10 * decimal(0.1) == 1
    assert decimal(1e-6) == Fraction(1, 10**6)
    with pytest.raises(EquipoiseError, match="finite"):
        decimal(math.inf)


@given(BUDGETS, st.sampled_from([1, 2]))
def test_scales_are_doubles_rounded_up(budget, sensitivity):
    scale = laplace_scale(sensitivity, budget)
    assert Fraction(float(scale)) == scale
    assert sensitivity / scale <= budget
    below = Fraction(math.nextafter(float(scale), 0))
    assert sensitivity / below > budget
    deviation = gaussian_deviation(sensitivity, budget, 0)
    assert Fraction(float(deviation)) == deviation
    assert sensitivity / (2 * deviation**2) <= budget
    assert float(deviation) == pytest.approx(math.sqrt(sensitivity / (2 * budget)), rel=1e-14)


@given(st.floats(1e-3, 20), st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_amplification_is_undone_by_what_the_sample_may_spend(epsilon, rate):
    spent = amplified(Fraction(inflated(epsilon, float(rate))), rate)
    assert float(spent) == pytest.approx(epsilon, rel=1e-12, abs=1e-15)
    x = Fraction(epsilon)
    assert amplified(x, rate) >= Fraction(math.log1p(float(rate) * math.expm1(epsilon))) * (
        1 - Fraction(1, 10**14)
    )
    assert amplified(x, rate) <= x
    assert amplified(x, Fraction(1)) == x


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-3])
def test_the_proved_budget_is_private_and_nearly_all_there_is(epsilon, delta):
    found, wanted = proved_budget(decimal(epsilon), decimal(delta)), gaussian_budget(epsilon, delta)
    assert found.rounding == wanted.rounding
    leaks = gaussian_leakage if wanted.exact else leakage
    assert leaks(float(found.rho), epsilon) <= delta
    assert float(found.rho) == pytest.approx(wanted.rho, rel=1e-9)
    # an independent accountant of one Gaussian with that rho asks for less
    assert get_epsilon_gaussian(1 / math.sqrt(2 * found.rho), delta) <= epsilon


@pytest.mark.parametrize("z", [-3.0, 0.0, 1e-9, 0.5, 4.0, 12.0, 19.0])
def test_tails_to_sixty_digits_equal_those_of_the_error_function(z):
    assert float(upper_tail(Decimal(z))) == pytest.approx(normal(-z), rel=1e-13)
    with mpmath.workdps(120):
        exact = mpmath.ncdf(-mpmath.mpf(z))
        assert abs(mpmath.mpf(str(upper_tail(Decimal(z)))) - exact) < mpmath.mpf(10) ** -80


class Numbers:
    """A drawer that gives the number of the table as its noise."""

    def noise(self, kind, scales, cells):
        self.asked = (kind, scales, cells)
        return np.repeat(np.arange(len(cells)), cells)

    def thinned(self, counts, rate):
        return counts


TABLES = Histograms((("a",), ("b",), ("a", "b")), np.array([0, 2, 2, 1, 0, 2, 1, 2]))


def meter(delta=Fraction(0), neighbours=Neighbours.REPLACE):
    return Meter(Fraction(1), delta, neighbours, Numbers())


def test_noise_reaches_the_cells_of_its_table():
    noise = meter().laplace(TABLES, np.array([6.0, 6.0, 6.0]), 1.0)
    assert np.array_equal(noise, TABLES.owner)


def test_every_table_is_charged_with_its_sensitivity():
    own = meter()
    own.laplace(TABLES, np.array([8.0, 8.0, 8.0]), 1.0)
    assert own.cost == Fraction(3, 4)  # three tables of sensitivity 2
    assert [m.cells for m in own.measurements] == [2, 2, 4]
    assert sum(m.budget for m in own.measurements) == own.cost
    own.laplace(TABLES, np.array([24.0, 24.0, 24.0]), 1.0)
    assert 0 <= own.left <= Fraction(3, GRID)
    with pytest.raises(EquipoiseError, match="does not fit"):
        own.laplace(TABLES, np.array([1e6, 1e6, 1e6]), 1.0)


def test_tables_of_a_sample_cost_less_together():
    own = meter()
    own.laplace(TABLES, np.array([3.0, 3.0, 3.0]), 0.1)
    assert float(own.cost) == pytest.approx(math.log1p(0.1 * math.expm1(2.0)))
    with pytest.raises(EquipoiseError, match="does not fit"):
        meter().laplace(TABLES, np.array([1.0, 1.0, 1.0]), 0.9)


def test_gaussian_tables_cost_rho():
    own = meter(Fraction(1, 10**6))
    sigma = math.sqrt(3 / float(own.total) + 1)
    own.gaussian(TABLES, np.array([sigma] * 3))
    assert own.cost <= own.total
    assert float(own.cost) == pytest.approx(float(own.total), rel=1e-9)
    assert all(2 / (2 * (m.scale**2 - 1)) <= m.budget for m in own.measurements)
    with pytest.raises(EquipoiseError, match="needs a δ"):
        meter().gaussian(TABLES, np.array([5.0] * 3))
    with pytest.raises(EquipoiseError, match="Gaussian noise only"):
        own.laplace(TABLES, np.array([9.0] * 3), 1.0)


def test_more_tables_than_the_proof_covers_are_refused():
    own = meter(Fraction(1, 10**6))
    many = Histograms((("a",),) * 2049, np.arange(2049))
    with pytest.raises(EquipoiseError, match="one record changes 4,098 cells"):
        own.gaussian(many, np.full(2049, 1e4))


def test_noise_that_says_nothing_is_refused():
    with pytest.raises(EquipoiseError, match="raise ε"):
        meter().laplace(TABLES, np.array([1e13] * 3), 1.0)


def test_the_largest_scale_is_where_doubles_end_to_be_exact():
    assert laplace_scale(1, Fraction(1, 2**40)) == 2**40
    with pytest.raises(EquipoiseError, match="says nothing"):
        laplace_scale(1, Fraction(1, 2**40 + 1))


def test_a_choice_without_a_budget_is_refused():
    with pytest.raises(EquipoiseError, match="raise ε"):
        choosing_epsilon(Fraction(1, 10**700), Fraction(1, 8))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(("times", "step"), [(1 + 1e-9, 10**11), (1.2, 20)])
def test_a_rho_from_floating_point_is_not_believed(monkeypatch, epsilon, times, step):
    """One that is too large is lowered, step by step, until it is proved."""
    most = concentrated(epsilon, 1e-6)
    monkeypatch.setattr(rationals, "_MARGIN", Fraction(1, step))
    too_much = GaussianBudget(most * times, rounding=0)
    monkeypatch.setattr(rationals, "gaussian_budget", lambda *_: too_much)
    found = float(proved_budget(decimal(epsilon), Fraction(1, 10**6)).rho)
    assert most * (1 - 2 / step) <= found <= most * (1 + 1e-13)


def test_a_sample_keeps_whole_numbers_and_its_rate_may_have_many_digits():
    counts = np.array([5.0, 0.0, 7.0])
    for rate in (0.123456789, 1.0):
        kept = meter().thinned(counts, rate)
        assert kept.dtype == np.float64
        assert kept.tolist() == counts.tolist()
    fine = 7450581 * 2**27 / 10**27
    assert 2**62 < decimal(fine).denominator < 2**63
    for rate in (1.2345678901234567e-5, fine):
        with pytest.raises(EquipoiseError, match="more digits than coins"):
            meter().thinned(counts, rate)


def test_amounts_come_back_as_they_are_and_refusals_say_what_may_be():
    assert amount("ε", Fraction(1, 3)) == Fraction(1, 3)
    assert amount("ε", Fraction(0), zero=True) == portion("δ", Fraction(0)) == 0
    assert portion("δ", Fraction(1, 3)) == Fraction(1, 3)
    with pytest.raises(EquipoiseError, match="ε is 0; it must be more than zero, in exact"):
        amount("ε", Fraction(0))
    with pytest.raises(EquipoiseError, match="ε is -1; it must be zero or more, in exact"):
        amount("ε", Fraction(-1), zero=True)
    with pytest.raises(EquipoiseError, match="δ is 1; it must be below one"):
        portion("δ", Fraction(1))


BOMBS = ("1e-999999999", "1e999999999", "9" * 10**6, "1/" + "9" * 10**6, "0." + "0" * 10**6)


ODD = ("nan", "inf", "1/0", "1e400", "", " 1", "\u0661", "1_0", 1, 0.1, None)


@pytest.mark.parametrize("text", [*BOMBS, *ODD], ids=lambda text: repr(text)[:14])
def test_a_number_that_a_file_may_not_hold_is_refused_at_once(text):
    began = time.process_time()
    with pytest.raises(EquipoiseError) as refused:
        fraction(text)
    assert time.process_time() - began < 0.5
    assert len(str(refused.value)) < 120


@given(st.fractions(0, 10**6), st.floats(1e-50, 1e6))
def test_an_exact_number_comes_back_from_its_text(exact, value):
    assert fraction(str(exact)) == exact
    assert fraction(str(decimal(value))) == decimal(value)
    assert fraction(repr(value)) == decimal(value)
