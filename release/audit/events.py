"""Events that tell two data sets apart: found on some runs, tested on others.

An attacker is trained to tell the outputs of two mechanisms apart; the events are half-lines of
its score. (ε, δ)-differential privacy says P(E) ≤ e^ε Q(E) + δ for every event, so exact bounds
on both chances of one event give a lower bound on ε. The idea of a test that rejects a claimed
guarantee: Ding et al. 2018, "Detecting violations of differential privacy"; Jagielski et al. 2020,
"Auditing differentially private machine learning".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.membership.intervals import least_share, most_share
from core.table import Array

EVENTS = 3
"""Events tested in each direction."""

LEVELS = np.geomspace(5e-4, 0.5, 40)
"""Shares of all runs that candidate events hold."""

FITTED = 20_000
"""Most runs of each side the attacker is trained on."""

ATOM = 0.01
"""Share of runs from which on a single value is looked at for itself."""


@dataclass(frozen=True)
class Event:
    """A half-line of the score: ``sign`` · score above ``sign`` · ``threshold``."""

    sign: int
    threshold: float

    def hits(self, scores: Array) -> int:
        """Runs in which it happens."""
        return int((self.sign * scores > self.sign * self.threshold).sum())


def proven_epsilon(hits: int, misses: int, trials: int, delta: float, slip: float) -> float:
    """ln((P - δ) / Q) for the least P and the largest Q that the runs allow, at least 0.

    ``hits`` of ``trials`` runs on one side, ``misses`` on the other; each bound is wrong with
    probability at most ``slip`` (Clopper and Pearson).
    """
    low = least_share(hits, trials, slip)
    if low <= delta:
        return 0.0
    return max(0.0, math.log((low - delta) / most_share(misses, trials, slip)))


def choose_events(left: Array, right: Array, delta: float, most: int) -> tuple[Event, ...]:
    """The events that promise the largest ε for the left side over the right.

    Candidates are half-lines at quantiles of all scores; each is judged by its log-ratio less
    three standard errors. Only what is chosen here has to be paid for in the test.
    """
    both = np.concatenate([left, right])
    thresholds = np.unique(np.quantile(both, np.concatenate([LEVELS, 1 - LEVELS])))
    rated: list[tuple[float, Event]] = []
    for sign in (1, -1):
        p = _shares(left, thresholds, sign)
        q = _shares(right, thresholds, sign)
        spread = np.sqrt((1 - p) / (p * len(left)) + (1 - q) / (q * len(right)))
        promise = np.log(np.maximum(p - delta, 1e-12) / q) - 3 * spread
        pairs = zip(promise.tolist(), thresholds.tolist(), strict=True)
        rated += [(value, Event(sign, threshold)) for value, threshold in pairs]
    rated.sort(key=lambda pair: -pair[0])
    return tuple(event for _, event in rated[:most])


def lower_bound(left: Array, right: Array, *, choosing: int, delta: float, slip: float) -> float:
    """The ε that half-lines of two samples of scores prove, either way round.

    The first ``choosing`` runs choose ``EVENTS`` events for each direction, the others test them;
    all together are wrong with probability at most 4 ``EVENTS`` ``slip``.
    """
    best = 0.0
    for a, b in ((left, right), (right, left)):
        for event in choose_events(a[:choosing], b[:choosing], delta, EVENTS):
            hits, misses = event.hits(a[choosing:]), event.hits(b[choosing:])
            trials = len(a) - choosing
            # bounds on both chances prove less than the shares themselves would
            if hits - delta * trials > math.exp(best) * misses:
                best = max(best, proven_epsilon(hits, misses, trials, delta, slip))
    return best


def _shares(scores: Array, thresholds: Array, sign: int) -> Array:
    """Share of scores beyond each threshold, one run added so that none is 0 or 1."""
    ordered = np.sort(sign * scores)
    beyond = len(scores) - np.searchsorted(ordered, sign * thresholds, side="right")
    return np.asarray((beyond + 1) / (len(scores) + 2))


def attacker(left: Array, right: Array) -> Callable[[Array], Array]:
    """Scores of runs ``(runs, columns)``, higher where the right side is likelier.

    A logistic regression, fitted to runs of both sides, on what distinguishes two samples column
    by column. For a column whose means are a and b: |x - a| - |x - b|, which is the exact
    log-likelihood ratio of Laplace noise; x; its distance from the middle; and whether it takes
    the value that either side takes most often.
    """
    sides = left[:FITTED], right[:FITTED]
    both = np.concatenate(sides)
    spreads = both.std(axis=0)
    spreads[spreads < 1e-9] = 1.0  # a column that never changes
    (a, b), modes = (side.mean(axis=0) for side in sides), [_modes(side) for side in sides]

    def features(runs: Array) -> Array:
        parts = [
            np.ones((len(runs), 1)),
            (runs - a) / spreads,
            (np.abs(runs - a) - np.abs(runs - b)) / spreads,
            np.abs(runs - (a + b) / 2) / spreads,
            *((runs == mode).astype(np.float64) for mode in modes),
        ]
        return np.concatenate(parts, axis=1)

    weights = _logistic(features(both), np.repeat([0.0, 1.0], [len(side) for side in sides]))
    return lambda runs: np.asarray(np.round(features(runs) @ weights, 9))


def trained_bound(left: Array, right: Array, delta: float, slip: float) -> float:
    """A quarter of the runs trains, a quarter chooses events, the rest tests them."""
    quarter = len(left) // 4
    scored = attacker(left[:quarter], right[:quarter])
    scores = [scored(runs[quarter:]) for runs in (left, right)]
    return lower_bound(*scores, choosing=quarter, delta=delta, slip=slip)


def _modes(runs: Array) -> Array:
    """The value each column takes most often; NaN, which equals nothing, where none is common."""
    modes = np.full(runs.shape[1], np.nan)
    for j, column in enumerate(runs.T):
        values, times = np.unique(column, return_counts=True)
        if times.max() >= ATOM * len(column):
            modes[j] = values[times.argmax()]
    return modes


def _logistic(features: Array, sides: Array, steps: int = 12) -> Array:
    """Weights of a ridge logistic regression, by Newton's method."""
    weights = np.zeros(features.shape[1])
    ridge = 1e-3 * len(sides) ** 0.5 * np.eye(features.shape[1])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (sides - chance) - ridge @ weights
        curvature = (features * (chance * (1 - chance) + 1e-9)[:, None]).T @ features + ridge
        weights = weights + np.linalg.solve(curvature, slope)
    return np.asarray(weights)


def columns_that_differ(left: Array, right: Array, most: int) -> NDArray[np.intp]:
    """The columns in which two samples differ most, in mean or in spread."""
    gap = np.abs(left.mean(axis=0) - right.mean(axis=0))
    deviations = left.std(axis=0) + 1e-12, right.std(axis=0) + 1e-12
    score = gap / np.minimum(*deviations) + np.abs(np.log(deviations[0] / deviations[1]))
    return np.sort(np.argsort(-score, kind="stable")[:most])
