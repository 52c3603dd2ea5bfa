"""Private choice: neighbours' scores change the chance of a candidate by at most e^ε."""

import math

import numpy as np
import pytest

from core.methods.selection import Selection, select

CANDIDATES, SENSITIVITY, RUNS = 50, 0.3, 6_000
EVEN = np.zeros(CANDIDATES)
ALONE = np.r_[SENSITIVITY, np.full(CANDIDATES - 1, -SENSITIVITY)]
"""A neighbour's scores: one candidate gains the most that a score can, all others lose it."""


class Grid:
    """Uniform numbers that cover the unit interval evenly, one for each call."""

    def __init__(self, points):
        self.points = iter((np.arange(points) + 0.5) / points)

    def random(self, size):
        return np.array([next(self.points) for _ in range(size)])


def chance(selection, scores, epsilon):
    """How often the first candidate is chosen."""
    exponential = selection is Selection.EXPONENTIAL
    rng = Grid(RUNS) if exponential else np.random.default_rng(4)
    chosen = [
        select(selection, scores, epsilon=epsilon, sensitivity=SENSITIVITY, rng=rng).index == 0
        for _ in range(RUNS)
    ]
    return np.mean(chosen)


@pytest.mark.parametrize("selection", Selection)
@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_a_choice_costs_its_epsilon_and_no_more(selection, epsilon):
    """Even scores give each candidate one chance in fifty; many candidates make the ratio tight."""
    assert chance(selection, EVEN, epsilon) * CANDIDATES == pytest.approx(1, abs=0.3)
    ratio = math.log(chance(selection, ALONE, epsilon) * CANDIDATES)
    assert ratio <= epsilon + 0.17  # three standard errors of 6,000 draws, at ε = 1
    if selection is Selection.EXPONENTIAL:
        assert ratio > 0.9 * epsilon
