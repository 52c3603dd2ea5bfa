"""One search for parents, round by round: what is compared, with which chance, at what cost."""

import math

import numpy as np
import pytest

from core.privbayes.attributes import Attribute
from core.privbayes.rules import Rules
from core.privbayes.settings import PLUS, PRIVBAYES, Settings
from core.privbayes.structure import Book, Pair, Structure, learn
from tests.unit.privbayes.test_synthesis import BITS, ROWS


def rules(rows, **knobs):
    attributes = [Attribute((variable,)) for variable in rows.dataset.variables]
    return Rules.of(attributes, Settings(**knobs), rows.records)


@pytest.mark.parametrize("rows", [BITS, ROWS], ids=["bits", "levels"])
def test_a_pair_is_chosen_with_the_chance_of_an_even_part_of_the_budget(rows):
    """exp(ε₁ score / (2 S (d - 1))), normalised: the exponential mechanism, written out."""
    searched = rules(rows, recipe=PRIVBAYES, epsilon=0.2)
    part = searched.spending.structure / (len(searched.attributes) - 1)
    [(found, times)] = learn(rows, searched, rng=np.random.default_rng(2))
    assert times == 1
    assert found.degree == (searched.degree if rows is BITS else 0)
    first, *rest = found.pairs
    count = len(searched.attributes)
    assert first == Pair(first.child, (), 0.0, 0.0, 1 / count, count)
    placed = [first.child]
    for pair in rest:
        pairs = searched.searched(sorted(placed))
        scores = [float(score) for score in Book(rows, searched).scores(pairs)]
        shape = (math.prod(v.cardinality for v in searched.above(p[1])) for p in pairs)
        moved = max(
            float(searched.sensitivity((above, searched.attributes[child].variable.cardinality)))
            for above, (child, _) in zip(shape, pairs, strict=True)
        )
        weights = np.exp((np.array(scores) - max(scores)) * part / (2 * moved))
        place = list(pairs).index((pair.child, pair.parents))
        assert pair.probability == pytest.approx(weights[place] / weights.sum(), rel=1e-3)
        assert pair.score == pytest.approx(scores[place] / rows.records)
        assert pair.sensitivity == pytest.approx(moved / rows.records)
        assert pair.candidates == len(pairs)
        placed.append(pair.child)


def test_without_parents_nothing_is_chosen():
    alone = rules(BITS, recipe=PLUS, epsilon=1e-4)
    assert alone.degree == 0
    every = tuple(Pair(i, (), 0.0, 0.0, 1.0, 1) for i in range(5))
    drawn = learn(BITS, alone, rng=np.random.default_rng(0), replicates=7)
    assert drawn == [(Structure(alone.attributes, every), 7)]


def test_progress_tells_how_many_of_all_are_placed():
    told = []
    searched = rules(BITS, recipe=PRIVBAYES, epsilon=5.0)
    learn(BITS, searched, rng=np.random.default_rng(0), progress=lambda *both: told.append(both))
    assert told == [(2, 5), (3, 5), (4, 5), (5, 5)]
