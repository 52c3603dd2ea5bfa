"""How far one record can move a score, under either relation of neighbours.

Where a record is replaced, the number of records n is public and scores are on the paper's scale.
Where one is added or removed, n is private, so scores are multiplied by n before they are compared.
"""

from __future__ import annotations

import enum
import math

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.privbayes.scores import Score


class Bound(enum.Enum):
    """Which bound on the sensitivity of R the mechanism uses; I and F have only one."""

    PUBLISHED = "published"
    """As printed in the paper."""
    TIGHT = "tight"
    """The smallest that holds; tests prove it for every table of few records."""


def sensitivity(
    score: Score, bound: Bound, neighbours: Neighbours, *, records: int, settings: int, states: int
) -> float:
    """Largest change of a pair's score between neighbours; zero where the score is constant.

    Source: Zhang et al. 2017 (TODS), Lemma 4.1, Theorems 4.5 and 5.3; the tight bound of R and
    those for add-remove are ours.

    Args:
        score: I has none under add-remove: it grows with the private number of records.
        bound: which bound of R.
        neighbours: decides the scale of the score, see above.
        records: number of records, public where one is replaced and unused otherwise.
        settings: joint states of the parents.
        states: states of the child.
    """
    check_score(score, neighbours)
    if states == 1 or (settings == 1 and score is not Score.PEAK):
        return 0.0
    if neighbours is Neighbours.ADD_REMOVE:
        return 1.0 if score is Score.PEAK else 2.0
    n = max(records, 1)
    binary = min(settings, states) <= 2
    match score:
        case Score.PEAK:
            return 1 / n
        case Score.INFORMATION:
            return _information(n, binary)
        case Score.DEPENDENCE:
            if bound is Bound.PUBLISHED:
                return 3 / n + 2 / n**2
            return 2 / n - 2 / n**2 if binary else 3 / n


def check_score(score: Score, neighbours: Neighbours) -> None:
    """Refuse the score that has no finite sensitivity under add-remove."""
    if score is Score.INFORMATION and neighbours is Neighbours.ADD_REMOVE:
        raise EquipoiseError(
            "score I grows with the number of records, which is private when a record is added or "
            "removed; use R or F, or neighbours that replace a record"
        )


def _information(n: int, binary: bool) -> float:
    """Lemma 4.1, in bits."""
    if n == 1:
        return 0.0
    if binary:
        return math.log2(n) / n + (n - 1) / n * math.log2(n / (n - 1))
    return 2 / n * math.log2((n + 1) / 2) + (n - 1) / n * math.log2((n + 1) / (n - 1))
