"""Who gets which part of ε: one method's plan with its trace, and the error that follows.

The error compares with the truth: study only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.plans import BudgetPlan
from core.methods.procedure import literal
from core.options import Options
from core.privacy import inflated
from core.scenario import Scenario
from core.study.bands import Summary, summary
from core.study.experiments import rehearsals
from core.study.metrics import METRICS, USUAL, Truth
from core.study.trace import NodeTrace, Spread, Trace, spread, traced
from core.table import Array

ROW_ERROR = "l1_weighted"
"""The error shown beside a plan: rows by their probability."""

PRINTED_RELEASES = 40
"""Releases that show how far off the printed formula is; it is off by far."""


@dataclass(frozen=True, eq=False)
class Allocated:
    """One method at one ε: its trace, one of its plans, and each metric of every rehearsal.

    ``trace`` and ``plan`` are none for methods that spend nothing.
    """

    method: str
    plan: BudgetPlan | None
    trace: Trace | None
    options: Options
    errors: Mapping[str, Array]

    @property
    def epsilon(self) -> Array:
        """Each variable's ε; the median over plans where they depend on the records."""
        return np.array([node.epsilon.median for node in self._nodes])

    @property
    def epsilon_limits(self) -> tuple[Array, Array]:
        """95 % limits of each variable's ε over plans."""
        return (
            np.array([node.epsilon.low for node in self._nodes]),
            np.array([node.epsilon.high for node in self._nodes]),
        )

    @property
    def deltas(self) -> Array | None:
        """Errors that Stage I expects of the variables, medians over plans; none without it."""
        medians = [node.delta.median for node in self._nodes if node.delta is not None]
        return np.array(medians) if medians else None

    @property
    def _nodes(self) -> tuple[NodeTrace, ...]:
        return () if self.trace is None else self.trace.nodes

    @property
    def row_error(self) -> Spread:
        """Median and 95 % range of the row error over releases."""
        return spread(self.errors[ROW_ERROR])

    @property
    def summaries(self) -> dict[str, Summary]:
        """Each metric over all rehearsals."""
        return {name: summary(values) for name, values in self.errors.items()}


@dataclass(frozen=True, eq=False)
class WithPlan(Allocated):
    """The same of a method that has a plan."""

    plan: BudgetPlan
    trace: Trace


def planned(method: str, truth: Truth, counts: CountSource, scenario: Scenario) -> WithPlan:
    """The plan of a method that spends ε, with the row error that follows."""
    one = allocated(method, truth, counts, scenario, (ROW_ERROR,))
    if one.plan is None or one.trace is None:
        raise EquipoiseError(f"{method} spends no ε, so there is no plan to show; choose another")
    return WithPlan(one.method, one.plan, one.trace, one.options, one.errors)


def allocated(
    method: str,
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    metrics: Sequence[str] = USUAL,
) -> Allocated:
    """The plan of a method, every quantity on the way to it, and the errors that follow."""
    plans: list[BudgetPlan] = []
    errors: dict[str, list[Array]] = {name: [] for name in metrics}
    for release in rehearsals(method, truth.network, counts, scenario):
        if release.plan is not None:
            plans.append(release.plan)
        for name in metrics:
            errors[name].append(METRICS[name](truth, release.model))
    return Allocated(
        method,
        plans[0] if plans else None,
        traced(method, truth.network, plans, release.noise, scenario) if plans else None,
        scenario.options,
        {name: np.concatenate(parts) for name, parts in errors.items()},
    )


def printed_error(truth: Truth, counts: CountSource, scenario: Scenario) -> Spread:
    """Row error of the printed table formula (:mod:`core.methods.procedure`)."""
    model = literal(
        truth.network,
        counts,
        epsilon=scenario.epsilon,
        neighbours=scenario.neighbours,
        replicates=min(scenario.replicates, PRINTED_RELEASES),
        rng=np.random.default_rng([scenario.seed, 4]),
    )
    return spread(METRICS[ROW_ERROR](truth, model))


def relative_noise(epsilon: float, rate: float) -> float:
    """Noise of a count on a sample against no sampling, both relative to the count, at one ε.

    The sample may be measured with ln((e^ε − 1)/γ + 1) but holds only γ of the records:
    ε / (γ · that).

    >>> round(relative_noise(0.1, 0.1), 2)
    1.39
    """
    return epsilon / (rate * inflated(epsilon, rate))
