"""Distances of marginals, row by row, and which marginals are compared."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.privbayes.distances import MARGINAL_LIMIT, distance, marginals_of, normalised
from core.table import CELL_LIMIT, Variable
from tests.wholes import distances


def variables(*sizes):
    return tuple(
        Variable(f"v{i}", tuple(str(s) for s in range(size))) for i, size in enumerate(sizes)
    )


def rows(seed, records):
    rng, own = np.random.default_rng(seed), variables(2, 3, 4, 2)
    return Rows(Dataset(own, np.array([rng.integers(v.cardinality, size=records) for v in own]).T))


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_a_distance_is_half_of_what_shares_differ_by(ways):
    left, right = rows(0, 90), rows(1, 200)
    marginals = marginals_of(left.dataset.variables, ways)
    expected = []
    for places in itertools.combinations(range(4), ways):
        a, b = (Counter(map(tuple, r.dataset.codes[:, places].tolist())) for r in (left, right))
        expected.append(sum(abs(a[x] / 90 - b[x] / 200) for x in {*a, *b}) / 2)
    np.testing.assert_allclose(distances(left, right, marginals), expected)


def test_nobody_is_spread_evenly():
    assert normalised(np.zeros(4)).tolist() == [0.25] * 4
    assert normalised(np.array([1.0, 3.0])).tolist() == [0.25, 0.75]
    assert normalised(np.array([0.0, 1.0])).tolist() == [0, 1]  # one record, or shares already
    assert distance(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 1


def test_of_too_many_marginals_a_fixed_choice_is_compared():
    many = variables(*[2] * 40)
    chosen = marginals_of(many, 3)
    assert math.comb(40, 3) > MARGINAL_LIMIT == len(chosen) == len(set(chosen))
    assert chosen == marginals_of(many, 3)
    assert all(len({v.name for v in marginal}) == 3 for marginal in chosen)
    assert {v for marginal in chosen for v in marginal} == set(many)
    assert len(marginals_of(many, 2)) == 780


def test_marginals_larger_than_a_table_are_left_out():
    wide = variables(2, 1000, 1000, 1000)
    assert 2 * 10**6 <= CELL_LIMIT < 10**9
    assert marginals_of(wide, 3) == [(wide[0], *pair) for pair in marginals_of(wide[1:], 2)]
    full = variables(2**11, 2**11 + 1, CELL_LIMIT // 2**11)
    assert marginals_of(full, 2) == [(full[0], full[2])]  # as many cells as a table may have
