"""Noise in idealised arithmetic, for rehearsals; releases draw theirs elsewhere.

Every function draws standard noise in one call, in row-major order, and scales it afterwards:
the same generator and shape give the same draws for every scale, so moving ε stretches the
noise instead of reshuffling it.
"""

from __future__ import annotations

import math

import numpy as np

from core.table import Array


def standard_laplace(shape: tuple[int, ...], *, rng: np.random.Generator) -> Array:
    """Laplace draws of scale 1: exponential magnitudes with random signs."""
    size = math.prod(shape)
    draws = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(rng.bytes((size + 7) // 8), dtype=np.uint8), count=size)
    signs = bits.view(np.int8)
    signs *= -2
    signs += 1
    draws *= signs
    return draws.reshape(shape)

