"""Euclidean projection on the simplex, for rows of many replicates."""

import numpy as np

from core.table import Array

ROUNDING = 1e-13
"""A row this close to its total, relatively, is done."""


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
    projected = np.maximum(rows, 0)
    if rows.shape[1] == 2:
        np.minimum(projected[:, 0], totals, out=projected[:, 0])
        np.subtract(totals, projected[:, 0], out=projected[:, 1])
    else:
        _take_excess(projected, totals)
    return projected, totals


def _take_excess(projected: Array, totals: Array) -> None:
    """Take what non-negative rows hold beyond their totals off their positive cells, in place.

    Each round sets at least one more cell of an unfinished row to zero. Source: Michelot 1986.
    """
    excess = state_sums(projected)
    excess -= totals
    for _ in range(projected.shape[1]):
        if (excess <= ROUNDING * totals).all():
            return
        positive = np.zeros(totals.shape)
        for state in range(projected.shape[1]):
            positive += projected[:, state] > 0
        excess /= np.maximum(positive, 1, out=positive)
        for state in range(projected.shape[1]):
            projected[:, state] -= excess  # a cell at zero becomes negative, and zero again
        np.maximum(projected, 0, out=projected)
        excess = state_sums(projected)
        excess -= totals
