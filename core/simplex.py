"""Euclidean projection on the simplex."""

from __future__ import annotations

import numpy as np

from core.table import Array


def project(rows: Array) -> Array:
    """Nearest non-negative rows with the same totals; a row whose total is not positive is zero.

    Sorting algorithm of Duchi et al. 2008, over the last axis, all other axes at once.
    """
    totals = np.maximum(rows.sum(axis=-1, keepdims=True), 0)
    falling = -np.sort(-rows, axis=-1)
    excess = np.cumsum(falling, axis=-1) - totals
    ranks = np.arange(1, rows.shape[-1] + 1)
    support = np.maximum((falling * ranks > excess).sum(axis=-1, keepdims=True), 1)
    shift = np.take_along_axis(excess, support - 1, axis=-1) / support
    return np.asarray(np.maximum(rows - shift, 0))
