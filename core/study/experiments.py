"""Studies: rehearsals of a method, and sweeps over methods and budgets.

One seed becomes one independent generator for each method and block of replicates, whatever else
is in the study; every ε of a method uses the same draws (common random numbers), so a curve over
ε is smooth and a moved knob stretches the noise instead of reshuffling it.
"""

import itertools
import math
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.methods.method import Release
from core.methods.registry import method_named
from core.network import Network
from core.parallel import ordered
from core.scenario import Scenario
from core.study.metrics import METRICS, RISING, USUAL, Truth, check_metrics
from core.table import Array

BLOCK_CELLS = 2**22
"""Cells times replicates worked on at a time (32 MiB an array)."""


def block_sizes(network: Network, replicates: int) -> tuple[int, ...]:
    """Replicates of each block; blocks depend on the network only, so draws do too."""
    size = max(1, BLOCK_CELLS // network.layout.size)
    whole, rest = divmod(replicates, size)
    return (size,) * whole + ((rest,) if rest else ())


def rehearsals(
    method: str, network: Network, counts: CountSource, scenario: Scenario
) -> Iterator[Release]:
    """Seeded releases for study, block by block. Not private."""
    run = method_named(method).run
    for block, size in enumerate(block_sizes(network, scenario.replicates)):
        rng = np.random.default_rng([scenario.seed, zlib.crc32(method.encode()), block])
        yield run(network, counts, replace(scenario, replicates=size), rng=rng)


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval over replicates."""

    mean: float
    low: float
    high: float


def interval(values: Array) -> Interval:
    """Mean over replicates with its 95 % interval (normal, 1.96 standard errors)."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, mean, mean)
    half = 1.96 * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


@dataclass(frozen=True, eq=False)
class Point:
    """One metric of one method at one ε: a value for each replicate."""

    method: str
    epsilon: float
    metric: str
    values: Array


TELLING = 0.8
"""A match tells budgets apart that differ by a fifth or more; closer ones may look alike."""


@dataclass(frozen=True)
class Match:
    """The ε at which a method is as good as the reference at its own ε.

    ``saturated`` metrics are left out, without ε and ratio: the reference is as good with less, so
    what others need for the same says nothing about what they save.
    """

    method: str
    metric: str
    reference: str
    reference_epsilon: float
    epsilon: float | None
    ratio: float | None
    saturated: bool = False


Progress = Callable[[int, int], None]


def measure(
    method: str,
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    metrics: Sequence[str] = USUAL,
) -> dict[str, Array]:
    """Each metric's value for every replicate of one method. Compares with the truth."""
    errors: dict[str, list[Array]] = {name: [] for name in metrics}
    for release in rehearsals(method, truth.network, counts, scenario):
        for name in metrics:
            errors[name].append(METRICS[name](truth, release.model))
    return {name: np.concatenate(parts) for name, parts in errors.items()}


Shared = tuple[Truth, CountSource, Scenario, tuple[str, ...]]


def _measured(shared: Shared, task: tuple[str, float]) -> tuple[Point, ...]:
    truth, counts, scenario, metrics = shared
    method, epsilon = task
    errors = measure(method, truth, counts, replace(scenario, epsilon=epsilon), metrics)
    return tuple(Point(method, epsilon, name, values) for name, values in errors.items())


def sweeping(
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    *,
    wanted: Sequence[tuple[str, float]],
    metrics: Sequence[str] = USUAL,
    workers: int = 1,
) -> Iterator[tuple[Point, ...]]:
    """The points of each (method, ε) that is wanted, in that order; workers see counts alone."""
    for method, _ in wanted:
        method_named(method)
    check_metrics(metrics)
    shared = (truth, counts, scenario, tuple(metrics))
    return ordered(_measured, shared, list(wanted), workers=workers, source=counts)


def match(points: Sequence[Point], reference: str, reference_epsilon: float) -> tuple[Match, ...]:
    """For each method and metric, the ε that gives the reference's error.

    Interpolated on log ε and log error between the two grid points that bracket it; ``None``
    where the grid does not reach it, or where the metric is saturated (:func:`saturated`).
    """
    curves: dict[tuple[str, str], dict[float, Array]] = {}
    for p in points:
        curves.setdefault((p.method, p.metric), {})[p.epsilon] = p.values
    matches = []
    for (method, metric), curve in curves.items():
        own = curves.get((reference, metric), {})
        if reference_epsilon not in own:
            continue
        flat = saturated(own, reference_epsilon, rising=metric in RISING)
        means = sorted((e, float(values.mean())) for e, values in curve.items())
        epsilon = None if flat else crossing(means, float(own[reference_epsilon].mean()))
        ratio = None if epsilon is None else epsilon / reference_epsilon
        matches.append(Match(method, metric, reference, reference_epsilon, epsilon, ratio, flat))
    return tuple(matches)


def saturated(curve: Mapping[float, Array], epsilon: float, *, rising: bool) -> bool:
    """Whether a curve is no worse at some clearly smaller ε (at most ``TELLING`` times this one).

    An error stands for an ε only where less of it is worse: else the curve itself gets by with
    less, and every ratio to this ε is too small by as much. Worse is what the 95 % interval of
    the mean difference says; all ε share their draws, so replicates are compared one by one.
    """
    error = curve[epsilon]
    sign = -1.0 if rising else 1.0
    less = (values for e, values in curve.items() if e <= TELLING * epsilon)
    return any(interval(sign * (values - error)).low <= 0 for values in less)


def crossing(curve: Sequence[tuple[float, float]], goal: float) -> float | None:
    """Smallest ε on the curve at which the error equals the goal."""
    for epsilon, error in curve:
        if error == goal:
            return epsilon
    for (e0, y0), (e1, y1) in itertools.pairwise(curve):
        if min(y0, y1) < goal < max(y0, y1):
            if min(y0, y1) <= 0:
                return None
            t = math.log(goal / y0) / math.log(y1 / y0)
            return float(e0 * (e1 / e0) ** t)
    return None
