"""What a noisy table most probably was, given what a model expected of it.

Empirical Bayes: the ratio of a cell to what was expected of it has the same unknown law in the
whole table, a mixture over a grid of ratios, zero among them. The law is fitted to the noisy cells
themselves (EM), then each cell becomes its posterior mean. So empty cells become nearly zero
without raising the others, and a table that tells nothing becomes what was expected. Cost: none,
the noisy table is public.
"""

import numpy as np

from core.table import Array

STEP = 0.5
"""Distance of neighbouring ratios, in logarithms."""

LOGS = np.arange(-5, 5 + STEP / 2, STEP)
RATIOS = np.concatenate([[0.0], np.exp(LOGS)])

WIDTH = 1.3 * STEP / np.sqrt(12)
"""Relative spread within one ratio: so that together they cover everything between."""

EMPTY = 0.15
"""Share of empty cells before anything is known."""

START = np.concatenate(
    [[EMPTY], (1 - EMPTY) * np.exp(-(LOGS**2) / 2) / np.exp(-(LOGS**2) / 2).sum()]
)

CELLS = 4.0
"""Cells that the law before anything is known counts for."""

ROUNDS = 20


def filtered(values: Array, expected: Array, deviation: float, *, gaussian: bool) -> Array:
    """The posterior mean of each cell of a noisy table, in records; positive.

    ``expected`` are counts; ``deviation`` is the standard deviation of a cell's noise.
    """
    if deviation <= 0:
        return np.maximum(values, 0)
    noisy = values.ravel()[:, None]
    least = 1e-7 * max(float(expected.sum()), 1.0)
    centre = np.maximum(expected.ravel(), least)[:, None] * RATIOS
    spread = (WIDTH * centre) ** 2
    chance = _likelihood(noisy - centre, spread, deviation, gaussian=gaussian)
    law = START
    for _ in range(ROUNDS):
        held = chance * law
        held /= held.sum(axis=1, keepdims=True)
        law = (held.sum(axis=0) + CELLS * START) / (len(noisy) + CELLS)
    held = chance * law
    held /= held.sum(axis=1, keepdims=True)
    inside = centre + spread / (spread + deviation**2) * (noisy - centre)
    means = (held * np.maximum(inside, 0)).sum(axis=1)
    return np.asarray(np.maximum(means, 1e-6).reshape(values.shape))


def _likelihood(gap: Array, spread: Array, deviation: float, *, gaussian: bool) -> Array:
    """Density of a gap between a cell and the middle of a ratio.

    Laplace noise is taken as Gaussian where the spread within the ratio is larger.
    """
    variance = spread + deviation**2
    normal = np.exp(-np.minimum(gap**2 / (2 * variance), 600)) / np.sqrt(2 * np.pi * variance)
    if not gaussian:
        far = np.sqrt(2) * np.abs(gap) / deviation
        sharp = np.exp(-np.minimum(far, 600)) / (np.sqrt(2) * deviation)
        normal = np.where(spread > deviation**2, normal, sharp)
    return np.asarray(normal + 1e-280)
