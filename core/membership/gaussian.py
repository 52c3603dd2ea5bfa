"""Gaussian differential privacy, as appendix H of Murakonda et al. 2021 uses it.

A mechanism is mu-GDP when telling neighbours apart is no easier than telling N(0, 1) from
N(mu, 1). Source: Dong, Roth, Su 2019, Corollary 2.13, quoted there as Corollary 1.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from core.errors import EquipoiseError
from core.privacy import check_epsilon

_NORMAL = NormalDist()


def delta_of(epsilon: float, mu: float) -> float:
    """δ(ε) of mu-GDP: Phi(-ε/mu + mu/2) - e^ε Phi(-ε/mu - mu/2)."""
    if mu < 0 or epsilon < 0:
        raise EquipoiseError(f"epsilon is {epsilon:g} and mu is {mu:g}; both must be at least 0")
    if mu == 0:
        return 0.0
    second = _NORMAL.cdf(-epsilon / mu - mu / 2)
    return _NORMAL.cdf(-epsilon / mu + mu / 2) - (math.exp(epsilon) * second if second else 0.0)


def mu_of(epsilon: float, delta: float) -> float:
    """The mu whose δ(ε) is ``delta``: the inverse of :func:`delta_of`, by bisection."""
    if not 0 < delta < 1:
        raise EquipoiseError(f"delta is {delta:g}; it must lie strictly between 0 and 1")
    low, high = 0.0, 1.0
    while delta_of(epsilon, high) < delta:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(epsilon, middle) < delta else (low, middle)
    return high


def mu_of_pure(epsilon: float) -> float:
    """The smallest mu such that every ε-private mechanism is mu-GDP: 2 Phi^-1(e^ε / (1 + e^ε)).

    Looser than the pure-ε curve itself, which it touches at one point; the converse does not hold.

    >>> round(mu_of_pure(1.0), 3)
    1.232
    """
    # the lower tail keeps its digits where the upper one has none left
    return -2 * _NORMAL.inv_cdf(1 / (1 + math.exp(min(check_epsilon(epsilon), 700.0))))
