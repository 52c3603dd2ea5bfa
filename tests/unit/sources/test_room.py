"""Millions of rows cost as much memory as their codes, and little more.

What a whole file takes is measured by ``python -m benchmarks.tables --megabytes 2000``.
"""

import tracemalloc

import numpy as np
import pytest

from core.inference.sampling import CHUNK
from core.inference.sampling import sample as draw
from release.ledger.fingerprint import fingerprint
from sources.networks import sample

RECORDS = 4_000_000
LITTLE = 24 * 2**20
"""What one piece takes while it is worked on."""


@pytest.fixture(scope="module")
def rows():
    return draw(sample("asia").model, RECORDS, rng=np.random.default_rng(3))


def peak(work):
    """Most bytes that Python and numpy held at once meanwhile."""
    tracemalloc.start()
    try:
        kept = work()
        return tracemalloc.get_traced_memory()[1], kept
    finally:
        tracemalloc.stop()


def test_drawing_holds_the_codes_once(rows):
    most, drawn = peak(
        lambda: draw(sample("asia").model, RECORDS, rng=np.random.default_rng(3))
    )  # fmt: skip
    assert most < rows.codes.nbytes + LITTLE
    assert np.array_equal(drawn.codes, rows.codes)


def test_a_draw_does_not_show_where_its_pieces_end():
    """Numbers are taken in the order that the docstring states."""
    model = sample("asia").model
    drawn = draw(model, CHUNK + 5, rng=np.random.default_rng(8)).codes
    rng = np.random.default_rng(8)
    roots = 0
    for node in model.network.order:
        numbers = rng.random(CHUNK + 5)
        if not model.network.parent_indices[node]:
            expected = numbers >= model.conditional(node).values[..., 0]
            assert np.array_equal(drawn[:, node], expected)
            roots += 1
    assert roots == 2


def test_a_fingerprint_takes_a_byte_for_each_row_of_few_settings(rows):
    most, _ = peak(lambda: fingerprint(rows, key=b"key"))
    assert most < 3 * RECORDS + LITTLE
