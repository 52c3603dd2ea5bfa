"""Euclidean projection on the simplex, for rows of many replicates."""

from __future__ import annotations

import numpy as np

from core.table import Array


def state_sums(rows: Array) -> Array:
    """Sum over the states, one add per state: ``(rows, states, replicates)`` to ``(rows, …)``."""
    total = rows[:, 0].copy()
    for state in range(1, rows.shape[1]):
        total += rows[:, state]
    return total


def project(rows: Array) -> tuple[Array, Array]:
    """Nearest non-negative rows with the same totals, and those totals.

    ``rows`` is ``(rows, states, replicates)``. A row whose total is not positive becomes zero.
    Rows without a negative cell stay as they are.
    """
    totals = np.maximum(state_sums(rows), 0)
    found = rows.copy()
    if rows.shape[1] == 2:
        np.maximum(rows[:, 0], 0, out=found[:, 0])
        np.minimum(found[:, 0], totals, out=found[:, 0])
        np.subtract(totals, found[:, 0], out=found[:, 1])
        return found, totals
    low = rows[:, 0].copy()
    for state in range(1, rows.shape[1]):
        np.minimum(low, rows[:, state], out=low)
    row, replicate = np.nonzero(low < 0)
    if len(row):
        wrong = rows[row, :, replicate]
        found[row, :, replicate] = _sorted_projection(wrong, totals[row, replicate])
    return found, totals


def _sorted_projection(rows: Array, totals: Array) -> Array:
    """The sorting algorithm of Duchi et al. 2008 for a list of rows."""
    falling = -np.sort(-rows, axis=-1)
    excess = np.cumsum(falling, axis=-1) - totals[:, None]
    ranks = np.arange(1, rows.shape[-1] + 1)
    support = np.maximum((falling * ranks > excess).sum(axis=-1, keepdims=True), 1)
    shift = np.take_along_axis(excess, support - 1, axis=-1) / support
    return np.asarray(np.maximum(rows - shift, 0))
