import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.privbayes.scores import Score, in_records, scores
from core.privbayes.sensitivity import Bound, sensitivity

PRINTED = np.array([[[6.0, 1.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]])
"""Zhang et al. 2017, Table 3, in tenths: settings of the parents by states of the child."""


@pytest.mark.parametrize(
    ("score", "value"), [(Score.PEAK, -0.2), (Score.INFORMATION, 0.55678), (Score.DEPENDENCE, 0.36)]
)
def test_the_printed_example(score, value):
    assert scores(score, PRINTED)[0] == pytest.approx(value, abs=5e-6)


def test_independent_tables_score_nothing_and_no_records_score_zero():
    product = np.outer([2.0, 4.0, 6.0], [1.0, 3.0])[None]
    assert scores(Score.DEPENDENCE, product)[0] == pytest.approx(0, abs=1e-12)
    assert scores(Score.INFORMATION, product)[0] == pytest.approx(0, abs=1e-12)
    for score in Score:
        assert scores(score, np.zeros((1, 4, 2)))[0] == 0


def test_one_record_is_half_of_it_away_from_telling_everything():
    alone = np.array([[[1.0, 0.0], [0.0, 0.0]]])
    assert [scores(score, alone)[0] for score in Score] == [0, -0.5, 0]


def test_f_refuses_a_child_of_three_states():
    with pytest.raises(
        EquipoiseError, match="score F needs a variable of two states; this one has 3"
    ):
        scores(Score.PEAK, np.ones((1, 2, 3)))


def tables_of(records, cells):
    """Every way to put so many records into so many cells."""
    for bars in itertools.combinations(range(records + cells - 1), cells - 1):
        edges = (-1, *bars, records + cells - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(edges))


def largest_change(score, shape, records, neighbours):
    """Over all tables of so many records and all neighbours, by enumeration."""
    cells = shape[0] * shape[1]

    def scored(held):
        tables = np.array(held, dtype=float).reshape(-1, *shape)
        found = scores(score, tables)
        return found * tables.sum(axis=(1, 2)) if neighbours is Neighbours.ADD_REMOVE else found

    start = list(tables_of(records, cells))
    base = dict(zip(start, scored(start), strict=True))
    more = [t for t in tables_of(records + 1, cells)]
    above = dict(zip(more, scored(more), strict=True))
    worst = 0.0
    for table, value in base.items():
        raised = [tuple(c + (i == j) for j, c in enumerate(table)) for i in range(cells)]
        if neighbours is Neighbours.ADD_REMOVE:
            worst = max(worst, *(abs(above[r] - value) for r in raised))
            continue
        for one in raised:  # one more record, then one less elsewhere: a record replaced
            for i in range(cells):
                other = tuple(c - (i == j) for j, c in enumerate(one))
                if other in base:
                    worst = max(worst, abs(base[other] - value))
    return worst


BINARY = [((2, 2), 5), ((2, 2), 6), ((3, 2), 5), ((4, 2), 4), ((2, 3), 5)]
GENERAL = [((3, 3), 4), ((3, 3), 5)]
CLAIMS = [
    (shape, records, score, neighbours)
    for shape, records in BINARY + GENERAL
    for score in Score
    for neighbours in Neighbours
    if score is not Score.PEAK or shape[1] == 2  # F is for a binary child
    if score is not Score.INFORMATION or neighbours is Neighbours.REPLACE  # else refused
]


@pytest.mark.parametrize(("shape", "records", "score", "neighbours"), CLAIMS)
def test_no_neighbour_moves_a_score_by_more_than_its_sensitivity(shape, records, score, neighbours):
    reached = largest_change(score, shape, records, neighbours)
    for bound in Bound:
        claimed = sensitivity(
            score, bound, neighbours, records=records, settings=shape[0], states=shape[1]
        )
        assert reached <= claimed + 1e-12


@pytest.mark.parametrize(("shape", "records"), BINARY)
def test_the_tight_bound_of_r_is_reached(shape, records):
    claimed = sensitivity(
        Score.DEPENDENCE,
        Bound.TIGHT,
        Neighbours.REPLACE,
        records=records,
        settings=shape[0],
        states=shape[1],
    )
    assert claimed == pytest.approx(2 / records - 2 / records**2)
    reached = largest_change(Score.DEPENDENCE, shape, records, Neighbours.REPLACE)
    assert reached == pytest.approx(claimed, abs=1e-12)


def test_the_bound_of_r_for_an_added_record_is_approached():
    for records in (2, 4, 8):
        reached = largest_change(Score.DEPENDENCE, (2, 2), records, Neighbours.ADD_REMOVE)
        assert reached == pytest.approx(2 - 2 / (records + 1))


def test_a_score_that_cannot_change_has_no_sensitivity():
    for shape in ((1, 4), (4, 1)):
        assert (
            sensitivity(
                Score.DEPENDENCE,
                Bound.TIGHT,
                Neighbours.REPLACE,
                records=9,
                settings=shape[0],
                states=shape[1],
            )
            == 0
        )


@pytest.mark.parametrize("half", [2**30 - 1, 2**30, 3 * 2**29, 2**31, 2**50])
def test_scores_are_exact_of_any_number_of_records(half):
    """A refusal would tell that the private number is no smaller, after the release was paid."""
    table = np.array([[[half, 0.0], [0.0, half]], [[1.0, half], [half - 1, 0.0]]])
    total = 2 * half
    apart = abs(total - (half + 1) * half) + abs(total * half - (half + 1) * half)
    apart += abs(total * (half - 1) - (half - 1) * half) + (half - 1) * half
    assert in_records(Score.DEPENDENCE, table) == [half, Fraction(apart, 2 * total)]
    assert in_records(Score.DEPENDENCE, table[:1]) == [half]


def test_information_is_refused_where_the_records_are_private():
    with pytest.raises(EquipoiseError, match="score I grows with the number of records"):
        sensitivity(
            Score.INFORMATION, Bound.TIGHT, Neighbours.ADD_REMOVE, records=9, settings=2, states=2
        )


@pytest.mark.parametrize("score", [Score.INFORMATION, Score.DEPENDENCE])
def test_no_parents_score_exactly_nothing_as_their_sensitivity_says(score):
    """A residue of rounding would depend on the records, and nothing would hide it."""
    counts = np.array([[[3.0, 7.0, 11.0]], [[1.0, 0.0, 48_841.0]]])
    assert in_records(score, counts) == [0, 0]
    wide = np.random.default_rng(1).integers(0, 9, (300, 1, 300)).astype(float)
    assert in_records(score, wide) == [0] * 300
    for relation in Neighbours:
        if score is Score.DEPENDENCE or relation is Neighbours.REPLACE:
            found = sensitivity(score, Bound.TIGHT, relation, records=59, settings=1, states=3)
            assert found == 0


def test_without_parents_f_says_how_even_the_child_is():
    counts = np.array([[[3.0, 5.0]], [[4.0, 4.0]], [[0.0, 7.0]]])
    assert in_records(Score.PEAK, counts) == [-4, -4, -3.5]


def test_sensitivities_are_the_printed_ones_to_the_last_digit():
    def found(score, records, settings=3, states=3, bound=Bound.TIGHT, relation=Neighbours.REPLACE):
        return sensitivity(
            score, bound, relation, records=records, settings=settings, states=states
        )

    for n in (1, 2, 10, 32_561):
        assert found(Score.PEAK, n, states=2) == Fraction(1, n)
        assert found(Score.DEPENDENCE, n) == Fraction(3, n)
        for shape in ((2, 3), (3, 2), (2, 2)):
            assert found(Score.DEPENDENCE, n, *shape) == Fraction(2, n) - Fraction(2, n**2)
        published = found(Score.DEPENDENCE, n, bound=Bound.PUBLISHED)
        assert published == Fraction(3, n) + Fraction(2, n**2)
    for relation_free in (3, 10**6):
        added = {"relation": Neighbours.ADD_REMOVE}
        assert found(Score.PEAK, relation_free, states=2, **added) == 1
        assert found(Score.DEPENDENCE, relation_free, **added) == 2
    assert found(Score.DEPENDENCE, 7, states=1) == found(Score.PEAK, 7, states=1) == 0
    assert found(Score.INFORMATION, 1) == found(Score.INFORMATION, 1, 2, 2) == 0
    assert found(Score.INFORMATION, 0) == 0 and found(Score.DEPENDENCE, 0) == 3
    n = 10
    binary = math.log2(n) / n + (n - 1) / n * math.log2(n / (n - 1))
    other = 2 / n * math.log2((n + 1) / 2) + (n - 1) / n * math.log2((n + 1) / (n - 1))
    assert float(found(Score.INFORMATION, n, 2, 5)) == pytest.approx(binary, rel=1e-14)
    assert float(found(Score.INFORMATION, n)) == pytest.approx(other, rel=1e-14)
