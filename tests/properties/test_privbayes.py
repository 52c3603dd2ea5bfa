"""Laws of PrivBayes on random tables."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.privacy import Neighbours
from core.privbayes.encoding import ENCODINGS, encoding
from core.privbayes.scores import Score, scores
from core.privbayes.sensitivity import Bound, sensitivity
from core.table import Variable


@st.composite
def tables(draw):
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    variables = tuple(
        Variable(f"v{i}", tuple(f"s{s}" for s in range(size))) for i, size in enumerate(sizes)
    )
    rows = draw(st.lists(st.tuples(*(st.integers(0, s - 1) for s in sizes)), max_size=12))
    codes = np.array(rows, dtype=int).reshape(len(rows), len(sizes))
    return Rows(Dataset(variables, codes))


@given(tables(), st.sampled_from(ENCODINGS))
def test_decoding_what_was_encoded_is_the_identity(rows, name):
    variables = rows.dataset.variables
    how = encoding(name, variables, ordered={v.name for v in variables})
    coded = how.encode(rows)
    finest = {a.variable for a in how.attributes}
    keep = [j for j, v in enumerate(coded.dataset.variables) if v in finest]
    only = Rows(
        Dataset(tuple(coded.dataset.variables[j] for j in keep), coded.dataset.codes[:, keep])
    )
    back = how.decode(only)
    assert back.dataset.variables == variables
    np.testing.assert_array_equal(back.dataset.codes, rows.dataset.codes)


@st.composite
def neighbouring(draw, neighbours):
    settings, states = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    cells = settings * states
    start = draw(st.lists(st.integers(0, 30), min_size=cells, max_size=cells))
    more, less = draw(st.integers(0, cells - 1)), draw(st.integers(0, cells - 1))
    left = np.array(start, dtype=float)
    left[less] += 1
    right = left.copy()
    right[more] += 1
    if neighbours is Neighbours.REPLACE:
        right[less] -= 1
    return left.reshape(settings, states), right.reshape(settings, states)


def check(pair, score, neighbours, bound):
    left, right = pair
    if score is Score.PEAK and left.shape[1] != 2:
        return
    found = [float(scores(score, t[None])[0]) for t in (left, right)]
    if neighbours is Neighbours.ADD_REMOVE:
        found = [value * t.sum() for value, t in zip(found, pair, strict=True)]
    claimed = sensitivity(
        score,
        bound,
        neighbours,
        records=int(left.sum()),
        settings=left.shape[0],
        states=left.shape[1],
    )
    assert abs(found[0] - found[1]) <= claimed + 1e-9


@given(neighbouring(Neighbours.REPLACE), st.sampled_from(Score), st.sampled_from(Bound))
def test_a_replaced_record_moves_no_score_by_more_than_its_sensitivity(pair, score, bound):
    check(pair, score, Neighbours.REPLACE, bound)


@given(neighbouring(Neighbours.ADD_REMOVE), st.sampled_from((Score.PEAK, Score.DEPENDENCE)))
def test_an_added_record_moves_no_score_by_more_than_its_sensitivity(pair, score):
    check(pair, score, Neighbours.ADD_REMOVE, Bound.TIGHT)
