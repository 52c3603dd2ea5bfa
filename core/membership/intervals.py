"""Clopper-Pearson intervals without scipy: beta quantiles by Newton's method."""

import math

import numpy as np

from core.errors import EquipoiseError
from core.table import Array

_TINY = 1e-300
"""Stands for a zero that the continued fraction would divide by."""


def clopper_pearson(hits: float, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a share: never too narrow, whatever the share.

    ``hits`` may be fractional where ties are shared out.
    """
    tail = (1 - level) / 2
    return least_share(hits, trials, tail), most_share(hits, trials, tail)


def least_share(hits: float, trials: int, tail: float) -> float:
    """A bound below a share, wrong with probability at most ``tail``."""
    _check(hits, trials)
    return 0.0 if hits == 0 else _beta_quantile(tail, hits, trials - hits + 1)


def most_share(hits: float, trials: int, tail: float) -> float:
    """A bound above a share, wrong with probability at most ``tail``."""
    _check(hits, trials)
    return 1.0 if hits == trials else _beta_quantile(1 - tail, hits + 1, trials - hits)


def _check(hits: float, trials: int) -> None:
    if trials < 1 or not 0 <= hits <= trials:
        raise EquipoiseError(f"{hits:g} hits in {trials} trials; hits lie between 0 and trials")


def _beta_quantile(share: float, a: float, b: float) -> float:
    """Newton's method from the mean, halving the bracket wherever a step would leave it."""
    low, high, x = 0.0, 1.0, a / (a + b)
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(100):
        gap = regularised_beta(x, a, b) - share
        low, high = (x, high) if gap < 0 else (low, x)
        slope = math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        last, x = x, x - gap / slope if slope > 0 else low
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - last) <= 1e-15 * x:
            break
    return x


def regularised_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b), by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # there the fraction of the mirror image converges faster
        return 1 - regularised_beta(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    total = d
    for m in range(1, 2000):
        middle = a + 2 * m
        even = m * (b - m) * x / ((middle - 1) * middle)
        d = 1 / (1 + even * d or _TINY)
        c = 1 + even / c or _TINY
        total *= c * d
        odd = -(a + m) * (a + b + m) * x / (middle * (middle + 1))
        d = 1 / (1 + odd * d or _TINY)
        c = 1 + odd / c or _TINY
        factor = c * d
        total *= factor
        if abs(factor - 1) < 1e-14:
            break
    return math.exp(log_front) * total / a


class Outsiders:
    """Scores of one pool's outsiders, sorted once; whatever is asked of members compares here."""

    def __init__(self, scores: Array) -> None:
        self.rising = np.sort(scores)
        self.size = scores.size

    def area(self, members: Array) -> float:
        """Chance that a member scores above an outsider, ties counting half (the AUC)."""
        below = np.searchsorted(self.rising, members, "left")
        upto = np.searchsorted(self.rising, members, "right")
        return float((below + upto).sum() / (2 * members.size * self.size))

    def powers(self, members: Array, alphas: Array) -> Array:
        """Share of members found at each share of false alarms.

        Where outsiders tie at the threshold, the tied are accused by lot so that the share of
        false alarms is met exactly.
        """
        wanted = np.asarray(alphas) * self.size
        at = self.rising[self.size - 1 - np.minimum(wanted.astype(np.int64), self.size - 1)]
        upto = np.searchsorted(self.rising, at, "right")
        tied = upto - np.searchsorted(self.rising, at, "left")
        share = (wanted - (self.size - upto)) / tied
        ordered = np.sort(members)
        hit = members.size - np.searchsorted(ordered, at, "right")
        level = members.size - hit - np.searchsorted(ordered, at, "left")
        return np.asarray((hit + share * level) / members.size)
