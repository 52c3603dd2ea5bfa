"""Euclidean projection on the simplex."""

from __future__ import annotations

import numpy as np

from core.table import Array


def state_sums(rows: Array) -> Array:
    """Sum over the last axis, one add per state: far faster than reducing a short last axis."""
    total = rows[..., 0].copy()
    for state in range(1, rows.shape[-1]):
        total += rows[..., state]
    return total


def project(rows: Array) -> tuple[Array, Array]:
    """Nearest non-negative rows with the same totals, and those totals.

    A row whose total is not positive becomes zero. Rows without a negative cell stay as they are.
    """
    totals = np.maximum(state_sums(rows), 0)
    if rows.shape[-1] == 2:
        first = np.clip(rows[..., 0], 0, totals)
        return np.stack([first, totals - first], axis=-1), totals
    low = rows[..., 0].copy()
    for state in range(1, rows.shape[-1]):
        np.minimum(low, rows[..., state], out=low)
    wrong = low < 0
    found = rows.copy()
    if wrong.any():
        found[wrong] = _sorted_projection(rows[wrong], totals[wrong])
    return found, totals


def _sorted_projection(rows: Array, totals: Array) -> Array:
    """The sorting algorithm of Duchi et al. 2008 for a list of rows."""
    falling = -np.sort(-rows, axis=-1)
    excess = np.cumsum(falling, axis=-1) - totals[:, None]
    ranks = np.arange(1, rows.shape[-1] + 1)
    support = np.maximum((falling * ranks > excess).sum(axis=-1, keepdims=True), 1)
    shift = np.take_along_axis(excess, support - 1, axis=-1) / support
    return np.asarray(np.maximum(rows - shift, 0))
