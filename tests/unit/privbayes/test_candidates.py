import itertools
import math

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.methods.selection import Selection, chance, choices, flip_probability, select
from core.privacy import Neighbours
from core.privbayes.attributes import Attribute
from core.privbayes.candidates import (
    CANDIDATE_LIMIT,
    SearchError,
    all_parent_sets,
    check_candidates,
    maximal_parent_sets,
    useful_cells,
    useful_degree,
    usefulness,
)
from core.privbayes.rules import SETS_COMPARED, Rules
from core.privbayes.settings import PLUS, Settings
from core.table import Variable

EPSILONS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)


@pytest.mark.parametrize(
    ("records", "attributes", "degrees"),
    [(21_574, 16, (1, 2, 3, 5, 6, 7)), (47_461, 23, (2, 3, 4, 5, 6, 7))],
)
def test_the_degree_by_usefulness(records, attributes, degrees):
    """θ = 4, β = 0.3, a record replaced."""
    found = [useful_degree(records, attributes, 0.7 * e, 4, Neighbours.REPLACE) for e in EPSILONS]
    assert tuple(found) == degrees


def test_no_degree_is_useful_with_too_few_records():
    assert useful_degree(10, 16, 0.7, 4, Neighbours.REPLACE) == 0


def test_with_many_records_all_others_may_be_parents():
    assert useful_degree(10**9, 6, 0.7, 4, Neighbours.REPLACE) == 5


@pytest.mark.parametrize("neighbours", Neighbours)
def test_what_is_useful_by_exactly_theta_is_useful(neighbours):
    theta = usefulness(5_000, 9, 3, 0.5, neighbours)
    assert useful_degree(5_000, 9, 0.5, theta, neighbours) == 3
    assert useful_degree(5_000, 9, 0.5, math.nextafter(theta, math.inf), neighbours) == 2


def test_cells_that_are_useful_share_the_records():
    """n ε₂ / (s d θ): 10,000 · 0.5 / (2 · 5 · 4), and half the noise where none is replaced."""
    assert useful_cells(10_000, 5, 0.5, 4, Neighbours.REPLACE) == 125
    assert useful_cells(10_000, 5, 0.5, 4, Neighbours.ADD_REMOVE) == 250
    assert useful_cells(10_000, 5, math.inf, 4, Neighbours.REPLACE) == math.inf


def every_set(sizes, most, degree):
    """All generalised subsets that fit, by enumeration."""
    for levels in itertools.product(*([None, *range(len(s))] for s in sizes)):
        chosen = tuple((a, v) for a, v in enumerate(levels) if v is not None)
        if len(chosen) <= degree and math.prod(sizes[a][v] for a, v in chosen) <= most:
            yield chosen


def is_below(smaller, larger):
    held = dict(larger)
    return smaller != larger and all(a in held and held[a] <= v for a, v in smaller)


SIZES = [
    ((2,), (3,), (4,)),
    ((2,), (2,), (2,), (2,), (2,)),
    ((8, 4, 2), (5,), (3, 2)),
    ((16, 8, 4, 2), (7, 4), (2,), (6, 3)),
]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("most", [0.5, 1, 3, 6, 12.7, 40, 1000])
@pytest.mark.parametrize("degree", [1, 2, 4])
def test_maximal_parent_sets_are_those_that_nothing_extends(sizes, most, degree):
    fitting = list(every_set(sizes, most, degree)) if most >= 1 else []
    expected = {s for s in fitting if not any(is_below(s, other) for other in fitting)}
    found = maximal_parent_sets(sizes, most, degree)
    assert len(set(found)) == len(found)
    assert set(found) == expected


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("most", [12, 12.7])
def test_all_parent_sets_are_those_that_fit(sizes, most):
    assert set(all_parent_sets(sizes, most, 2)) == set(every_set(sizes, most, 2))


@pytest.mark.parametrize(("find", "degree"), [(maximal_parent_sets, 199), (all_parent_sets, 8)])
def test_too_many_sets_are_refused_while_they_are_made(find, degree):
    """200 binary attributes in sets of seven or eight: 10^13 of them, refused at 200,000."""
    with pytest.raises(EquipoiseError, match="more than 200,000 pairs; allow fewer parents"):
        find([(2,)] * 200, 300.0, degree)


def test_as_many_pairs_as_a_round_may_compare_are_compared():
    check_candidates(CANDIDATE_LIMIT)
    with pytest.raises(SearchError, match="more than 200,000 pairs"):
        check_candidates(CANDIDATE_LIMIT + 1)


