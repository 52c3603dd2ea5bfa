"""DP-SGD on people of the mobility chain: one person is one record, whose gradient is clipped.

Tuned by a grid on the people held out, as Bernstein et al. 2017 did (section 4.2). Study only.
"""

import itertools
import math

import numpy as np

from core.markov.belief import column_marginals
from core.markov.dpsgd import Training
from core.markov.graph import Field
from core.markov.mobility import Town, generate, person_segments, split
from core.table import Array
from core.undirected.mobility import Case, likelihoods
from core.undirected.sample import Accountant

GRID = tuple(
    Training(steps=100, rate=rate, clip=clip, pace=pace)
    for rate, clip, pace in itertools.product((0.1, 1.0), (0.5, 2.0), (0.1, 0.3, 1.0, 3.0, 10.0))
)
"""Ways of training; ``clip`` is the largest norm of a person's gradient."""


def segments(case: Case, town: Town, *, seed: int) -> Array:
    """The mean segment of each person that a case of this seed learns from. Private."""
    learn, _ = split(generate(town, rng=np.random.default_rng([seed, town.people])))
    return person_segments(case.field, learn)


def descended(
    field: Field, people: Array, noise: float, ways: list[Training], *, rng: np.random.Generator
) -> Array:
    """θ after training once in each way, ``(ways, cells)``: they agree in steps and rate.

    ``people`` are mean segments ``(people, cells)``; ``noise`` is the multiplier of an accountant.
    Neighbours: a person added or removed; the divisor is rate times their public number. Who was
    never seen has no gradient.
    """
    first, count = ways[0], len(people)
    clips, paces = (np.array([getattr(w, name) for w in ways]) for name in ("clip", "pace"))
    squares = (people**2).sum(axis=1)[:, None]
    seen = squares > 0
    theta, speed = np.zeros((2, field.size, len(ways)))
    for step in range(first.steps):
        _, mean = column_marginals(field, theta)
        taken = seen & (rng.random((count, len(ways))) < first.rate)
        lengths = np.sqrt(np.maximum(squares - 2 * (people @ mean) + (mean**2).sum(axis=0), 0))
        weights = taken * np.minimum(1.0, clips / np.maximum(lengths, 1e-300))
        total = people.T @ weights - weights.sum(axis=0) * mean
        total += noise * clips * rng.standard_normal(total.shape)
        fallen = 0.5 * (1 + math.cos(math.pi * step / first.steps))
        speed = first.momentum * speed + total / (first.rate * count)
        theta += fallen * paces * (1 - first.momentum) * speed
    return np.ascontiguousarray(theta.T)


def tuned(
    case: Case, people: Array, epsilon: float, accountant: Accountant, *, rng: np.random.Generator
) -> tuple[Training, float]:
    """The way of the grid with the best likelihood of the people held out, and its noise."""
    judged = []
    for rate, ways in itertools.groupby(GRID, key=lambda t: t.rate):
        some = list(ways)
        noise = accountant(epsilon, 1 / len(people), rate, some[0].steps)
        theta = descended(case.field, people, noise, some, rng=rng)
        judged += list(
            zip(likelihoods(case, theta).tolist(), some, [noise] * len(some), strict=True)
        )
    _, way, noise = max(judged, key=lambda one: one[0] if math.isfinite(one[0]) else -math.inf)
    return way, noise
