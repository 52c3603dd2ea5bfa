"""Tables measured as one: what they leave, what they hold, and what is expected of them."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.privacy import Neighbours
from core.synthesis.adaptive import Growth, _measure_singles
from core.synthesis.fitting import fitted, left_out
from core.synthesis.forecast import merging
from core.synthesis.joint_tables import (
    MOST_CELLS,
    MOST_COLUMNS,
    expected_table,
    merged_tables,
    weight,
)
from core.synthesis.measuring import Bench, Purse
from core.synthesis.ways import made
from core.table import Variable
from sources.study import sampled_study

CHILD = Rows(sampled_study("child", None, records=5_000, seed=0).dataset)


def anything(_):
    return True


def columns_of(*sizes):
    return tuple(Variable(f"v{i}", tuple(map(str, range(s)))) for i, s in enumerate(sizes))


def noise(tables, wanted, sizes):
    """Deviations of all wanted tables' cells, for ε = 1 shared by the roots, added up."""
    roots = {t: math.sqrt(weight(t, wanted, sizes)) for t in tables}
    total = 0.0
    for pair in wanted:
        table = next(t for t in tables if set(pair) <= set(t))
        summed = math.prod(sizes[c] for c in table if c not in pair)
        deviation = math.sqrt(2 * summed) * sum(roots.values()) / roots[table]
        total += math.prod(sizes[c] for c in pair) * deviation
    return total


@given(st.lists(st.integers(2, 7), min_size=3, max_size=6), st.integers(0, 2**15 - 1))
def test_merged_tables_hold_all_and_leave_less_noise(sizes, chosen):
    pairs = list(itertools.combinations(range(len(sizes)), 2))
    wanted = [p for place, p in enumerate(pairs) if chosen >> place & 1]
    tables = merged_tables(wanted, sizes, anything)
    assert all(any(set(pair) <= set(table) for table in tables) for pair in wanted)
    for table in set(tables) - set(wanted):
        assert math.prod(sizes[c] for c in table) <= MOST_CELLS and len(table) <= MOST_COLUMNS
    before, after = noise(wanted, wanted, sizes), noise(tables, wanted, sizes)
    assert after < before if set(tables) != set(wanted) else after == pytest.approx(before)


def test_two_pairs_become_one_table_where_states_are_few():
    wanted = [(0, 1), (1, 2)]
    assert merged_tables(wanted, (2, 2, 2), anything) == [(0, 1, 2)]
    assert noise([(0, 1, 2)], wanted, (2, 2, 2)) == pytest.approx(
        noise(wanted, wanted, (2, 2, 2)) * math.sqrt(2) / 2
    )
    assert merged_tables(wanted, (5, 5, 5), anything) == wanted
    assert merged_tables(wanted, (2, 2, 2), lambda _: False) == wanted


def test_what_is_expected_of_a_table_is_what_the_pairs_say():
    rng = np.random.default_rng(0)
    first, second = (rng.dirichlet(np.full(s, 9.0), size=n) for s, n in ((3, 2), (4, 3)))
    chain = np.array([0.3, 0.7])[:, None, None] * first[:, :, None] * second[None]
    pairs = {(2, 5): chain.sum(axis=2), (2, 7): chain.sum(axis=1), (5, 7): chain.sum(axis=0)}
    np.testing.assert_allclose(expected_table((2, 5, 7), pairs), chain, atol=1e-7)
    np.testing.assert_array_equal(expected_table((5, 7), pairs), pairs[5, 7])


def test_a_table_left_out_is_what_the_others_say_of_it():
    """The slow twin is the model fitted without it."""
    variables = columns_of(2, 3, 4, 2)
    truth = np.random.default_rng(1).dirichlet(np.full(48, 0.5)).reshape(2, 3, 4, 2)
    sets = [(0, 1), (1, 2), (0, 2), (2, 3)]
    shares = {own: truth.sum(axis=tuple(a for a in range(4) if a not in own)) for own in sets}
    model = fitted(variables, shares, sweeps=200, tolerance=1e-10)
    others = {own: table for own, table in shares.items() if own != (0, 2)}
    twin = fitted(variables, others, sweeps=200, tolerance=1e-10).pairs[0, 2]
    np.testing.assert_allclose(left_out(model, shares, (0, 2)), twin, atol=1e-9)
    assert np.abs(twin - shares[0, 2]).sum() > 0.05
    alone = left_out(model, shares, (2, 3))  # only this table holds column 3
    np.testing.assert_allclose(alone, np.outer(shares[2, 3].sum(axis=1), [0.5, 0.5]), atol=1e-9)


def test_single_columns_of_a_merged_table_have_the_noise_that_is_stated():
    variables = columns_of(2, 2, 2, 3, 6)
    nobody = Rows(Dataset(variables, np.zeros((0, 5), dtype=int)))
    found = []
    for seed in range(400):
        purse = Purse(1.0, 0.0, Neighbours.ADD_REMOVE)
        bench = Bench(nobody, variables, purse, np.random.default_rng(seed))
        _measure_singles(Growth(bench, None), 1.0 - 1e-6)
        found.append(np.concatenate([t.values / t.variance**0.5 for t in bench.tables]))
    assert len(bench.measured) < 5 and [t.columns for t in bench.tables] == [(c,) for c in range(5)]
    assert sum(step.cost for step in bench.steps) == pytest.approx(bench.spent)
    spread = np.mean(np.square(found))
    assert abs(spread - 1) < 5 * math.sqrt(5 / np.size(found))  # of Laplace noise, at most


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_pure_budgets_alone_measure_tables_of_three_columns(delta):
    purse = Purse(1.0, delta, Neighbours.ADD_REMOVE)
    own = made("adaptive", CHILD, CHILD.dataset.variables, purse, rng=np.random.default_rng(0))
    assert any(len(columns) == 3 for columns in own.measured) == (delta == 0)
    paid = sum(step.cost for step in own.steps)
    assert paid == pytest.approx(sum(own.amounts[1:]) + own.choices, rel=0.02)


def test_the_forecast_knows_what_merging_does():
    few, many = merging((2, 3) * 6, False), merging((9,) * 12, False)
    assert few.pairs < 0.85 and few.singles < 0.85 and few.held > 1.2
    assert (many.pairs, many.singles, many.held) == pytest.approx((1, 1, 1))
    assert merging((2, 3) * 6, True) == merging((2,) * 12, False) == type(few)()
