"""States above a noisy threshold: the domain of a column that nobody can state beforehand.

Every value that occurs is counted, discrete Laplace noise Z of scale b is added to its count, and
the value is a state if the noisy count reaches T. Counts are not shown; all other values together
are "other". Noise is drawn for values that occur alone, so a value that one person brings in may
show that person: T keeps the probability of that below δ. The same code is rehearsed (a numpy
generator) and released (a meter).

One person has at most k records. Between neighbours the counts of shared values differ by s = k
(add-remove) or 2k (replace) in L1; b = s / ε. Let p bound the probability that any value that only
this person has passes T. Such values have counts j_1 + ... + j_m ≤ k and each passes with
probability P(Z ≥ T - j) = e^((j - 1) / b) P(Z ≥ T - 1); by the union bound, and because e^x / x is
largest at an end, p = max(k P(Z ≥ T - 1), P(Z ≥ T - k)).

Let D and D' be neighbours, of which D alone has values U and D' alone W, and let D0 and D0' be the
outputs over shared values. Noise is independent, so for every set S of outputs
P(D ∈ S) ≤ P(D0 ∈ S) + p, P(D0 ∈ S) ≤ e^(ε - m / b) P(D0' ∈ S) with m records in U and W, and
P(D' ∈ S) ≥ (1 - p) P(D0' ∈ S), where p = 0 if W is empty. With p ≤ 1 - e^(-1 / b) all three give
P(D ∈ S) ≤ e^ε P(D' ∈ S) + p. So p ≤ min(δ, 1 - e^(-1 / b)) is (ε, δ)-differential privacy for one
person, in either relation. Source of the idea: Korolova, Kenthapadi, Mishra, Ntoulas 2009.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.methods.randomness import Histograms, Randomness, whole_laplace
from core.table import Array

_OUTWARDS = Decimal("1e-40")
"""How much, relative, a chance is taken to be larger than it is computed."""


@dataclass(frozen=True)
class Threshold:
    """A value is a state if its count and noise of ``scale`` reach ``least``."""

    scale: float
    least: int

    def chance(self, count: int) -> float:
        """Probability that a value with so many records is a state."""
        return tail(self.scale, self.least - count) if count > 0 else 0.0

    def count_for(self, chance: float) -> int:
        """Fewest records with which a value is a state with this probability."""
        low, high = 0, 1
        while self.chance(high) < chance:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.chance(middle) < chance else (low, middle)
        return high


def tail(scale: float, least: int) -> float:
    """P(Z ≥ least) of discrete Laplace noise: a^least / (1 + a), a = e^(-1 / scale)."""
    ratio = float(np.exp(-1 / scale))
    if least >= 1:
        return ratio**least / (1 + ratio)
    return 1 - ratio ** (1 - least) / (1 + ratio)


def threshold(scale: Fraction, delta: Fraction, per_unit: int) -> Threshold:
    """The smallest threshold that keeps p of the module's text at most min(δ, 1 - e^(-1 / b)).

    Computed to 60 digits and rounded to the safe side.
    """
    if not 0 < delta < 1 or per_unit < 1:
        raise EquipoiseError(
            f"δ is {float(delta):g} and one person has {per_unit} records; δ lies between 0 and 1, "
            "and there is at least 1 record"
        )
    with localcontext(prec=60):
        return Threshold(float(scale), _smallest(scale, delta, per_unit))


def _smallest(scale: Fraction, delta: Fraction, per_unit: int) -> int:
    """In the digits of the context."""
    ratio = (Decimal(-scale.denominator) / scale.numerator).exp()
    most = min(Decimal(delta.numerator) / delta.denominator, 1 - ratio)

    def fits(least: int) -> bool:
        chance = max(per_unit * ratio ** (least - 1), ratio ** (least - per_unit)) / (1 + ratio)
        return chance * (1 + _OUTWARDS) <= most

    low, high = per_unit, per_unit + 1
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def passing(
    name: str, counts: Array, limit: Threshold, *, replicates: int, rng: Randomness
) -> NDArray[np.bool_]:
    """Which values of a column are states: ``(replicates, values)``.

    ``counts`` are exact, of values that occur: private. What is returned is (ε, δ) private.
    """
    histograms = Histograms(((name,),), np.zeros(len(counts), dtype=np.intp))
    noise = whole_laplace(histograms, np.array([limit.scale]), replicates=replicates, rng=rng)
    return np.asarray(noise + counts >= limit.least)
