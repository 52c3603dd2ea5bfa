"""Studies: rehearsals of a method, and sweeps over methods and budgets.

One seed becomes one independent generator for each method and block of replicates, whatever else
is in the study; every ε of a method uses the same draws (common random numbers), so a curve over
ε is smooth and a moved knob stretches the noise instead of reshuffling it.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods import METHODS
from core.metrics import METRICS, Truth
from core.network import Network
from core.release import Release
from core.scenario import Scenario
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
    if method not in METHODS:
        raise EquipoiseError(f"no method {method!r}; there are {', '.join(METHODS)}")
    for block, size in enumerate(block_sizes(network, scenario.replicates)):
        rng = np.random.default_rng([scenario.seed, zlib.crc32(method.encode()), block])
        yield METHODS[method].run(
            network,
            counts,
            epsilon=scenario.epsilon,
            split=scenario.split,
            rate=scenario.rate,
            neighbours=scenario.neighbours,
            replicates=size,
            rng=rng,
            options=scenario.options,
        )


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


@dataclass(frozen=True)
class Match:
    """The ε at which a method is as good as the reference at its own ε."""

    method: str
    metric: str
    reference: str
    reference_epsilon: float
    epsilon: float | None
    ratio: float | None


Progress = Callable[[int, int], None]


def measure(
    method: str,
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    metrics: Sequence[str] = tuple(METRICS),
) -> dict[str, Array]:
    """Each metric's value for every replicate of one method. Compares with the truth."""
    found: dict[str, list[Array]] = {name: [] for name in metrics}
    for release in rehearsals(method, truth.network, counts, scenario):
        for name in metrics:
            found[name].append(METRICS[name](truth, release.model))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def sweep(
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    *,
    methods: Sequence[str],
    epsilons: Sequence[float],
    metrics: Sequence[str] = tuple(METRICS),
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[Point, ...]:
    """Every method at every ε; what is done so far when ``cancelled`` says stop."""
    points: list[Point] = []
    total = len(methods) * len(epsilons)
    for done, (method, epsilon) in enumerate((m, e) for m in methods for e in epsilons):
        if cancelled is not None and cancelled():
            break
        at = replace(scenario, epsilon=epsilon)
        found = measure(method, truth, counts, at, metrics)
        points.extend(Point(method, epsilon, name, values) for name, values in found.items())
        if progress is not None:
            progress(done + 1, total)
    return tuple(points)


def match(points: Sequence[Point], reference: str, reference_epsilon: float) -> tuple[Match, ...]:
    """For each method and metric, the ε that gives the reference's error.

    Interpolated on log ε and log error between the two grid points that bracket it; ``None``
    where the grid does not reach it.
    """
    curves: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for p in points:
        curves.setdefault((p.method, p.metric), []).append((p.epsilon, float(p.values.mean())))
    found = []
    for (method, metric), curve in curves.items():
        goal = dict(curves.get((reference, metric), [])).get(reference_epsilon)
        if goal is None:
            continue
        epsilon = _crossing(sorted(curve), goal)
        ratio = None if epsilon is None else epsilon / reference_epsilon
        found.append(Match(method, metric, reference, reference_epsilon, epsilon, ratio))
    return tuple(found)


def _crossing(curve: Sequence[tuple[float, float]], goal: float) -> float | None:
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
