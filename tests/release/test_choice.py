"""The private choice of a release: exact laws, exact charges, the scores of a rehearsal."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.methods.randomness import STEPS, Candidates
from core.privacy import Neighbours
from core.privbayes.encoding import encoding
from core.privbayes.rules import Rules
from core.privbayes.settings import PLUS, PRIVBAYES, Exact, Settings
from core.privbayes.structure import Book, compared, learn
from core.table import Variable
from release import worker
from release.meter import Meter
from release.process import Worker

DRAWS = 20_000
GAPS = np.array([3, 0, 1, 7, 1], dtype=np.int64)
RATE = Fraction(1, 3)


def exponential(chances):
    return np.array(chances) / sum(chances)


def permute_and_flip(chances):
    """Over every order of the candidates: the first that is kept."""
    found = np.zeros(len(chances))
    for order in itertools.permutations(range(len(chances))):
        passed = 1.0
        for place in order:
            found[place] += passed * chances[place]
            passed *= 1 - chances[place]
    return found / math.factorial(len(chances))


@pytest.mark.parametrize("law", [exponential, permute_and_flip])
def test_a_choice_has_the_law_of_its_name(law):
    name = law.__name__.replace("_", "-")
    drawn = [worker.ExactSampler().chosen(name, GAPS, RATE) for _ in range(DRAWS)]
    expected = law([math.exp(-float(RATE) * gap) for gap in GAPS]) * DRAWS
    assert expected.min() > 5
    assert chisquare(np.bincount(drawn, minlength=len(GAPS)), expected).pvalue > 1e-6


@pytest.mark.parametrize("exponent", [Fraction(0), Fraction(1, 7), Fraction(1), Fraction(17, 6)])
def test_a_coin_has_the_chance_of_its_exponent(exponent):
    heads = sum(worker.kept(exponent) for _ in range(DRAWS))
    chance = math.exp(-float(exponent))
    assert abs(heads - DRAWS * chance) <= 5 * math.sqrt(DRAWS * chance * (1 - chance))


@pytest.mark.parametrize(
    ("law", "gaps", "rate"),
    [("best", [0, 1], 1), ("exponential", [1, 2], 1), ("exponential", [], 1),
     ("permute-and-flip", [0, 1], -1)],
)  # fmt: skip
def test_a_choice_that_makes_no_sense_is_refused(law, gaps, rate):
    with pytest.raises(ValueError, match="no choice"):
        worker.ExactSampler().chosen(law, np.array(gaps, dtype=np.int64), Fraction(rate))


def test_the_process_that_draws_chooses():
    with Worker() as drawer:
        for law in ("exponential", "permute-and-flip"):
            gaps = np.array([10**12, 0, 10**12], dtype=np.int64)
            assert drawer.chosen(law, gaps, Fraction(1, 2)) == 1


class Told:
    """A drawer that answers with the best and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def chosen(self, law, gaps, rate):
        self.asked.append((law, gaps.tolist(), rate))
        return int(np.argmin(gaps))


def candidates(*steps):
    names = tuple((f"v{i}",) for i in range(len(steps)))
    return Candidates(names, np.array(steps, dtype=np.int64), Fraction(2), "exponential")


def test_a_choice_is_paid_exactly_before_it_is_drawn():
    drawer = Told()
    meter = Meter(Fraction(1), Fraction(0), Neighbours.ADD_REMOVE, drawer)
    assert meter.choice(candidates(5, 9, 9), 0.25) == 1
    assert drawer.asked == [("exponential", [4, 0, 0], Fraction(1, 4) / (2 * STEPS))]
    (paid,) = meter.measurements
    assert (paid.variables, paid.cells, paid.noise) == (("v1",), 3, "exponential")
    assert (paid.budget, paid.scale) == (Fraction(1, 4), Fraction(16)) and paid.is_choice
    meter.choice(candidates(1, 2), 0.0)  # by lot: nothing is paid, and all are alike
    assert drawer.asked[-1][2] == 0 and meter.left == Fraction(3, 4)

    class Broken:
        def chosen(self, law, gaps, rate):
            assert meter.left == Fraction(1, 2)
            raise EquipoiseError("gone")

    meter._drawer = Broken()
    with pytest.raises(EquipoiseError, match="gone"):
        meter.choice(candidates(1, 2), 0.25)
    with pytest.raises(EquipoiseError, match=r"ask for 0\.6 and 0\.5 is left"):
        meter.choice(candidates(1, 2), 0.6)


def rows(codes):
    variables = tuple(
        Variable(name, tuple("012")[:n]) for name, n in (("a", 3), ("b", 2), ("c", 3))
    )
    return Rows(Dataset(variables, np.array(codes).reshape(-1, 3)))


def steps_of(source, recipe, neighbours):
    """What every candidate of the second round scores, the first attribute being placed.

    Pairs of several shapes, that without parents among them: one record moves each otherwise.
    """
    how = encoding("vanilla", source.dataset.variables)
    rules = Rules.of(how.attributes, Settings(epsilon=5.0, recipe=recipe, neighbours=neighbours,
                                              theta=1e-6), 9)  # fmt: skip
    pairs = replace(rules, degree=2).candidates([0])
    assert {len(parents) for _, parents in pairs} == ({0, 1} if recipe is PLUS else {1})
    return compared(rules, pairs, Book(source, rules).scores(pairs)).steps


record = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2))


@settings(max_examples=60, deadline=None)
@given(st.lists(record, min_size=8, max_size=8), record, st.sampled_from((PLUS, PRIVBAYES)))
def test_one_record_moves_no_score_by_more_than_its_steps(held, other, recipe):
    base = [*held, held[0]]
    for neighbours, near in (
        (Neighbours.ADD_REMOVE, [*base, other]),
        (Neighbours.REPLACE, [*held, other]),
    ):
        moved = steps_of(rows(near), recipe, neighbours) - steps_of(rows(base), recipe, neighbours)
        assert np.abs(moved).max() <= STEPS


class Fresh:
    """A release's randomness that takes the best, as a rehearsal without noise does."""

    def choice(self, among, epsilon):
        return int(np.argmax(among.steps))


@pytest.mark.parametrize("recipe", [PLUS, PRIVBAYES])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_rehearsal_and_release_choose_by_the_same_scores(recipe, neighbours):
    codes = np.random.default_rng(1).integers(0, (3, 2, 3), (400, 3))
    codes[:300, 1] = codes[:300, 0] // 2
    source = rows(codes)
    knobs = Settings(epsilon=9.0, recipe=recipe, neighbours=neighbours, exact=Exact.STRUCTURE)
    rules = Rules.of(encoding("vanilla", source.dataset.variables).attributes, knobs, 400)
    ((released, _),) = learn(source, rules, rng=Fresh())
    rehearsed = learn(source, rules, rng=np.random.default_rng(0), replicates=40)
    assert sum(times for _, times in rehearsed) == 40
    (same,) = [s for s, _ in rehearsed if s.pairs[0].child == released.pairs[0].child]
    assert [(p.child, p.parents) for p in same.pairs] == [
        (p.child, p.parents) for p in released.pairs
    ]
    assert all(math.isnan(p.score) for p in released.pairs[1:])  # private, and not kept
