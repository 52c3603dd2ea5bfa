"""BudgetPlan: which table is measured with which part of the budget."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.network import Network
from core.privacy import Neighbours, check_epsilon, check_parts, laplace_scale


@dataclass(frozen=True)
class Measurement:
    """One contingency table to be measured, and what it receives."""

    variables: tuple[str, ...]
    cells: int
    epsilon: float


@dataclass(frozen=True)
class BudgetPlan:
    """All measurements of a release; ``node_epsilon[i]`` is what serves variable i.

    Checked when made, before any count is read: every part positive, the sum at most ε.
    """

    epsilon: float
    neighbours: Neighbours
    measurements: tuple[Measurement, ...]
    node_epsilon: tuple[float, ...]
    stage_one: float = 0.0

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_parts((m.epsilon for m in self.measurements), self.epsilon - self.stage_one)

    @property
    def stage_two(self) -> float:
        """Budget of the measurements of the released tables."""
        return math.fsum(m.epsilon for m in self.measurements)

    @property
    def spent(self) -> float:
        """Everything the release costs, by sequential composition."""
        return self.stage_one + self.stage_two

    @property
    def scales(self) -> tuple[float, ...]:
        """Laplace scale of each measurement, in records."""
        return tuple(laplace_scale(m.epsilon, self.neighbours) for m in self.measurements)


def even_plan(network: Network, epsilon: float, neighbours: Neighbours) -> BudgetPlan:
    """Every family gets ε/n, half for its table and half for its parents' table.

    Source: Chowdhury et al. 2020 (ICML), section 5, baseline D-Ind: Procedure 1 with
    E[i] = ε/n. A root's parent table is the number of records.
    """
    share = check_epsilon(epsilon) / len(network.variables)
    measurements = []
    for family in network.families:
        names = tuple(v.name for v in family)
        size = math.prod(v.cardinality for v in family)
        measurements.append(Measurement(names, size, share / 2))
        measurements.append(Measurement(names[:-1], size // family[-1].cardinality, share / 2))
    return BudgetPlan(
        epsilon, neighbours, tuple(measurements), (share,) * len(network.variables)
    )
