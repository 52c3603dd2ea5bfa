"""Error of methods over budgets, as far as it is measured. Compares with the truth: study only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.methods.registry import method_named
from core.scenario import Scenario
from core.study.bands import QUANTILES, bands, read_off
from core.study.bounds import ErrorBounds, error_bounds
from core.study.experiments import Match, Point, match, rehearsals
from core.study.metrics import Truth, node_errors, query_l1
from core.table import Array

Measured = Mapping[tuple[str, float], Mapping[str, Array]]
"""(method, ε) -> metric -> a value for each replicate."""

BOUNDED_RELEASES = 20
"""Releases that show where an error stands between its bounds."""


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """One metric of one method over the budgets measured so far: quantiles lead."""

    method: str
    epsilons: tuple[float, ...]
    bands: Array

    def at(self, epsilon: float) -> Array | None:
        """The seven quantiles at one ε, between measured ones on log scales."""
        if not self.epsilons or not self.epsilons[0] <= epsilon <= self.epsilons[-1]:
            return None
        return read_off(self.bands, self.epsilons, epsilon)


def error_curve(measured: Measured, method: str, metric: str) -> ErrorCurve:
    """What is measured so far."""
    epsilons = tuple(sorted(e for m, e in measured if m == method and metric in measured[m, e]))
    values = [bands(measured[method, e][metric]) for e in epsilons]
    stacked = np.stack(values, axis=1) if values else np.empty((len(QUANTILES), 0))
    return ErrorCurve(method, epsilons, stacked)


def matches(measured: Measured, reference: str, epsilon: float) -> tuple[Match, ...]:
    """The ε of each method and metric that gives the reference's mean error at its own ε."""
    points = [
        Point(method, at, metric, values)
        for (method, at), metrics in measured.items()
        for metric, values in metrics.items()
    ]
    return match(points, reference, epsilon)


def measured_of(points: Iterable[Point]) -> dict[tuple[str, float], dict[str, Array]]:
    """Points by method and ε."""
    measured: dict[tuple[str, float], dict[str, Array]] = {}
    for point in points:
        measured.setdefault((point.method, point.epsilon), {})[point.metric] = point.values
    return measured


def node_error_bands(method: str, truth: Truth, counts: CountSource, scenario: Scenario) -> Array:
    """Quantiles of each variable's row error at one ε: ``(7, nodes + 1)``, the overall last."""
    releases = rehearsals(method, truth.network, counts, scenario)
    return with_overall(np.concatenate([node_errors(truth, r.model) for r in releases]))


def with_overall(errors: Array) -> Array:
    """Quantiles of errors ``(replicates, nodes)``, with those of their mean over nodes last."""
    overall = errors.mean(axis=-1, keepdims=True)
    return bands(np.concatenate([errors, overall], axis=-1))


@dataclass(frozen=True, eq=False)
class NoiseForecast:
    """Noise of a cell of each family's table in records: known beforehand, and measured."""

    forecast: Array
    measured: Array

    @property
    def off(self) -> float:
        """Mean relative difference, over the tables that have noise."""
        noisy = self.forecast > 0
        return float(np.abs(self.measured[noisy] / self.forecast[noisy] - 1).mean())


def noise_forecast(
    method: str, truth: Truth, counts: CountSource, scenario: Scenario
) -> NoiseForecast | None:
    """The forecast, which needs no data, against releases compared with the exact counts.

    None for a method whose noise is not known beforehand.
    """
    forecast = method_named(method).forecast
    if forecast is None:
        return None
    squares, plan, replicates = np.zeros(truth.network.layout.size), None, 0
    for release in rehearsals(method, truth.network, counts, scenario):
        squares += ((release.noisy - truth.counts) ** 2).sum(axis=0)
        plan, replicates = release.plan, replicates + len(release.noisy)
    if plan is None:
        return None
    cells = [squares[where].mean() / replicates for where in truth.network.layout.slices]
    measured = np.where(np.array(plan.serving) >= 0, np.sqrt(cells), 0.0)
    return NoiseForecast(forecast(truth.network, plan, scenario.options), measured)


@dataclass(frozen=True, eq=False)
class BoundsWorth:
    """The published bounds of some releases, and the error of their answers."""

    bounds: ErrorBounds
    errors: Array

    @property
    def medians(self) -> tuple[float, float, float, float]:
        """Lower bound, measured error, upper bound, and where between them the error stands."""
        every = (self.bounds.lower, self.errors, self.bounds.upper)
        lower, error, upper = (float(np.median(values)) for values in every)
        return lower, error, upper, float(np.median(self.bounds.normalised(self.errors)))


def bounds_worth(method: str, truth: Truth, counts: CountSource, scenario: Scenario) -> BoundsWorth:
    """What the published bounds say of a method's releases, and what is measured."""
    few = replace(scenario, replicates=min(scenario.replicates, BOUNDED_RELEASES))
    release = next(rehearsals(method, truth.network, counts, few))
    return BoundsWorth(error_bounds(truth.model, release.model), query_l1(truth, release.model))
