import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.table import Table, Variable
from tests.strategies import tables


@given(tables(), st.data())
def test_marginal_of_a_marginal_is_the_marginal(table, data):
    some = data.draw(st.lists(st.sampled_from(table.names), unique=True))
    fewer = data.draw(st.lists(st.sampled_from(some), unique=True)) if some else []
    twice = table.marginal(some).marginal(fewer)
    assert twice.names == tuple(fewer)
    np.testing.assert_array_equal(twice.values, table.marginal(fewer).values)


@given(tables(), st.data())
def test_any_order_of_axes_holds_the_same_cells(table, data):
    names = data.draw(st.permutations(table.names))
    turned = table.marginal(names)
    state = {v.name: data.draw(st.sampled_from(v.states)) for v in table.variables}
    np.testing.assert_array_equal(turned.given(state).values, table.given(state).values)


@given(tables(most=3, replicates=st.just((2,))), tables(most=3, replicates=st.just(())))
def test_product_order_does_not_matter(left, right):
    right = Table(tuple(Variable("w" + v.name, v.states) for v in right.variables), right.values)
    forth, back = left.multiply(right), right.multiply(left)
    np.testing.assert_array_equal(forth.values, back.marginal(forth.names).values)
    totals = left.marginal([]).values * right.marginal([]).values
    np.testing.assert_allclose(forth.marginal([]).values, totals)


@given(tables(most=3))
def test_product_with_itself_squares_every_cell(table):
    np.testing.assert_array_equal(table.multiply(table).values, table.values**2)


@given(tables())
def test_pickling_keeps_values_and_the_read_only_flag(table):
    again = pickle.loads(pickle.dumps(table))
    np.testing.assert_array_equal(again.values, table.values)
    assert not again.values.flags.writeable


def test_a_table_does_not_follow_the_array_it_was_made_from():
    array = np.ones(2)
    table = Table((Variable("a", ("0", "1")),), array)
    array[0] = 7
    assert table.values[0] == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Variable("", ("a",)), "empty name"),
        (lambda: Variable("x", ()), "no states"),
        (lambda: Variable("x", ("a", "a")), "'a' twice"),
        (lambda: Variable("x", ("a",)).code("b"), "no state 'b'"),
        (lambda: Table((Variable("x", ("a", "b")),), np.ones(3)), "trailing shape"),
        (lambda: Table((Variable("x", ("a",)),), np.ones(1)).marginal(["y"]), "no variable 'y'"),
    ],
)
def test_refusals_name_the_thing(call, words):
    with pytest.raises(EquipoiseError, match=words):
        call()


def test_a_product_too_large_is_refused_before_memory_grows():
    wide = [Variable(f"x{i}", tuple(map(str, range(100)))) for i in range(4)]
    left = Table(tuple(wide[:2]), np.ones((100, 100)))
    right = Table(tuple(wide[2:]), np.ones((100, 100)))
    with pytest.raises(EquipoiseError, match="100,000,000 cells"):
        left.multiply(right)
