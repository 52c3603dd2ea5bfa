"""What is protected, by how much noise: neighbours, sensitivities, scales, checks."""

from __future__ import annotations

import enum
import math

from core.errors import EquipoiseError

EPSILON_LIMIT = 1e6
"""Largest finite ε that means anything: beyond it the noise is below one part in a million."""


class Neighbours(enum.Enum):
    """Which two data sets an observer must not be able to tell apart."""

    ADD_REMOVE = "add-remove"
    """One record more or less: one cell of each contingency table changes by one."""
    REPLACE = "replace"
    """One record changed: two cells of each contingency table change by one."""

    @property
    def histogram_sensitivity(self) -> int:
        """Largest L1 change of one contingency table between neighbours."""
        return 1 if self is Neighbours.ADD_REMOVE else 2


def check_epsilon(epsilon: float) -> float:
    """ε unless it is not a positive number (infinite means: no noise)."""
    if math.isnan(epsilon) or epsilon <= 0:
        raise EquipoiseError(f"epsilon is {epsilon:g}; it must be a positive number such as 1")
    if EPSILON_LIMIT < epsilon < math.inf:
        raise EquipoiseError(
            f"epsilon is {epsilon:g}; at most {EPSILON_LIMIT:g} is accepted, where the noise is "
            "already negligible"
        )
    return float(epsilon)


def check_fraction(name: str, value: float) -> float:
    """A share strictly between 0 and 1 (β or γ)."""
    if not 0 < value < 1:
        raise EquipoiseError(f"{name} is {value:g}; it must lie strictly between 0 and 1")
    return float(value)


def laplace_scale(epsilon: float, neighbours: Neighbours) -> float:
    """Scale b of Laplace noise that makes one contingency table ε-private: sensitivity / ε."""
    return neighbours.histogram_sensitivity / check_epsilon(epsilon)


def inflated(epsilon: float, rate: float) -> float:
    """The ε that may be spent on a Poisson sample of rate γ so that it counts as ε.

    ln((e^ε - 1) / γ + 1). Source: Chowdhury et al. 2020 (ICML), Algorithm 1, line 1.
    """
    if epsilon > 700:  # e^ε would overflow; there ln((e^ε - 1) / γ + 1) = ε - ln γ
        return epsilon - math.log(rate)
    return math.log1p(math.expm1(epsilon) / rate)
