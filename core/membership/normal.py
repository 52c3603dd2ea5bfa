"""The normal distribution over arrays; numpy has none."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from core.table import Array

_NORMAL = NormalDist()
_ERFC = np.frompyfunc(math.erfc, 1, 1)
_QUANTILE = np.frompyfunc(_NORMAL.inv_cdf, 1, 1)


def cumulative(values: ArrayLike) -> Array:
    """Phi at each value, accurate in the lower tail: erfc(-x / sqrt 2) / 2.

    >>> round(float(cumulative(0.0)), 3)
    0.5
    """
    scaled = np.asarray(values, dtype=np.float64) / -math.sqrt(2)
    return np.asarray(_ERFC(scaled), dtype=np.float64) / 2


def quantile(shares: ArrayLike) -> Array:
    """Phi^-1 at each share strictly between 0 and 1."""
    return np.asarray(_QUANTILE(np.asarray(shares, dtype=np.float64)), dtype=np.float64)
