"""Budgets in exact arithmetic: fractions that provably add up to at most what is spent.

A part of the budget is a multiple of ``1 / GRID``. A scale is a double, which is a fraction too:
the smallest one that is not below what the part asks for. Where a logarithm or an exponential is
needed, it is computed to 60 digits and rounded outwards by far more than its error.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from core.errors import EquipoiseError
from core.gaussian_noise import KAPPA, MOST_CHANGED, gaussian_budget
from core.privacy import best_order

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

PI = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803483"


_WRITTEN = re.compile(r"[+-]?[0-9]{1,200}(/[0-9]{1,600}|(\.[0-9]{1,600})?(e[+-]?[0-9]{1,2})?)")


def fraction(text: object) -> Fraction:
    """The exact number that a file, an entry or a person has written; a float holds what is near.

    A longer exponent is refused: ``1e-999999999`` takes ten letters, and all memory as a fraction.

    >>> fraction("1/10"), fraction("5e-1")
    (Fraction(1, 10), Fraction(1, 2))
    """
    if not isinstance(text, str) or not _WRITTEN.fullmatch(text):
        written = repr(text) if len(repr(text)) <= 40 else f"{repr(text)[:40]}..."
        raise EquipoiseError(f"{written} is no exact number; write one such as 1/10 or 0.1")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise EquipoiseError(f"{text[:40]} divides by zero; write a number such as 1/10") from None


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
    value = sensitivity / budget
    nearest = float(value)
    return _checked(Fraction(nearest if nearest >= value else math.nextafter(nearest, math.inf)))


def choosing_epsilon(rho: Fraction, choice: Fraction) -> Fraction:
    """A double ε, as large as it is easily found, with ε² · ``choice`` at most rho."""
    epsilon = math.sqrt(rho / choice)
    while Fraction(epsilon) ** 2 * choice > rho:
        epsilon = math.nextafter(epsilon, 0.0)
    if not epsilon:
        raise EquipoiseError("a choice gets no part of the budget that can be used; raise ε")
    return Fraction(epsilon)


def gaussian_deviation(sensitivity: int, rho: Fraction, rounding: int) -> Fraction:
    """A double σ, as small as it is easily found, with σ² ≥ sensitivity / (2 rho) + rounding.

    ``sensitivity`` is the square of the L2 sensitivity; see :mod:`core.gaussian_noise`.
    """
    least = sensitivity / (2 * rho) + rounding
    deviation = Fraction(math.sqrt(least))
    while deviation**2 < least:
        deviation = Fraction(math.nextafter(float(deviation), math.inf))
    return _checked(deviation)


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


@dataclass(frozen=True)
class ProvedBudget:
    """A ``core.gaussian_noise.GaussianBudget`` in fractions."""

    rho: Fraction
    rounding: int
    choice: Fraction


def proved_budget(epsilon: Fraction, delta: Fraction) -> ProvedBudget:
    """A rho on the grid, nearly the largest, proved to be (ε, δ)-differential privacy."""
    allowed = gaussian_budget(float(epsilon), float(delta))
    private = _is_gaussian if allowed.exact else _is_concentrated
    rho = floored(Fraction(allowed.rho) * (1 - _MARGIN))
    while rho > 0 and not private(rho, epsilon, delta):
        rho = floored(rho * (1 - _MARGIN))
    if rho <= 0:
        raise EquipoiseError(
            f"ε = {float(epsilon):g} and δ = {float(delta):g} leave nothing to measure with; "
            "raise one of them"
        )
    return ProvedBudget(rho, allowed.rounding, decimal(allowed.choice))


def _is_gaussian(rho: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether continuous noise of that rho keeps (ε, δ) less what rounding it may cost.

    Φ(-a) - e^ε' Φ(-b) ≤ δ', a, b = ε'/m ∓ m/2, m = sqrt(2 rho). Source: Balle, Wang 2018.
    """
    slack = decimal(KAPPA) * MOST_CHANGED
    less = _written(epsilon - 2 * slack)
    m = _DIGITS.sqrt(_written(2 * rho))
    near, half = _DIGITS.divide(less, m), _DIGITS.divide(m, Decimal(2))
    lost = _DIGITS.multiply(_DIGITS.exp(less), upper_tail(_DIGITS.add(near, half)))
    leaked = _DIGITS.subtract(upper_tail(_DIGITS.subtract(near, half)), lost)
    rarer = _DIGITS.multiply(_written(delta), _DIGITS.exp(_written(-slack)))
    return _DIGITS.add(leaked, Decimal("1e-40")) <= rarer


def upper_tail(z: Decimal) -> Decimal:
    """Φ(-z) to 60 digits after the point: 1/2 - φ(z) Σ z^(2k+1) / (2k+1)!!.

    All terms of the sum are of one sign; it ends where the rest, at most a geometric series of
    ratio 1/2, is below 10^-90. |z| is below 20: the digits lost to the difference are there.
    """
    with localcontext(prec=200):
        term = total = +z
        k = 0
        while abs(term) > Decimal("1e-100") or z * z > k:
            k += 1
            term *= z * z / (2 * k + 1)
            total += term
        pi = Decimal(PI)
        return Decimal(1) / 2 - total * (-z * z / 2).exp() / (2 * pi).sqrt()


def _is_concentrated(rho: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether rho-concentrated privacy is (ε, δ): some order α > 1 shows it.

    exp((α - 1)(α rho - ε)) / (α - 1) · (1 - 1/α)^α ≤ δ, compared as logarithms with a margin.
    Source: Canonne, Kamath, Steinke 2020.
    """
    order = Fraction(best_order(float(rho), float(epsilon)))
    exponent = (order - 1) * (order * rho - epsilon)
    logarithm = (
        exponent
        - Fraction(_DIGITS.ln(_written(order - 1)))
        + order * Fraction(_DIGITS.ln(_written(1 - 1 / order)))
    )
    return logarithm + _OUTWARDS * 10**6 <= Fraction(_DIGITS.ln(_written(delta)))


def _written(value: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))
