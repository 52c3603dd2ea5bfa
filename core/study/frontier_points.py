"""Points of the privacy-utility frontier: errors of a method at one ε, and what it gives away.

Errors compare with the truth: study only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.knowledge import tabled
from core.membership.curves import Curve, find, release_curves
from core.methods.plans import BudgetPlan
from core.methods.registry import METHODS, method_named
from core.parallel import ordered
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.exposure import plan_and_noise
from core.study.metrics import Truth, check_metrics
from core.table import Array

Price = Literal["epsilon", "power", "auc"]
PRICES: tuple[Price, ...] = get_args(Price)

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Budgets at which every method is measured."""

COARSE_FIRST = (1.0, 3.0, 0.2, 10.0, 0.05, 0.5, 2.0, 5.0, 0.1)
"""The order they are best measured in: a coarse curve first, then the points between."""


@dataclass(frozen=True, eq=False)
class FrontierPoint:
    """One method at one ε: each metric of every rehearsal, and its composed guarantee."""

    method: str
    epsilon: float
    errors: Mapping[str, Array]
    composed: Curve | None

    def price(self, price: Price, alpha: float) -> float | None:
        """What is given away; none where nothing composed is known."""
        if price == "epsilon":
            return self.epsilon
        if self.composed is None:
            return None
        if price == "auc":
            return self.composed.auc
        return float(self.composed.powers(np.array([alpha]))[0])


def frontier_methods() -> tuple[str, ...]:
    """Every method that promises anything."""
    return tuple(name for name, method in METHODS.items() if method.guarantee.private)


def frontier_points(
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    *,
    asked: Sequence[tuple[str, float]],
    metrics: Sequence[str],
    spent: float = 0.0,
    workers: int = 1,
) -> Iterator[FrontierPoint]:
    """Each (method, ε) that is asked for, as it is measured; ``spent`` is what the graph cost."""
    check_metrics(metrics)
    for method, _ in asked:
        if not method_named(method).guarantee.private:
            raise EquipoiseError(
                f"{method} promises nothing, so it has no place on a frontier; leave it out"
            )
    shared = (truth, counts, scenario, tuple(metrics))
    part = tabled(truth.network, scenario.options.known)
    each = ordered(_measured, shared, asked, workers=workers, source=counts)
    for (method, epsilon), (errors, plan, noise) in zip(asked, each, strict=True):
        curves = release_curves(plan, noise, part, truth.records, spent)
        yield FrontierPoint(method, epsilon, errors, find(curves, "composed"))


def _measured(
    shared: tuple[Truth, CountSource, Scenario, tuple[str, ...]], task: tuple[str, float]
) -> tuple[dict[str, Array], BudgetPlan | None, str]:
    """One point: errors, and what its guarantee follows from."""
    truth, counts, scenario, metrics = shared
    method, epsilon = task
    at = replace(scenario, epsilon=epsilon)
    errors = measure(method, truth, counts, at, metrics)
    return errors, *plan_and_noise(method, truth.network, counts, at)
