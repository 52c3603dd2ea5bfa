"""What rehearsals look like together: quantiles over them, read off between measured budgets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.study.experiments import interval
from core.table import Array

QUANTILES = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
"""Limits of the 95, 80 and 50 % bands and the median."""

MEDIAN = QUANTILES.index(0.5)

LEAST = 1e-12
"""Smallest error told apart from none on a log scale."""


def bands(values: Array) -> Array:
    """Quantiles over the first axis, which they take the place of."""
    return np.asarray(np.quantile(values, QUANTILES, axis=0))


@dataclass(frozen=True)
class Summary:
    """A mean with its 95 % interval, and the quantiles at ``QUANTILES``, over rehearsals."""

    mean: float
    low: float
    high: float
    quantiles: tuple[float, ...]


def summary(values: Array) -> Summary:
    """One number of every rehearsal, together."""
    middle = interval(values)
    return Summary(middle.mean, middle.low, middle.high, tuple(bands(values).tolist()))


def read_off(curve: Array, epsilons: Sequence[float] | Array, epsilon: float) -> Array:
    """Quantiles at one ε between measured ones, straight on log scales: ``(7, ...)``.

    ``curve`` is ``(7, points, ...)``; outside the measured budgets the nearest end holds.
    """
    logs = np.log(np.maximum(curve, LEAST))
    last = logs.shape[1] - 1
    place = float(np.interp(np.log(epsilon), np.log(epsilons), np.arange(last + 1)))
    low = min(int(place), max(last - 1, 0))
    step = logs[:, min(low + 1, last)] - logs[:, low]
    return np.asarray(np.exp(logs[:, low] + (place - low) * step))
