"""Whole-number positions that keep minimum distances and pull least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

Arc = tuple[int, int, int, int]
"""(tail, head, minimum distance, weight)"""


def settle(count: int, arcs: Sequence[Arc]) -> list[int]:
    """Positions minimising the sum of weight * (head - tail) with head - tail >= distance.

    The arcs must connect all ``count`` places. The constraints are those of a network, so that
    the corner at which the simplex method stops is one of whole numbers.
    Source: Gansner, Koutsofios, North and Vo 1993, section 2.3.
    """
    tail, head, distance, weight = np.array(arcs).T
    cost = np.bincount(head, weight, count) - np.bincount(tail, weight, count)
    each = np.arange(len(arcs))
    signs = np.repeat([1.0, -1.0], len(arcs))
    apart = coo_array((signs, (np.tile(each, 2), np.concatenate([tail, head]))))
    bounds = [(0, 0), *[(None, None)] * (count - 1)]
    solved = linprog(cost, apart.tocsr(), -distance, bounds=bounds, method="highs-ds")
    return [int(place) for place in np.rint(solved.x - solved.x.min())]
