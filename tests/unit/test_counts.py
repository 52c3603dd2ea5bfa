"""Counting: hand-made cases, sizes beyond a byte, empty data, and what is refused."""

import numpy as np
import pytest

from core.counts import CHUNK, Rows, count, positions
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.packing import PACKED_CELLS, pack
from core.table import CELL_LIMIT, Variable
from sources.networks import sample

A = Variable("a", ("no", "yes"))
B = Variable("b", ("x", "y", "z"))
C = Variable("c", ("only",))
SMALL = Dataset((A, B, C), np.array([[0, 0, 0], [0, 2, 0], [1, 2, 0], [1, 2, 0]]))


def wide(name, states):
    return Variable(name, tuple(map(str, range(states))))


def test_counts_by_hand():
    (table,) = count(SMALL, [(A, B)])
    assert table.names == ("a", "b")
    assert table.values.tolist() == [[1, 0, 1], [0, 0, 2]]


def test_axes_follow_the_family_not_the_data():
    both = count(SMALL, [(A, B), (B, A)])
    np.testing.assert_array_equal(both[0].values.T, both[1].values)


def test_the_empty_family_is_the_number_of_records():
    (table,) = count(SMALL, [()])
    assert table.values.shape == ()
    assert table.values == 4


def test_no_family_no_table():
    assert count(SMALL, []) == ()


def test_no_records_give_zeros():
    empty = Dataset((A, B, C), np.zeros((0, 3), dtype=np.uint8))
    tables = count(empty, [(A, B), (), (C,)])
    assert [t.values.shape for t in tables] == [(2, 3), (), (1,)]
    assert all(t.values.sum() == 0 and t.values.dtype == np.float64 for t in tables)


def test_results_are_read_only_floats():
    (table,) = count(SMALL, [(A, B, C)])
    assert table.values.dtype == np.float64
    assert not table.values.flags.writeable


@pytest.mark.parametrize("states", [255, 256, 257, 700])
def test_codes_beyond_one_byte(states):
    variables = (C, wide("w", states), B, wide("u", states))
    rng = np.random.default_rng(states)
    codes = np.stack([rng.integers(v.cardinality, size=999) for v in variables], axis=1)
    codes[0] = [0, states - 1, 2, states - 1]
    (table,) = count(Dataset(variables, codes), [variables])
    expected = np.zeros((1, states, 3, states))
    np.add.at(expected, tuple(codes.T), 1)
    np.testing.assert_array_equal(table.values, expected)


def test_more_records_than_one_chunk():
    rng = np.random.default_rng(0)
    codes = np.stack([rng.integers(2, size=2 * CHUNK + 7), rng.integers(3, size=2 * CHUNK + 7)], 1)
    (table,) = count(Dataset((A, B), codes), [(B, A)])
    expected = np.zeros((3, 2))
    np.add.at(expected, (codes[:, 1], codes[:, 0]), 1)
    np.testing.assert_array_equal(table.values, expected)
    assert count(Dataset((A, B), codes), [()])[0].values == 2 * CHUNK + 7


def test_packed_tables_stay_small_and_few():
    cardinalities = (4,) * 12
    families = tuple((i, i + 1) for i in range(11))
    packing = pack(cardinalities, families)
    assert all(4 ** len(table) <= PACKED_CELLS for table in packing.tables)
    assert len(packing.tables) == 3  # 5 families of a chain share 6 variables, 4**6 = 4096


def test_a_table_is_filled_to_its_last_cell_and_no_further():
    pair = ((0, 1, 2), (3, 4, 5))  # 4**6 = 4096
    assert pack((4,) * 6, pair).tables == ((0, 1, 2, 3, 4, 5),)
    assert pack((4,) * 6 + (2,), (*pair, (6,))).tables == ((0, 1, 2, 3, 4, 5), (6,))


@pytest.mark.parametrize(
    ("name", "tables"), [("asia", 1), ("sachs", 2), ("child", 4), ("alarm", 7)]
)
def test_sample_networks_are_counted_in_few_passes(name, tables):
    """As measured for docs/scale.md; a greedy choice that forgot what it holds takes more."""
    network = sample(name).network
    places = positions(network.variables, network.families)
    packing = pack(tuple(v.cardinality for v in network.variables), places)
    assert len(packing.tables) == tables


def test_one_family_may_exceed_the_packing_limit():
    packing = pack((100, 100, 2), ((0, 1), (2,)))
    assert packing.tables == ((0, 1), (2,))


def test_packing_is_compiled_once():
    pack.cache_clear()
    count(SMALL, [(A,), (B, A)])
    count(SMALL, [(A,), (B, A)])
    assert pack.cache_info().hits == 1


def test_unknown_column_is_refused():
    with pytest.raises(EquipoiseError, match=r"no column 'd'; it has a, b, c"):
        count(SMALL, [(Variable("d", ("x",)),)])
    for columns, told in ((6, "it has w0, w1, w2, w3, w4, w5$"), (7, r"w4, w5, \.\.\.$")):
        with pytest.raises(EquipoiseError, match=told):
            positions([wide(f"w{i}", 2) for i in range(columns)], [(A,)])


def test_other_states_are_refused():
    with pytest.raises(EquipoiseError, match="column 'a' has other states"):
        count(SMALL, [(Variable("a", ("yes", "no")),)])


def test_a_repeated_variable_is_refused():
    with pytest.raises(EquipoiseError, match="names a variable twice"):
        count(SMALL, [(A, A)])


def test_too_large_a_family_is_refused_before_memory_is_touched():
    variables = tuple(wide(f"w{i}", 300) for i in range(3))
    pair = wide("v", CELL_LIMIT // 2), A
    assert positions(pair, [pair]) == ((0, 1),)  # the most that is allowed
    with pytest.raises(EquipoiseError, match="27,000,000 cells"):
        count(Dataset(variables, np.zeros((1, 3), dtype=np.uint16)), [variables])


def test_rows_is_a_source():
    source = Rows(SMALL)
    assert source.records == 4
    np.testing.assert_array_equal(source.counts([(B,)])[0].values, [1, 0, 3])
