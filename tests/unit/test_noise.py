"""Laplace draws: their documented order, whatever their shape and place in memory."""

import math

import numpy as np
import pytest

from core.methods.noise import BLOCK, standard_laplace


def plainly(shape, *, rng):
    """The twin: all magnitudes in one call, one sign bit for each from the child generator."""
    size = math.prod(shape)
    (coins,) = rng.spawn(1)
    bytes_ = np.frombuffer(coins.bytes((size + 7) // 8), dtype=np.uint8)
    signs = np.where(np.unpackbits(bytes_)[:size] == 1, -1.0, 1.0)
    return (rng.standard_exponential(size) * signs).reshape(shape)


@pytest.mark.parametrize(
    "shape", [(), (7,), (0, 4), (3, 0), (5, 9), (2, 3, 4), (70, 1_001), (3, 2 * BLOCK + 1)]
)
def test_draws_are_row_by_row(shape):
    found = standard_laplace(shape, rng=np.random.default_rng(4))
    assert found.shape == shape
    np.testing.assert_array_equal(found, plainly(shape, rng=np.random.default_rng(4)))


def test_replicates_are_contiguous():
    assert standard_laplace((6, 5), rng=np.random.default_rng(0)).strides[0] == 8
