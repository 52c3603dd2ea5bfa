"""Noise in idealised arithmetic, for rehearsals; releases draw theirs elsewhere.

Every function draws standard noise, to be scaled afterwards: the same generator gives the same
draws for every scale, and more replicates leave the first ones alone, so moving a knob stretches
the noise instead of reshuffling it.
"""

from __future__ import annotations

import math

import numpy as np

from core.table import Array


def standard_laplace(shape: tuple[int, ...], *, rng: np.random.Generator) -> Array:
    """Laplace draws of scale 1: exponential magnitudes, signs from a child generator.

    Two streams, because magnitudes followed by signs in one would shift with the size.
    """
    size = math.prod(shape)
    (coins,) = rng.spawn(1)
    draws = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(coins.bytes((size + 7) // 8), dtype=np.uint8), count=size)
    signs = bits.view(np.int8)
    signs *= -2
    signs += 1
    draws *= signs
    return draws.reshape(shape)

