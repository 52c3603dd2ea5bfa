"""How much a set of parents says about a variable: the scores I, F and R, a batch at a time.

Each takes counts ``(candidates, settings of the parents, states of the child)`` and gives one
number per candidate on the paper's scale, where the counts are divided by the records.
Source: Zhang et al. 2017 (TODS), Eqs. 5, 7 and 11.
"""

from __future__ import annotations

import enum

import numpy as np

from core.errors import EquipoiseError
from core.privbayes.peak_distance import peak_distance
from core.table import Array


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
    records = counts.sum(axis=(-2, -1))
    if counts.shape[-2] == 1 and score is not Score.PEAK:  # no parents say nothing, to the last bit
        return np.zeros(len(counts))
    match score:
        case Score.INFORMATION:
            found = information(counts)
        case Score.DEPENDENCE:
            found = dependence(counts)
        case Score.PEAK:
            if counts.shape[-1] != 2:
                raise EquipoiseError(
                    f"score F needs a variable of two states; this one has {counts.shape[-1]}, "
                    "so use R or a binary encoding"
                )
            found = peak_distance(counts)
    return np.asarray(np.where(records > 0, found / np.maximum(records, 1), 0.0))


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


def dependence(counts: Array) -> Array:
    """½ Σ |c - r s / n|: distance from independence, in records. Source: the paper, Eq. 11."""
    parents = counts.sum(axis=-1, keepdims=True)
    child = counts.sum(axis=-2, keepdims=True)
    total = np.maximum(counts.sum(axis=(-2, -1), keepdims=True), 1)
    return np.asarray(0.5 * np.abs(counts - parents * (child / total)).sum(axis=(-2, -1)))
