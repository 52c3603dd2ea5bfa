"""How far one record can move a score, under either relation of neighbours.

Where a record is replaced, the number of records n is public and scores are on the paper's scale.
Where one is added or removed, n is private, so scores are multiplied by n before they are compared.
"""

import enum
import math
from fractions import Fraction

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
) -> Fraction:
    """Largest change of a pair's score between neighbours; zero where the score is constant.

    Source: Zhang et al. 2017 (TODS), Lemma 4.1, Theorems 4.5 and 5.3; the tight bound of R and
    those for add-remove are ours.

    n R = ½ |c - n p⊗q|₁ with p, q the shares of parents and child. A record (e, f) more: c moves by
    1 and n p⊗q by (n (p⊗f + e⊗q - p⊗q) + e⊗f) / (n + 1), at most 3; so n R by at most 2. A record
    (e, f) replaced by (g, h): c - n p⊗q moves by (g-e)⊗u + v⊗(h-f), where u = (f+h)/2 less the mean
    of q before and after, v likewise. With a, c the shares of h, f in that mean and b, d those of
    g, e, its L1 norm is |1-a-b| + |1-c-d| + |b-c| + |a-d| + 4 - 2(a+b+c+d), convex, so largest in a
    corner: 6, all four zero; 4 where a + c = 1, one side being binary, less 4/n because each of the
    four is at least 1/2n. So R by 3/n, or 2/n - 2/n². Tests enumerate small tables.

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
        return Fraction(0)
    if neighbours is Neighbours.ADD_REMOVE:
        return Fraction(1 if score is Score.PEAK else 2)
    n = max(records, 1)
    binary = min(settings, states) <= 2
    match score:
        case Score.PEAK:
            return Fraction(1, n)
        case Score.INFORMATION:
            return Fraction(_information(n, binary))
        case Score.DEPENDENCE:
            if bound is Bound.PUBLISHED:
                return Fraction(3 * n + 2, n**2)
            return Fraction(2 * n - 2, n**2) if binary else Fraction(3, n)


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
