"""Sums and products over some axes of a large table, in loops as long as memory allows.

A table of many columns with few states each has short axes. Summed over several of them at once,
or multiplied by a part of itself, numpy goes through it two or three cells at a time: up to fifty
times slower than one axis after the other, and a part written out over whole rows.
"""

import math
from collections.abc import Sequence

import numpy as np

from core.table import Array

SMALL = 2048
"""Cells up to which one call is faster than several."""

ROW = 256
"""Cells of a row for which a loop over rows costs nothing."""


def summed(table: Array, gone: Sequence[int]) -> Array:
    """The sum over some axes, which are kept with a length of one."""
    if table.size <= SMALL:
        return np.asarray(np.add.reduce(table, axis=tuple(gone), keepdims=True))
    for axis in sorted(gone):  # the first has the longest rows behind it
        table = np.add.reduce(table, axis=axis, keepdims=True)
    return table


def spread(part: Array, shape: Sequence[int]) -> Array:
    """A part of a table, whose other axes have a length of one, written out over rows of it."""
    if math.prod(shape) <= SMALL:
        return part
    first, row = len(shape), 1
    while row < ROW:
        first -= 1
        row *= shape[first]
    return np.broadcast_to(part, (*part.shape[:first], *shape[first:])).copy()


SHORT = 8
"""Cells of a row up to which numpy adds them one after the other, as a loop over columns does."""


def row_sums(rows: Array) -> Array:
    """The sum of each row."""
    if not 1 < rows.shape[1] < SHORT or rows.size <= SMALL:
        return np.asarray(rows.sum(axis=1))
    total = rows[:, 0] + rows[:, 1]
    for column in range(2, rows.shape[1]):
        total += rows[:, column]
    return np.asarray(total)


def multiply_rows(rows: Array, by: Array) -> None:
    """Multiplies each row by its number, in place."""
    if rows.shape[1] >= SHORT or rows.size <= SMALL:
        rows *= by[:, None]
        return
    for column in range(rows.shape[1]):
        rows[:, column] *= by
