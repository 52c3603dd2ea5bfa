"""Intervals of shares and means without scipy, and what outsiders say about members."""

import math
from statistics import NormalDist

import numpy as np

from core.errors import EquipoiseError
from core.study.experiments import Interval
from core.table import Array

_NORMAL = NormalDist()

_TINY = 1e-300
"""Stands for a zero that the continued fraction would divide by."""


def clopper_pearson(hits: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a share: never too narrow, whatever the share.

    ``hits`` may be fractional where ties are shared out.
    """
    tail = (1 - level) / 2
    return least_share(hits, trials, tail), most_share(hits, trials, tail)


def least_share(hits: float, trials: float, tail: float) -> float:
    """A bound below a share, wrong with probability at most ``tail``."""
    _check(hits, trials)
    return 0.0 if hits == 0 else _beta_quantile(tail, hits, trials - hits + 1)


def most_share(hits: float, trials: float, tail: float) -> float:
    """A bound above a share, wrong with probability at most ``tail``."""
    _check(hits, trials)
    return 1.0 if hits == trials else _beta_quantile(1 - tail, hits + 1, trials - hits)


def _check(hits: float, trials: float) -> None:
    if trials <= 0 or not 0 <= hits <= trials:
        raise EquipoiseError(f"{hits:g} hits in {trials:g} trials; hits lie between 0 and trials")


def power_interval(
    power: float, alpha: float, *, members: int, outsiders: int, level: float = 0.95
) -> tuple[float, float]:
    """Interval of a share of members found at the chance alpha, both told from outsiders.

    The threshold is off as well: variance p (1 - p) / members + s² alpha (1 - alpha) / outsiders,
    with the slope s = φ(Φ⁻¹(p)) / φ(Φ⁻¹(alpha)) of two normal laws, as in Theorem 1. Exact of
    fewer members, by as much as that is more than the binomial variance. Source: Korn, Graubard
    1998.
    """
    p = min(max(power, alpha), 1 - 1e-9)
    slope = math.exp((_NORMAL.inv_cdf(alpha) ** 2 - _NORMAL.inv_cdf(p) ** 2) / 2)
    more = slope**2 * alpha * (1 - alpha) / outsiders / (p * (1 - p) / members)
    trials = members / (1 + more)
    return clopper_pearson(min(power, 1.0) * trials, trials, level)


def student(level: float, freedom: int) -> float:
    """Student's t: so many standard errors hold a mean with this chance.

    >>> round(student(0.95, 19), 3)
    2.093
    """
    x = _beta_quantile(1 - level, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - x) / x)


def over_pools(values: Array, least: float = 0.0) -> Interval:
    """Mean of a share over pools with its 95 % interval by Student's t: pools are few.

    One pool tells nothing of others: anything from ``least`` to 1 may be.
    """
    mean = float(values.mean())
    if values.size == 1:
        return Interval(mean, least, 1.0)
    spread = float(values.std(ddof=1)) / math.sqrt(values.size)
    half = student(0.95, values.size - 1) * spread
    return Interval(mean, max(least, mean - half), min(1.0, mean + half))


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
        return float(self.placed(members).mean())

    def area_deviation(self, members: Array) -> float:
        """Standard error of that, of these members and outsiders. Source: DeLong et al. 1988."""
        sides = self.placed(members), Outsiders(members).placed(self.rising)
        spread = (float(part.var(ddof=1)) / part.size for part in sides if part.size > 1)
        return math.sqrt(math.fsum(spread))

    def placed(self, members: Array) -> Array:
        """For each member the share of outsiders below it, ties counting half."""
        below = np.searchsorted(self.rising, members, "left")
        upto = np.searchsorted(self.rising, members, "right")
        return np.asarray((below + upto) / (2 * self.size))

    def powers(self, members: Array, alphas: Array) -> Array:
        """Share of members found where anyone else is accused with each chance.

        Who ranks within alpha (n + 1) among n outsiders and itself is accused, ties by lot: of
        n + 1 people alike each is with chance alpha, however few they are. Were alpha n outsiders
        accused themselves, a new one would be with chance alpha + (1 - alpha) / (n + 1).
        """
        above = self.size - np.searchsorted(self.rising, members, "right")
        tied = self.size - above - np.searchsorted(self.rising, members, "left")
        ranks = np.asarray(alphas) * (self.size + 1)
        return np.array([np.clip((r - above) / (tied + 1), 0, 1).mean() for r in ranks.tolist()])
