"""Attacks over repeated pools: where the people come from, how large a pool is, what it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.counts import Rows
from core.membership.bound import PublishedBound
from core.membership.outcomes import Attack, AttackResult
from core.membership.population import ModelPopulation, Population, TablePopulation
from core.network import Network
from core.parameters import Model
from core.table import Array


def population_of(model: Model | None, rows: Rows) -> Population:
    """Everyone the model can produce where it is known, or the people of the table."""
    return TablePopulation(rows.dataset) if model is None else ModelPopulation(model)


def pool_size(records: int, model: Model | None, limit: int) -> int:
    """All records where more people can be drawn, half of them otherwise; not above a limit."""
    return min(records if model is not None else records // 2, limit)


@dataclass(frozen=True, eq=False)
class Pooled:
    """What an attack found beside the published bound for pools of its size."""

    network: Network
    result: AttackResult

    @property
    def attack(self) -> Attack:
        """What was attacked."""
        return self.result.attack

    @property
    def bound(self) -> PublishedBound:
        """The published bound of exact conditionals of such a pool."""
        return PublishedBound(self.network.complexity, self.attack.records)

    @property
    def bounds(self) -> Array:
        """Its power at the attack's false-alarm rates."""
        return self.bound.powers(np.array(self.attack.alphas))
