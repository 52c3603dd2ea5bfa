"""How much a set of parents says about a variable: the scores I, F and R, a batch at a time.

Each takes counts ``(candidates, settings of the parents, states of the child)`` and gives one
number per candidate on the paper's scale, where the counts are divided by the records.
Source: Zhang et al. 2017 (TODS), Eqs. 5, 7 and 11.
"""

import enum
from fractions import Fraction

import numpy as np

from core.errors import EquipoiseError
from core.privbayes.peak_distance import peak_distance
from core.table import Array

MOST_RECORDS = 2**31
"""Records of a table from which on 2 n² would pass 64 bits, and whole numbers have any length."""


class Score(enum.Enum):
    """Which score the structure is chosen by."""

    INFORMATION = "I"
    """Mutual information in bits: what is wanted, but one record moves it a lot."""
    PEAK = "F"
    """Minus the distance to the nearest table of largest information; a binary child only."""
    DEPENDENCE = "R"
    """Distance to the table of no information; any domain."""


def scores(score: Score, counts: Array) -> Array:
    """The score of every candidate table; zero where there are no records."""
    records = np.maximum(counts.sum(axis=(-2, -1)), 1)
    values = np.array([float(value) for value in in_records(score, counts)])
    return np.asarray(values / records)


def in_records(score: Score, counts: Array) -> list[Fraction]:
    """The records times the score of every candidate: what rehearsals and releases choose by.

    Exact for R and F; I has logarithms in it, which doubles round, and is for rehearsals alone.
    """
    if counts.shape[-2] == 1 and score is not Score.PEAK:  # no parents say nothing, to the last bit
        return [Fraction(0)] * len(counts)
    match score:
        case Score.INFORMATION:
            values = information(counts)
        case Score.DEPENDENCE:
            return dependence(counts)
        case Score.PEAK:
            if counts.shape[-1] != 2:
                raise EquipoiseError(
                    f"score F needs a variable of two states; this one has {counts.shape[-1]}, "
                    "so use R or a binary encoding"
                )
            values = peak_distance(counts)  # whole numbers and halves, which doubles hold
    return [Fraction(value) for value in values.tolist()]


def information(counts: Array) -> Array:
    """Mutual information of child and parents, in bits times records.

    Σ c log(c n / (r s)) with row totals r and column totals s. Source: the paper, Eq. 5.
    """
    parents = _entropy_sum(counts.sum(axis=-1), (-1,))
    child = _entropy_sum(counts.sum(axis=-2), (-1,))
    total = _entropy_sum(counts.sum(axis=(-2, -1)), ())
    return np.asarray(_entropy_sum(counts, (-2, -1)) - parents - child + total)


def _entropy_sum(counts: Array, axes: tuple[int, ...]) -> Array:
    """Σ c log2 c, where 0 log 0 = 0."""
    return np.asarray((counts * np.log2(np.maximum(counts, 1))).sum(axis=axes))


def dependence(counts: Array) -> list[Fraction]:
    """½ Σ |c - r s / n| = Σ |n c - r s| / 2n: distance from independence, in records.

    Never refused: that would tell on which side of a limit the private number of records is.
    Source: the paper, Eq. 11.
    """
    whole = counts.astype(np.int64)
    if counts.sum(axis=(-2, -1)).max(initial=0) >= MOST_RECORDS:  # sums of products would wrap
        whole = whole.astype(object)
    parents, child = whole.sum(axis=-1, keepdims=True), whole.sum(axis=-2, keepdims=True)
    total = whole.sum(axis=(-2, -1), keepdims=True)
    apart = np.abs(total * whole - parents * child).sum(axis=(-2, -1))
    below = 2 * np.maximum(total.ravel(), 1)
    return [Fraction(*both) for both in zip(apart.tolist(), below.tolist(), strict=True)]
