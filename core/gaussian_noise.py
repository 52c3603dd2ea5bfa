"""What (ε, δ) allow Gaussian noise: one budget rho, which tables and choices add up to.

A table of discrete Gaussian noise of variance σ² whose cells change by s in squared L2 distance
costs s / (2 (σ² - 1)). Proof, Gaussian differential privacy (Dong, Roth, Su 2022): take noise
N(0, σ² - 1) and round it to a whole number k with chances exp(-(k - w)² / 2) / θ(w). By Poisson
summation θ(w) is sqrt(2π) times a number within η = 2 Σ_j exp(-2π² j²) < 5.36e-9 of one, so every
changed cell has discrete Gaussian chances up to a factor e^±κ, κ = ln((1 + η) / (1 - η)); the
others have the same ones in both neighbours. So (ε, δ) hold for the discrete noise of all tables
where the continuous one of deviation sqrt(2 rho) has (ε - 2κT, δ e^-κT), T changed cells in all.
A choice by the exponential mechanism of ε' has losses in an interval of length ε': it is
g(x + ε') - g(x) Gaussian private for some x, g = Φ⁻¹ ∘ logistic; g' is largest at zero, since
(2Φ(z) - 1)² ≥ 1 - exp(-z²/2) (a disc in a square), so it costs at most π ε'² / 16. Costs may be
chosen on the way (Smith, Thakurta 2022). The variance of 1 is dear where little noise is added:
beyond ``CONCENTRATED`` the budget is concentrated, s / (2 σ²) and ε'² / 8.
"""

import functools
import math
from dataclasses import dataclass

from core.privacy import concentrated

CONCENTRATED = 0.25
"""Largest concentrated rho for which Gaussian privacy is taken: at δ = 1e-6 up to ε = 3.5."""

KAPPA = 1.1e-8
"""Above ln((1 + η) / (1 - η))."""

MOST_CHANGED = 4096
"""Cells of all tables together that one record may change."""


@dataclass(frozen=True)
class GaussianBudget:
    """``rho``, the part of a variance that does not count, and what a choice of ε' = 1 costs."""

    rho: float
    rounding: int = 1
    choice: float = 0.19635
    """Above π / 16."""

    @property
    def exact(self) -> bool:
        """Whether by Gaussian privacy, which is exact for continuous noise."""
        return self.rounding == 1

    def deviation(self, squared: float, part: float) -> float:
        """Standard deviation of a table of that squared L2 sensitivity for a part of rho."""
        return math.sqrt(squared / (2 * part) + self.rounding)


@functools.lru_cache(maxsize=256)
def gaussian_budget(epsilon: float, delta: float) -> GaussianBudget:
    """The budget of tables and choices that together are (ε, δ)-differentially private.

    >>> round(gaussian_budget(1.0, 1e-6).rho, 5), round(concentrated(1.0, 1e-6), 5)
    (0.02801, 0.02436)
    """
    rho = concentrated(epsilon, delta)
    less, rarer = within_slack(epsilon, delta)
    if rho > CONCENTRATED or less <= 0:
        return GaussianBudget(rho, 0, 0.125)
    low, high = math.log(rho) - 1, math.log(rho) + 2
    for _ in range(64):
        middle = (low + high) / 2
        if gaussian_leakage(math.exp(middle), less) <= rarer:
            low = middle
        else:
            high = middle
    own = math.exp(low)
    return GaussianBudget(own) if own > rho else GaussianBudget(rho, 0, 0.125)


def within_slack(epsilon: float, delta: float) -> tuple[float, float]:
    """The ε and δ that continuous noise must keep so that the discrete noise keeps these."""
    return epsilon - 2 * KAPPA * MOST_CHANGED, delta * math.exp(-KAPPA * MOST_CHANGED)


def gaussian_leakage(rho: float, epsilon: float) -> float:
    """δ of continuous Gaussian noise: Φ(m/2 - ε/m) - e^ε Φ(-m/2 - ε/m), m = sqrt(2 rho).

    Source: Balle, Wang 2018, "Improving the Gaussian mechanism", Theorem 8.
    """
    m = math.sqrt(2 * rho)
    return normal(m / 2 - epsilon / m) - math.exp(epsilon) * normal(-m / 2 - epsilon / m)


def normal(z: float) -> float:
    """Φ, the distribution function of a standard normal number."""
    return math.erfc(-z / math.sqrt(2)) / 2
