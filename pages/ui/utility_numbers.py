"""What Utility measures: errors of methods over budgets, answers to one question. Study only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import EquipoiseError
from core.evidence import Query
from core.experiments import Match, Point, match, measure, rehearsals
from core.inference import most_probable, query
from core.methods import METHODS
from core.metrics import Truth
from core.network import Network
from core.scenario import Scenario
from core.table import Array
from pages.ui.board import QUANTILES
from sources.study import Once, Study

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Budgets at which every method is measured."""

ORDER = (1.0, 3.0, 0.2, 10.0, 0.05, 0.5, 2.0, 5.0, 0.1)
"""The order they are measured in: a coarse curve first, then the points between."""

ROWS = 48
"""Most combinations of target states that are shown."""

PLAYED = 60
"""Most single releases that are sent to the browser."""

Found = dict[tuple[str, float], dict[str, Array]]
"""(method, ε) -> metric -> a value for each replicate."""

Steps = Iterator[None]


def todo(found: Found, methods: Sequence[str]) -> list[tuple[str, float]]:
    """Points not measured yet, in the order they are best measured in."""
    return [(m, e) for e in ORDER for m in methods if (m, e) not in found]


def steps(
    found: Found,
    points: Sequence[tuple[str, float]],
    truth: Truth,
    study: Study,
    scenario: Scenario,
    metrics: Sequence[str],
) -> Steps:
    """Measure the points one by one into ``found``."""
    counts = Once(study.counts.rows)  # its own: two threads must not share one
    for method, epsilon in points:
        at = replace(scenario, epsilon=epsilon)
        found[method, epsilon] = measure(method, truth, counts, at, metrics)
        yield


@dataclass(frozen=True, eq=False)
class Curve:
    """One metric of one method over the budgets measured so far: quantiles lead."""

    method: str
    epsilons: tuple[float, ...]
    bands: Array

    def at(self, epsilon: float) -> Array | None:
        """The seven quantiles at one ε, between measured ones on log scales."""
        if not self.epsilons or not self.epsilons[0] <= epsilon <= self.epsilons[-1]:
            return None
        logs = np.log(np.maximum(self.bands, 1e-12))
        places = np.log(self.epsilons)
        return np.exp([np.interp(np.log(epsilon), places, row) for row in logs])


def curve(found: Found, method: str, metric: str) -> Curve:
    """What is measured so far."""
    epsilons = tuple(sorted(e for m, e in found if m == method and metric in found[m, e]))
    values = [np.quantile(found[method, e][metric], QUANTILES) for e in epsilons]
    bands = np.stack(values, axis=1) if values else np.empty((len(QUANTILES), 0))
    return Curve(method, epsilons, bands)


def matches(found: Found, reference: str, epsilon: float) -> dict[tuple[str, str], Match]:
    """(method, metric) -> the ε that gives the reference's mean error at its own ε."""
    points = [
        Point(method, e, metric, values)
        for (method, e), metrics in found.items()
        for metric, values in metrics.items()
    ]
    return {(m.method, m.metric): m for m in match(points, reference, epsilon)}


def forecasts(
    method: str, truth: Truth, study: Study, scenario: Scenario
) -> tuple[Array, Array] | None:
    """Noise of a cell of each family's table in records: forecast, and measured over releases.

    The forecast needs no data; the measured one compares with the exact counts. None for a method
    whose noise is not known beforehand.
    """
    forecast = METHODS[method].forecast
    if forecast is None:
        return None
    squares = []
    for release in rehearsals(method, truth.network, study.counts, scenario):
        squares.append(((release.noisy - truth.counts) ** 2).mean(axis=0))
    mean = np.mean(squares, axis=0)
    cells = [mean[where].mean() for where in truth.network.layout.slices]
    return forecast(truth.network, release.plan, scenario.options), np.sqrt(cells)


@dataclass(frozen=True, eq=False)
class Answers:
    """One question: the truth, and each method's private answers, a row for each combination.

    ``private[method]`` is ``(replicates, rows)``.
    """

    labels: tuple[str, ...]
    truth: Array
    private: Mapping[str, Array]


def check_size(network: Network, targets: Sequence[str]) -> None:
    """Refuse a question with more combinations than can be shown."""
    size = 1
    for name in targets:
        size *= network.variables[network.index(name)].cardinality
    if size > ROWS:
        raise EquipoiseError(
            f"the targets have {size:,} combinations of states; at most {ROWS} are shown, so ask "
            "about fewer variables"
        )


def answers(
    asked: Query, truth: Truth, study: Study, scenario: Scenario, methods: Sequence[str]
) -> Answers:
    """Truth against private answers, for every method."""
    check_size(truth.network, asked.targets)
    exact = query(truth.model, asked.targets, asked.given)
    labels = tuple(
        ", ".join(v.states[k] for v, k in zip(exact.variables, code, strict=True))
        for code in np.ndindex(exact.values.shape)
    )
    size = exact.values.size
    private = {
        method: np.concatenate(
            [
                query(r.model, asked.targets, asked.given).values.reshape(-1, size)
                for r in rehearsals(method, truth.network, study.counts, scenario)
            ]
        )
        for method in methods
    }
    return Answers(labels, exact.values.ravel(), private)


@dataclass(frozen=True, eq=False)
class Explanations:
    """Most probable states of all free variables: the truth's, and each release's.

    ``private[method]`` holds state codes, ``(replicates, free variables)``.
    """

    free: tuple[int, ...]
    truth: Array
    private: Mapping[str, Array]


def explanations(
    given: Mapping[str, str],
    truth: Truth,
    study: Study,
    scenario: Scenario,
    methods: Sequence[str],
) -> Explanations:
    """The most probable explanation of the evidence, in truth and in every release."""
    exact, _ = most_probable(truth.model, given)
    free = [i for i, name in enumerate(truth.network.names) if name not in given]
    private = {
        method: np.concatenate(
            [
                most_probable(r.model, given)[0][..., free]
                for r in rehearsals(method, truth.network, study.counts, scenario)
            ]
        )
        for method in methods
    }
    return Explanations(tuple(free), exact[free], private)
