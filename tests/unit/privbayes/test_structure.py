"""One search for parents, round by round: what is compared, with which chance, at what cost."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.methods.randomness import STEPS
from core.privbayes.attributes import Attribute
from core.privbayes.rules import Rules
from core.privbayes.scores import in_records
from core.privbayes.settings import PLUS, PRIVBAYES, Exact, Settings
from core.privbayes.structure import Book, Pair, Structure, compared, learn
from core.table import Variable
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
    assert drawn == [(Structure(alone.attributes, every, 0), 7)]


def test_progress_tells_how_many_of_all_are_placed():
    told = []
    searched = rules(BITS, recipe=PRIVBAYES, epsilon=5.0)
    learn(BITS, searched, rng=np.random.default_rng(0), progress=lambda *both: told.append(both))
    assert told == [(2, 5), (3, 5), (4, 5), (5, 5)]


class Asked:
    """A release's randomness that takes the best and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def choice(self, among, epsilon):
        self.asked.append((among, epsilon))
        return int(np.argmax(among.steps))


@pytest.mark.parametrize("exact", [Exact.NOTHING, Exact.STRUCTURE])
def test_a_release_pays_an_even_part_for_every_choice_but_the_first(exact):
    searched = rules(ROWS, recipe=PRIVBAYES, epsilon=2.0, exact=exact)
    source = Asked()
    [(found, times)] = learn(ROWS, searched, rng=source)
    (first, nothing), *rest = source.asked
    assert first.tables == (("v0",), ("v1",), ("v2",), ("v3",)) and first.law == "exponential"
    assert nothing == first.sensitivity == 0 and first.steps.tolist() == [0] * 4
    part = math.inf if exact is Exact.STRUCTURE else searched.spending.structure / 3
    assert [paid for _, paid in rest] == [part] * 3
    assert times == 1 and found.pairs[0] == Pair(0, (), 0.0, 0.0, 0.25, 4)
    for pair, (among, _) in zip(found.pairs[1:], rest, strict=True):
        assert pair.candidates == len(among.tables)
        assert pair.sensitivity == float(among.sensitivity) / ROWS.records > 0
        assert math.isnan(pair.score) and math.isnan(pair.probability)


def test_scores_are_those_of_tables_counted_record_by_record():
    searched = rules(ROWS, recipe=PLUS, epsilon=2.0)
    pairs = [*searched.searched([0, 2]), (0, ((2, 0), (3, 0)))]
    sizes, expected = [v.cardinality for v in ROWS.dataset.variables], []
    for child, parents in pairs:
        held = [a for a, _ in parents]
        table = np.zeros((*(sizes[a] for a in held), sizes[child]))
        for record in ROWS.dataset.codes:
            table[(*record[held], record[child])] += 1
        flat = table.reshape(1, math.prod(sizes[a] for a in held), sizes[child])
        expected += in_records(searched.settings.score, flat)
    assert len(pairs) > 5
    assert Book(ROWS, searched).scores(pairs) == expected


def test_pairs_are_compared_by_their_scores_less_their_penalties():
    """In steps of what one record moves, each rounded down."""
    searched = rules(ROWS, recipe=PLUS, epsilon=2.0)
    pairs = searched.searched([0, 2])
    scores = Book(ROWS, searched).scores(pairs)
    found = compared(searched, pairs, scores)
    above = [math.prod(v.cardinality for v in searched.above(parents)) for _, parents in pairs]
    states = [searched.attributes[child].variable.cardinality for child, _ in pairs]
    shapes = list(zip(above, states, strict=True))
    step = max(searched.sensitivity(shape) for shape in shapes) / STEPS
    charges = [searched.penalty(shape) for shape in shapes]
    assert len(set(charges)) > 1 and min(charges) > 0
    expected = [s // step - charge // step for s, charge in zip(scores, charges, strict=True)]
    assert found.steps.tolist() == expected
    assert (found.sensitivity, found.law) == (step * STEPS, "permute-and-flip")
    assert ("v1",) in found.tables and ("v0", "v2", "v3") in found.tables


def test_a_choice_that_no_record_moves_is_the_cheapest_and_costs_nothing():
    """One column tells of others only where those have more than one state."""
    variables = tuple(
        Variable(name, tuple("012")[:n]) for name, n in (("a", 3), ("b", 1), ("c", 1))
    )
    rows = Rows(Dataset(variables, np.array([[0, 0, 0], [2, 0, 0]])))
    searched = replace(rules(rows, recipe=PLUS, epsilon=2.0), degree=1, most=100.0)
    constant = compared(searched, searched.searched([0]), [Fraction(0)] * 4)
    alone, above, *_ = constant.steps.tolist()
    assert constant.sensitivity == 0 and alone == max(constant.steps) > above
    source = Asked()
    [(released, _)] = learn(rows, searched, rng=source)
    assert len(source.asked) == 1  # the first variable
    assert [(p.child, p.parents) for p in released.pairs] == [(0, ()), (1, ()), (2, ())]
    rehearsed = learn(rows, searched, rng=np.random.default_rng(0), replicates=40)
    assert len(rehearsed) == 3  # by what they begin with
    assert {pair.probability for s, _ in rehearsed for pair in s.pairs[1:]} == {1.0}
