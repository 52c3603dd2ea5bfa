"""How a method comes to its allocation: every quantity on the way, for each variable and table."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.methods.plans import BudgetPlan, importance, sensitivities
from core.network import Network
from core.scenario import Scenario
from core.table import Array

LIMITS = (0.5, 0.025, 0.975)


@dataclass(frozen=True)
class Spread:
    """Median and 95 % range over replicates; all equal where nothing depends on the records."""

    median: float
    low: float
    high: float


def spread(values: Array) -> Spread:
    """Of one number over replicates."""
    return Spread(*np.quantile(values, LIMITS).tolist())


@dataclass(frozen=True)
class NodeTrace:
    """What decides one variable's part: Eq. 11 to 13 of Chowdhury et al. 2020, and the result.

    ``delta`` is None for methods that expect no error beforehand. ``weight`` is the paper's W,
    ``importance`` what it is multiplied by because a person asked for it (one: nothing asked);
    ``floor`` the share asked for (zero: none); ``share`` the part it got of the budget of the
    released tables, of which floors are shares too. ``table`` is the number of the table that
    serves the variable; variables that one table serves share its budget. A known variable has
    none, -1, and no budget.
    """

    name: str
    height: int
    out_degree: int
    sensitivity: float
    delta: Spread | None
    weight: float
    importance: float
    floor: float
    epsilon: Spread
    share: float
    table: int

    @property
    def known(self) -> bool:
        """Whether its conditional is stated and nothing of it is measured."""
        return self.table < 0


@dataclass(frozen=True)
class TableTrace:
    """One measured table: its variables, cells, part of ε and noise scale; whom it serves."""

    variables: tuple[str, ...]
    cells: int
    epsilon: Spread
    scale: float
    rho: float | None
    serves: tuple[str, ...]


@dataclass(frozen=True)
class Trace:
    """The way of one method from the budget to each variable's part of it.

    ``sensitivity`` is how far one record moves one table: L1 for Laplace, L2 for Gaussian noise.
    """

    method: str
    epsilon: float
    delta: float
    stage_one: float
    stage_two: float
    spent: float
    noise: str
    sensitivity: float
    varies: bool
    nodes: tuple[NodeTrace, ...]
    tables: tuple[TableTrace, ...]


def traced(
    method: str, network: Network, every: Sequence[BudgetPlan], noise: str, scenario: Scenario
) -> Trace:
    """Every quantity on the way to an allocation, from the plans of all rehearsals' blocks.

    A plan that follows from the graph alone is the same in every release; then nothing here
    depends on the records. Otherwise medians and ranges are over rehearsals: study only.
    """
    first = every[0]
    varies = first.parts.ndim > 1
    plans = list(every) if varies else [first]
    return Trace(
        method,
        scenario.epsilon,
        first.delta,
        first.stage_one,
        max(p.stage_two for p in plans),
        max(p.spent for p in plans),
        noise,
        _sensitivity(first),
        varies,
        _nodes(network, plans, scenario),
        _tables(network, plans),
    )


def _sensitivity(plan: BudgetPlan) -> float:
    if plan.rho is None:
        return float(plan.neighbours.l1_sensitivity)
    return plan.neighbours.l2_sensitivity


def _nodes(network: Network, plans: list[BudgetPlan], scenario: Scenario) -> tuple[NodeTrace, ...]:
    weights, asked = importance(network), scenario.options.weights_of(network)
    floors, sensitivity = scenario.options.floors_of(network), sensitivities(network)
    parts = _spreads([p.node_epsilon for p in plans])
    rest = plans[0].epsilon - plans[0].stage_one if math.isfinite(plans[0].epsilon) else math.inf
    errors = [p.errors for p in plans if p.errors is not None]
    deltas = _spreads(errors) if errors else itertools.repeat(None)
    return tuple(
        NodeTrace(
            name,
            network.heights[i],
            len(network.children[i]),
            float(sensitivity[i]),
            delta,
            float(weights[i]),
            float(asked[i]),
            float(floors[i]),
            part,
            part.median / rest if math.isfinite(rest) else math.nan,
            plans[0].serving[i],
        )
        for i, (name, part, delta) in enumerate(zip(network.names, parts, deltas, strict=False))
    )


def _tables(network: Network, plans: list[BudgetPlan]) -> tuple[TableTrace, ...]:
    plan = plans[0]
    parts = _spreads([p.parts for p in plans])
    scales = np.median(np.concatenate([np.atleast_2d(p.scales) for p in plans]), axis=0)
    served: list[list[str]] = [[] for _ in plan.tables]
    for name, table in zip(network.names, plan.serving, strict=True):
        if table >= 0:
            served[table].append(name)
    return tuple(
        TableTrace(
            names,
            plan.cells[t],
            parts[t],
            float(scales[t]),
            None if plan.rho is None else float(plan.rho[t]),
            tuple(served[t]),
        )
        for t, names in enumerate(plan.tables)
    )


def _spreads(values: list[Array]) -> list[Spread]:
    """One spread for each column, over all rows of all arrays."""
    every = np.concatenate([np.atleast_2d(v) for v in values])
    if len(every) == 1:
        return [Spread(v, v, v) for v in every[0].tolist()]
    return [Spread(*column) for column in np.quantile(every, LIMITS, axis=0).T.tolist()]
