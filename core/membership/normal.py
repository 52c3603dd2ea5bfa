"""The normal distribution over arrays; numpy has none."""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from core.methods.noise import discrete_gaussian, discrete_laplace, standard_laplace
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


FAR = -30.0
"""Below this many standard deviations the tail is computed by its asymptotic form."""


def noisy_table(counts: Array, scale: float, noise: str, *, rng: np.random.Generator) -> Array:
    """A table with the plan's noise, as a release measures it. A rehearsal."""
    if noise == "laplace":
        return counts + scale * standard_laplace(counts.shape, rng=rng)
    draw = discrete_gaussian if noise == "discrete gaussian" else discrete_laplace
    return counts + draw(counts.shape, scale, rng=rng)


def cell_scores(residuals: Array, variances: Array, scale: float, noise: str) -> Array:
    """-d/dr ln f(r) for f = normal of the given variances convolved with the noise.

    Laplace of scale b: f(r) is proportional to A + B with A = e^(-r/b) Phi(r/s - s/b),
    B = e^(r/b) Phi(-r/s - s/b); the derivative is tanh((ln A - ln B) / 2) / b. Gaussian of
    deviation b, and no noise: r / (s^2 + b^2).
    """
    spread = np.sqrt(np.maximum(variances, 1e-9))
    if scale < 1e-6 or noise == "discrete gaussian":
        return np.asarray(residuals / (spread**2 + scale**2))
    log_a = -residuals / scale + log_cumulative(residuals / spread - spread / scale)
    log_b = residuals / scale + log_cumulative(-residuals / spread - spread / scale)
    return np.asarray(np.tanh((log_a - log_b) / 2) / scale)


def log_cumulative(values: Array) -> Array:
    """Log of Phi, also far out in the lower tail."""
    near = np.log(np.maximum(cumulative(np.maximum(values, FAR)), 1e-300))
    tail = np.minimum(values, FAR)
    far = -(tail**2) / 2 - np.log(-tail * math.sqrt(2 * math.pi)) - 1 / tail**2
    return np.where(values < FAR, far, near)
