"""Private choice of one candidate by its score: exponential mechanism, permute-and-flip."""

import enum
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.table import Array

STEPS = 128
"""Points of the integral that gives a permute-and-flip probability."""


class Selection(enum.Enum):
    """How the candidate is drawn; both are ε-private for scores of the sensitivity given."""

    EXPONENTIAL = "exponential"
    """Probability proportional to exp(ε score / (2 sensitivity))."""
    PERMUTE_AND_FLIP = "permute-and-flip"
    """Never worse in expectation, up to twice better. Source: McKenna and Sheldon 2020."""


@dataclass(frozen=True)
class Chosen:
    """Which candidate, and how probable that was (study: the probability is not private)."""

    index: int
    probability: float


def select(
    selection: Selection,
    scores: Array,
    *,
    epsilon: float,
    sensitivity: float,
    rng: np.random.Generator,
) -> Chosen:
    """One candidate, ε-private; a score that cannot change is no secret: the first best is taken.

    Draws: one uniform number, or one exponential number per candidate.
    """
    knobs = {"epsilon": epsilon, "sensitivity": sensitivity}
    (index,) = choices(selection, scores, **knobs, replicates=1, rng=rng).tolist()
    return Chosen(index, chance(selection, scores, index, **knobs))


def choices(
    selection: Selection,
    scores: Array,
    *,
    epsilon: float,
    sensitivity: float,
    replicates: int,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """So many independent choices between the same candidates, by their positions."""
    if sensitivity == 0 or math.isinf(epsilon):
        return np.full(replicates, int(np.argmax(scores)))
    logits = _logits(scores, epsilon, sensitivity)
    if selection is Selection.EXPONENTIAL:
        edges = np.cumsum(np.exp(logits))
        points = rng.random(replicates) * edges[-1]
        return np.asarray(np.searchsorted(edges, points, side="right"))
    # permute-and-flip is the largest of scores with exponential noise (Ding et al. 2021)
    noise = rng.standard_exponential((replicates, len(logits)))
    return np.asarray(np.argmax(logits + noise, axis=1))


def chance(
    selection: Selection, scores: Array, index: int, *, epsilon: float, sensitivity: float
) -> float:
    """How probable a choice is."""
    if sensitivity == 0 or math.isinf(epsilon):
        return float(index == int(np.argmax(scores)))
    logits = _logits(scores, epsilon, sensitivity)
    if selection is Selection.PERMUTE_AND_FLIP:
        return flip_probability(logits, index)
    weights = np.exp(logits)
    return float(weights[index] / weights.sum())


def _logits(scores: Array, epsilon: float, sensitivity: float) -> Array:
    return np.asarray((scores - scores.max()) * (epsilon / (2 * sensitivity)))


def flip_probability(logits: Array, index: int) -> float:
    """Probability that a candidate's score plus standard exponential noise is the largest.

    ∫ e^-z Π_{j≠i} (1 - e^-(z + s_i - s_j))+ dz, by the midpoint rule in u = e^-z.
    """
    others = np.delete(logits, index) - logits[index]
    top = math.exp(-float(others.max(initial=0.0)))  # above it a better one wins for sure
    u = (np.arange(STEPS) + 0.5) / STEPS * top
    lost = 1 - u[:, None] * np.exp(np.minimum(others, 700))[None, :]
    return float(lost.prod(axis=1).mean() * top)
