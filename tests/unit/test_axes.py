"""Sums and products over some axes: what numpy says in one call, in shapes that go other ways."""

import itertools

import numpy as np
import pytest

from core.inference.axes import ROW, SMALL, multiply_rows, row_sums, spread, summed

SHAPES = [(2, 3), (3, 2, 2), (40, 60), (3, 4, 5, 2, 3, 4, 3), (2,) * 13, (2, 3000), (3000, 2), ()]


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_and_spread_parts_are_those_of_numpy(shape):
    rng = np.random.default_rng(0)
    table = rng.random(shape)
    axes = range(len(shape))
    for kept in itertools.islice(itertools.chain([()], itertools.combinations(axes, 2)), 30):
        gone = tuple(axis for axis in axes if axis not in kept)
        expected = table.sum(axis=gone, keepdims=True)
        own = summed(table, gone)
        assert own.shape == expected.shape
        np.testing.assert_allclose(own, expected, rtol=1e-13)
        assert np.array_equal(table * spread(expected, shape), table * expected)


def test_a_part_is_written_out_over_whole_rows_and_no_further():
    shape = (16, 16, 16, 16, 4)
    part = spread(np.ones((16, 1, 1, 1, 1)), shape)
    assert part.size == 16 * part[0].size
    assert ROW <= part[0].size < 16 * ROW
    assert np.prod(shape) > SMALL


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 20])
@pytest.mark.parametrize("rows", [5, SMALL])
def test_rows_are_summed_and_multiplied_to_the_last_bit(rows, length):
    rng = np.random.default_rng(0)
    table, by = rng.random((rows, length)), rng.random(rows)
    assert np.array_equal(row_sums(table), table.sum(axis=1))
    expected = table * by[:, None]
    multiply_rows(table, by)
    assert np.array_equal(table, expected)
