"""Budgets in exact arithmetic: fractions that provably add up to at most what is spent.

A part of the budget is a multiple of ``1 / GRID``. A scale is a double, which is a fraction too:
the smallest one that is not below what the part asks for. Where a logarithm or an exponential is
needed, it is computed to 60 digits and rounded outwards by far more than its error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction

from core.errors import EquipoiseError
from core.privacy import best_order, concentrated

GRID = 2**60

ROUNDING = Fraction(1, 10**9)
"""How far a plan in floating point may be above its budget, relative: then its parts shrink."""

_MARGIN = Fraction(1, 10**11)
"""How much less than the rho found in floating point is tried first, relative."""

LARGEST_SCALE = 2**40
"""Beyond it, noise would not be exact as a double any more."""

MOST_SIDES = 2**62
"""Largest denominator of a sampling rate: coins of that many sides are drawn exactly."""

_DIGITS = Context(prec=60)
_OUTWARDS = Fraction(1, 10**30)


def decimal(value: float) -> Fraction:
    """The number a person reads: 0.1 is one tenth.

    >>> decimal(0.1)
    Fraction(1, 10)
    """
    if not math.isfinite(value):
        raise EquipoiseError(f"{value} cannot be spent; a release needs a finite budget")
    return Fraction(repr(float(value)))


def amount(what: str, value: Fraction, *, zero: bool = False) -> Fraction:
    """An exact amount of budget; a negative one would give back what was spent."""
    if not isinstance(value, Fraction | int) or value < 0 or (value == 0 and not zero):
        least = "zero or more" if zero else "more than zero"
        raise EquipoiseError(f"{what} is {value}; it must be {least}, in exact numbers")
    return value


def portion(what: str, value: Fraction) -> Fraction:
    """An exact δ: a probability below one, zero included."""
    if amount(what, value, zero=True) >= 1:
        raise EquipoiseError(f"{what} is {value}; it must be below one")
    return value


def floored(value: Fraction) -> Fraction:
    """The largest multiple of the grid that is not above."""
    return Fraction(value.numerator * GRID // value.denominator, GRID)


def within(parts: Sequence[Fraction], total: Fraction) -> tuple[Fraction, ...]:
    """Parts on the grid, each at most as given, whose sum is at most the total.

    A sum that exceeds the total by rounding shrinks all parts alike; more is refused.
    """
    kept = tuple(map(floored, parts))
    asked = sum(kept, Fraction(0))
    if asked > total * (1 + ROUNDING):
        raise EquipoiseError(
            f"the tables ask for {float(asked):.15g} and {float(total):.15g} is left; the plan "
            "does not fit its budget"
        )
    if asked > total:
        kept = tuple(floored(part * total / asked) for part in kept)
    if not kept or min(kept) <= 0:
        raise EquipoiseError("a table gets no part of the budget that can be measured; raise ε")
    return kept


def laplace_scale(sensitivity: int, budget: Fraction) -> Fraction:
    """The smallest double that is at least sensitivity / budget."""
    return _at_least(sensitivity / budget)


def choosing_epsilon(rho: Fraction) -> Fraction:
    """A double ε, as large as it is easily found, with ε² / 8 at most rho."""
    epsilon = math.sqrt(8 * rho)
    while Fraction(epsilon) ** 2 > 8 * rho:
        epsilon = math.nextafter(epsilon, 0.0)
    if not epsilon:
        raise EquipoiseError("a choice gets no part of the budget that can be used; raise ε")
    return Fraction(epsilon)


def gaussian_deviation(sensitivity: int, rho: Fraction) -> Fraction:
    """A double σ, as small as it is easily found, with sensitivity / (2 σ²) at most rho.

    ``sensitivity`` is the square of the L2 sensitivity.
    """
    deviation = Fraction(math.sqrt(sensitivity / (2 * rho)))
    while sensitivity / (2 * deviation**2) > rho:
        deviation = Fraction(math.nextafter(float(deviation), math.inf))
    return _checked(deviation)


def _at_least(value: Fraction) -> Fraction:
    nearest = float(value)
    return _checked(Fraction(nearest if nearest >= value else math.nextafter(nearest, math.inf)))


def _checked(scale: Fraction) -> Fraction:
    if scale > LARGEST_SCALE:
        raise EquipoiseError(
            f"noise of scale {float(scale):.3g} says nothing about any table; raise ε or measure "
            "fewer tables"
        )
    return scale


def amplified(total: Fraction, rate: Fraction) -> Fraction:
    """What ``total`` on a Poisson sample of that rate costs: ln(1 + γ (e^x - 1)), rounded up.

    Holds for one record more or less, and for one record replaced where x is meant for that.
    Source: Chowdhury et al. 2020 (ICML), Algorithm 1, line 1, solved for the other side.
    """
    if rate == 1:
        return total
    grown = _DIGITS.subtract(_DIGITS.exp(_written(total)), Decimal(1))
    inside = _DIGITS.add(_DIGITS.multiply(_written(rate), grown), Decimal(1))
    return -floored(-Fraction(_DIGITS.ln(inside)) * (1 + _OUTWARDS) - _OUTWARDS)


def concentrated_budget(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A rho on the grid, nearly the largest, proved to be (ε, δ)-differential privacy."""
    rho = floored(Fraction(concentrated(float(epsilon), float(delta))) * (1 - _MARGIN))
    while rho > 0 and not _is_private(rho, epsilon, delta):
        rho = floored(rho * (1 - _MARGIN))
    if rho <= 0:
        raise EquipoiseError(
            f"ε = {float(epsilon):g} and δ = {float(delta):g} leave nothing to measure with; "
            "raise one of them"
        )
    return rho


def _is_private(rho: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether rho-concentrated privacy is (ε, δ): some order α > 1 shows it.

    exp((α - 1)(α rho - ε)) / (α - 1) · (1 - 1/α)^α ≤ δ, compared as logarithms with a margin.
    Source: Canonne, Kamath, Steinke 2020.
    """
    order = Fraction(best_order(float(rho), float(epsilon)))
    if order <= 1:
        return False
    exponent = (order - 1) * (order * rho - epsilon)
    logarithm = (
        exponent
        - Fraction(_DIGITS.ln(_written(order - 1)))
        + order * Fraction(_DIGITS.ln(_written(1 - 1 / order)))
    )
    return logarithm + _OUTWARDS * 10**6 <= Fraction(_DIGITS.ln(_written(delta)))


def _written(value: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))
