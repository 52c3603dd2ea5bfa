"""Gaussian differential privacy, as appendix H of Murakonda et al. 2021 uses it.

A mechanism is mu-GDP when telling neighbours apart is no easier than telling N(0, 1) from
N(mu, 1). Source: Dong, Roth, Su 2019, Corollary 2.13, quoted there as Corollary 1.
"""

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


def mu_of_pure(epsilon: float) -> float:
    """The smallest mu such that every ε-private mechanism is mu-GDP: 2 Phi^-1(e^ε / (1 + e^ε)).

    Looser than the pure-ε curve itself, which it touches at one point; the converse does not hold.

    >>> round(mu_of_pure(1.0), 3)
    1.232
    """
    # the lower tail keeps its digits where the upper one has none left
    return -2 * _NORMAL.inv_cdf(1 / (1 + math.exp(min(check_epsilon(epsilon), 700.0))))


def expected_loss(records: int, share: float) -> float:
    """E[1{Pa = v} L_v], the part of one parameter: (1 / 2n) (1 + (1 - p_v) / (n p_v)). Lemma 1."""
    return (1 + (1 - share) / (records * share)) / (2 * records)


def naive_bayes_variance(attributes: int, records: int, share: float) -> float:
    """Variance of L for a naive Bayes model of m binary attributes, the class among them.

    C / n + (m² / 4n²) (1 / (p (1 - p)) - 4) with C = 2m - 1 and p the share of the class. Eq. 33.
    """
    spread = 1 / (share * (1 - share)) - 4
    return (2 * attributes - 1) / records + (attributes / (2 * records)) ** 2 * spread
