"""Noise in idealised arithmetic, for rehearsals; releases draw theirs elsewhere.

Every function draws standard noise, to be scaled afterwards: the same generator gives the same
draws for every scale, and more replicates leave the first ones alone, so moving a knob stretches
the noise instead of reshuffling it. Methods draw through :mod:`core.methods.randomness`.
"""

import math

import numpy as np

from core.table import Array

BLOCK = 2**15
"""Numbers drawn at a time: they are still in cache when they are put in their places."""


def standard_laplace(shape: tuple[int, ...], *, rng: np.random.Generator) -> Array:
    """Laplace draws of scale 1: exponential magnitudes, signs from a child generator.

    Two streams, because magnitudes followed by signs in one would shift with the size. Drawn row
    by row; in memory the first axis is the contiguous one, so that what follows works along all
    replicates of a cell.
    """
    size = math.prod(shape)
    (coins,) = rng.spawn(1)
    bits = np.unpackbits(np.frombuffer(coins.bytes((size + 7) // 8), dtype=np.uint8), count=size)
    signs = bits.view(np.int8)
    signs *= -2
    signs += 1
    rows = signs.reshape(shape[0] if shape else 1, math.prod(shape[1:]))
    draws = np.empty(rows.shape, order="F")
    step = max(1, BLOCK // max(rows.shape[1], 1))
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        block = rng.standard_exponential(part.shape)
        block *= part
        draws[start : start + step] = block
    return draws.reshape(shape)


def discrete_laplace(
    shape: tuple[int, ...], scale: float | Array, *, rng: np.random.Generator
) -> Array:
    """Whole numbers k with P(k) proportional to exp(-|k| / scale); scales may differ by column.

    The difference of two geometric numbers, each an exponential of that scale rounded down, so
    that a larger scale stretches the same draws. A scale of zero gives zeros.
    """
    (other,) = rng.spawn(1)
    draws = rng.standard_exponential(shape)
    draws *= scale
    np.floor(draws, out=draws)
    less = other.standard_exponential(shape)
    less *= scale
    np.floor(less, out=less)
    draws -= less
    return draws


def discrete_laplace_variance(scale: float) -> float:
    """Variance of :func:`discrete_laplace`: 2q / (1 - q)² with q = exp(-1 / scale)."""
    if scale == 0:
        return 0.0
    return 2 * math.exp(-1 / scale) / math.expm1(-1 / scale) ** 2


GAUSSIAN_TABLE = 2**16
"""Largest standard deviation for which the distribution is tabulated."""


def discrete_gaussian(
    shape: tuple[int, ...], deviation: float, *, rng: np.random.Generator
) -> Array:
    """Whole numbers k with P(k) proportional to exp(-k² / (2 deviation²)).

    Read off the tabulated distribution function at uniform numbers, so that a larger deviation
    stretches the same draws. Above ``GAUSSIAN_TABLE`` a rounded normal number has the same
    probabilities to one part in 10^10.
    """
    if deviation == 0:
        return np.zeros(shape)
    if deviation > GAUSSIAN_TABLE:
        return np.rint(deviation * rng.standard_normal(shape))
    reach = math.ceil(9 * deviation) + 1  # beyond, less than double precision can hold
    below = np.cumsum(discrete_gaussian_chances(deviation, reach))
    places = np.searchsorted(below, rng.random(shape), side="right")
    return np.asarray(np.minimum(places, 2 * reach) - reach, dtype=np.float64)


def discrete_gaussian_chances(deviation: float, reach: int) -> Array:
    """P(k) for k from -reach to reach."""
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    return np.asarray(weights / weights.sum())


def discrete_gaussian_variance(deviation: float) -> float:
    """Variance of :func:`discrete_gaussian`: deviation² unless that is small."""
    if deviation == 0 or deviation > 10:  # there the two differ by less than e^-1900
        return deviation**2
    reach = math.ceil(9 * deviation) + 1
    whole = np.arange(-reach, reach + 1)
    return float((discrete_gaussian_chances(deviation, reach) * whole**2).sum())
