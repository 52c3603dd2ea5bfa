"""What is protected, by how much noise: neighbours, sensitivities, scales, checks."""

import enum
import functools
import math

from core.errors import EquipoiseError

EPSILON_LIMIT = 1e6
EPSILON_LEAST = 1e-50
FRACTION_LEAST = 1e-12
"""Largest finite ε that means anything: beyond it the noise is below one part in a million."""


class Neighbours(enum.Enum):
    """Which two data sets an observer must not be able to tell apart."""

    ADD_REMOVE = "add-remove"
    """One record more or less: one cell of each contingency table changes by one."""
    REPLACE = "replace"
    """One record changed: two cells of each contingency table change by one."""

    @property
    def l1_sensitivity(self) -> int:
        """Largest L1 change of one contingency table between neighbours: for Laplace noise."""
        return 1 if self is Neighbours.ADD_REMOVE else 2

    @property
    def l2_sensitivity(self) -> float:
        """Largest L2 change of one contingency table between neighbours: for Gaussian noise."""
        return 1.0 if self is Neighbours.ADD_REMOVE else math.sqrt(2)

    def l1_over(self, tables: int) -> int:
        """Largest L1 change of several contingency tables together: L1 distances add up."""
        return tables * self.l1_sensitivity

    def l2_over(self, tables: int) -> float:
        """Largest L2 change of several contingency tables together: their squares add up."""
        return math.sqrt(tables) * self.l2_sensitivity


class Guarantee(enum.Enum):
    """What a method promises of its output; the value is its text."""

    NONE = "none"
    PURE = "pure ε-DP"
    APPROXIMATE = "(ε, δ)-DP"

    @property
    def text(self) -> str:
        """As it is told to people and written to files."""
        return self.value

    @property
    def private(self) -> bool:
        """Whether anything is promised."""
        return self is not Guarantee.NONE

    @property
    def pure(self) -> bool:
        """Whether ε alone bounds what an output tells."""
        return self is Guarantee.PURE

    @property
    def has_delta(self) -> bool:
        """Whether the promise may fail with probability δ."""
        return self is Guarantee.APPROXIMATE


def check_epsilon(epsilon: float) -> float:
    """ε unless it is not a positive number (infinite means: no noise)."""
    if math.isnan(epsilon) or epsilon <= 0:
        raise EquipoiseError(f"epsilon is {epsilon:g}; it must be a positive number such as 1")
    if EPSILON_LIMIT < epsilon < math.inf:
        raise EquipoiseError(
            f"epsilon is {epsilon:g}; at most {EPSILON_LIMIT:g} is accepted, where the noise is "
            "already negligible"
        )
    if epsilon < EPSILON_LEAST:
        raise EquipoiseError(
            f"epsilon is {epsilon:g}; at least {EPSILON_LEAST:g} is accepted, where the noise has "
            "long buried every table"
        )
    return float(epsilon)


def check_fraction(name: str, value: float) -> float:
    """A share strictly between 0 and 1 (β or γ)."""
    if not 0 < value < 1:
        raise EquipoiseError(f"{name} is {value:g}; it must lie strictly between 0 and 1")
    if value < FRACTION_LEAST:
        raise EquipoiseError(f"{name} is {value:g}; at least {FRACTION_LEAST:g} is accepted")
    return float(value)


def inflated(epsilon: float, rate: float) -> float:
    """The ε that may be spent on a Poisson sample of rate γ so that it counts as ε.

    ln((e^ε - 1) / γ + 1). Source: Chowdhury et al. 2020 (ICML), Algorithm 1, line 1.
    """
    if epsilon > 600:  # e^ε / γ may overflow; there ln((e^ε - 1) / γ + 1) = ε - ln γ
        return epsilon - math.log(rate)
    return math.log1p(math.expm1(epsilon) / rate)


def leakage(rho: float, epsilon: float) -> float:
    """δ such that rho-concentrated privacy is (ε, δ)-differential privacy.

    min over α > 1 of exp((α - 1)(α rho - ε)) / (α - 1) · (1 - 1/α)^α. Source: Canonne, Kamath,
    Steinke 2020, "The discrete Gaussian for differential privacy", conversion from concentrated
    to approximate differential privacy.
    """
    if rho == 0:
        return 0.0
    alpha = best_order(rho, epsilon)
    exponent = (alpha - 1) * (alpha * rho - epsilon) - math.log(alpha - 1)
    return math.exp(min(0.0, exponent + alpha * math.log1p(-1 / alpha)))


def best_order(rho: float, epsilon: float) -> float:
    """The α > 1 of :func:`leakage`: any is valid, this one gives the smallest δ."""
    low, high = 1.0, (epsilon + 1) / (2 * rho) + 2  # the minimum lies between: see the derivative
    for _ in range(64):
        alpha = max((low + high) / 2, math.nextafter(1.0, 2.0))  # at 1 itself are no logarithms
        if (2 * alpha - 1) * rho - epsilon + math.log1p(-1 / alpha) < 0:
            low = alpha
        else:
            high = alpha
    return alpha


@functools.lru_cache(maxsize=256)
def concentrated(epsilon: float, delta: float) -> float:
    """Largest rho whose concentrated privacy is (ε, δ)-differential privacy.

    >>> round(concentrated(1.0, 1e-6), 5)
    0.02436
    """
    check_fraction("delta", delta)
    if math.isinf(epsilon):
        return math.inf
    low, high = -60.0, math.log(epsilon + 1)  # rho stays below ε + 1 for any δ below 0.7
    for _ in range(64):
        middle = (low + high) / 2
        if leakage(math.exp(middle), epsilon) <= delta:
            low = middle
        else:
            high = middle
    return math.exp(low)
