"""Singling out and inference about one person, bounded by the curve of a release.

T(α) is the curve of :mod:`core.membership.curves`: two data sets differ in one record, which was
swapped for another (one step where records are replaced, two where they are added and removed, of
which T is composed), and every test has at most chance T(α) on one if it has chance α on the other.

**Singling out** (Cohen and Nissim 2020: a predicate of weight w that matches one record). Records
are independent draws. Let the attacker write a predicate q of weight at most w after seeing the
release of x. Whether q matches x_i is a test of (release, x_i). On the release of x with a fresh
record in the place of x_i, x_i is independent of q, so the chance is at most w; on x it is at most
T(w). That q matches any of n people, so in particular that it isolates exactly one, has chance at
most n T(w). Without a release it is n w at most.

**Inference**. The attacker knows all but one value of one record, which is a or b with prior p and
1 - p: the data sets are one swap apart. Who says "a" with chance c on b says it with chance T(c)
at most on a, so is right with chance p T(c) + (1 - p)(1 - c) at most; the largest over c is the
bound. Without a release it is max(p, 1 - p).

**Belief**. Under a pure ε' (ε where replaced, 2ε where added or removed) every outcome is at most
e^ε' times as likely on one as on the other, so the belief in a after any outcome is at most
e^ε' p / (e^ε' p + 1 - p), also among many values. That is not how often an attacker is right: ε' by
itself gives max(p, 1 - p, e^ε' / (1 + e^ε')) for that, and the two agree at p = 1/2.
"""

import math
from collections.abc import Callable

import numpy as np

from core.membership.bound import check_alpha, swap_epsilon
from core.privacy import Neighbours
from core.table import Array

Powers = Callable[[Array], Array]

GRID = np.linspace(0, 1, 4001)[1:-1]
"""False-alarm rates at which the best guess is looked for."""


def right_guesses(powers: Powers, prior: float) -> float:
    """How often anyone is right about one of two values, at most.

    Rounded outwards: on each piece of the grid the power at its end and the alarms at its start.
    """
    p = check_alpha(prior)
    ends = np.append(np.clip(powers(GRID), 0, 1), 1.0)
    starts = np.concatenate([[0.0], GRID])
    told = float((p * ends + (1 - p) * (1 - starts)).max())
    return min(1.0, max(p, 1 - p, told))


def largest_belief(epsilon: float, neighbours: Neighbours, prior: float) -> float:
    """The belief in one value that was held at ``prior``, after any outcome of a pure ε."""
    p = check_alpha(prior)
    return 1 / (1 + (1 - p) / p * math.exp(-min(swap_epsilon(epsilon, neighbours), 700.0)))


def matched(powers: Powers, weight: float) -> float:
    """Chance that a predicate of that weight, written after the release, matches one person."""
    return min(1.0, float(powers(np.array([check_alpha(weight)]))[0]))