@pytest.mark.parametrize("count", [16, 23, 40, 100])
def test_plus_looks_at_fewer_parents_where_there_are_too_many_sets(count):
    """θ allows 7 to 12 parents of two states, and so many of them are 10^4 to 10^13 sets."""
    columns = tuple(Attribute((Variable(f"c{i}", ("0", "1")),)) for i in range(count))
    rules = Rules.of(columns, Settings(recipe=PLUS), 200_000)
    compared = [len(rules.candidates(range(placed))) for placed in range(10, count, 6)]
    assert max(compared) <= (SETS_COMPARED if rules.binary else CANDIDATE_LIMIT)
    assert rules.binary == (count < 40) and rules.degree == {16: 12, 23: 4}.get(count, 2)


@pytest.mark.parametrize("selection", Selection)
def test_choices_have_the_probability_that_is_told(selection):
    scores, rng = np.array([0.0, 0.3, 1.0, 0.9]), np.random.default_rng(2)
    trials = 6_000
    drawn = [
        select(selection, scores, epsilon=2.0, sensitivity=0.5, rng=rng) for _ in range(trials)
    ]
    told = {c.index: c.probability for c in drawn}
    assert sum(told.values()) == pytest.approx(1, abs=0.01)
    for index, probability in told.items():
        hits = sum(c.index == index for c in drawn)
        error = math.sqrt(probability * (1 - probability) / trials)
        assert abs(hits / trials - probability) < 5 * error


def test_permute_and_flip_is_the_printed_procedure():
    """Candidates in random order, each accepted with probability exp(its logit)."""
    logits, rng = np.array([0.0, -0.4, -1.5]), np.random.default_rng(0)
    hits, trials = np.zeros(3), 40_000
    for _ in range(trials):
        while True:
            accepted = [i for i in rng.permutation(3) if rng.random() < math.exp(logits[i])]
            if accepted:
                break
        hits[accepted[0]] += 1
    told = np.array([flip_probability(logits, i) for i in range(3)])
    np.testing.assert_allclose(hits / trials, told, atol=5 * math.sqrt(0.25 / trials))


@pytest.mark.parametrize("law", Selection)
def test_many_choices_are_drawn_with_the_chance_of_one_however_large_the_scores(law):
    scores, trials = 1e6 + np.array([0.0, 1.0]), 4_000
    knobs = {"epsilon": 0.5, "sensitivity": 1.0}
    told = chance(law, scores, 1, **knobs)
    assert 0.5 < told < 0.65
    drawn = choices(law, scores, **knobs, replicates=trials, rng=np.random.default_rng(1))
    assert abs(drawn.mean() - told) < 5 * math.sqrt(0.25 / trials)
    fixed = {"epsilon": 0.5, "sensitivity": 0}
    drawn = choices(law, scores, **fixed, replicates=3, rng=np.random.default_rng(1))
    assert drawn.tolist() == [1, 1, 1]


@pytest.mark.parametrize("gap", [0.0, 0.3, 2.0, 40.0, 800.0])
def test_of_two_the_worse_is_kept_half_as_often_as_it_would_be_alone(gap):
    logits = np.array([-gap, 0.0])
    told = [flip_probability(logits, i) for i in range(2)]
    assert told == pytest.approx([math.exp(-gap) / 2, 1 - math.exp(-gap) / 2], rel=1e-12)


def test_candidates_that_are_alike_have_the_same_chance():
    for count in (1, 3, 7):
        told = flip_probability(np.zeros(count), count - 1)
        assert told == pytest.approx(1 / count, rel=2e-4)  # the rule's 128 points


def test_an_infinite_budget_takes_the_best():
    chosen = select(
        Selection.EXPONENTIAL,
        np.array([1.0, 0.0, 2.0, 3.0, 2.0]),
        epsilon=math.inf,
        sensitivity=1.0,
        rng=np.random.default_rng(0),
    )
    assert (chosen.index, chosen.probability) == (3, 1.0)


@pytest.mark.parametrize("law", Selection)
def test_scores_that_no_record_moves_are_compared_without_noise(law):
    scores = np.array([1.0, 3.0, 2.0])
    told = [chance(law, scores, i, epsilon=0.1, sensitivity=0) for i in range(3)]
    assert told == [0, 1, 0]
    told = [chance(law, scores, i, epsilon=0.1, sensitivity=1) for i in range(3)]
    assert 0 < told[0] < told[2] < told[1] < 0.5
