"""The most a membership attacker could gain: every curve, who carries it, where theory stops."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from core.counts import CountSource, Rows
from core.errors import EquipoiseError
from core.inference.queries import marginals, network_tree
from core.knowledge import tabled
from core.membership.bound import (
    EdgeShare,
    PublishedBound,
    attribute_saving,
    complexity_span,
    node_shares,
    removal_savings,
)
from core.membership.curves import Curve, exact_curves, find, release_curves, right_accusations
from core.membership.guardrails import Guardrail, guardrails
from core.membership.leverage import Support, support_of
from core.membership.lookup import Lookup
from core.membership.outcomes import Attack, AttackResult
from core.membership.population import ModelPopulation, Population, TablePopulation
from core.methods.plans import BudgetPlan
from core.network import Network
from core.parameters import Model
from core.privacy import check_fraction
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from core.table import Array

PLANS = 10
"""Rehearsals behind the curves of a release: they need its plan and kind of noise only."""


@dataclass(frozen=True, eq=False)
class Standing:
    """What depends on the records and the graph, not on the budget. Computed from the rows."""

    support: Support
    rails: tuple[Guardrail, ...]
    curves: tuple[Curve, ...]

    @property
    def careful(self) -> tuple[Guardrail, ...]:
        """Where theory may stop being safe."""
        return tuple(rail for rail in self.rails if rail.state == "look")


class Weighed(CountSource, Protocol):
    """A source that says how much of their own cells its records are, without giving them."""

    def support(self, network: Network) -> Support:
        """Leverages and rarest cells of all records together."""


def standing(truth: Truth, rows: Rows | Weighed, population: Model | None) -> Standing:
    """Support of the records, guardrails and the curves of exact conditionals.

    ``population`` are the parameters the records were drawn from, where they are given. What is
    known without the records tells nothing about them and is left out.
    """
    truth = truth.measured
    network = truth.network
    PublishedBound(network.complexity, truth.records)  # refuses before anything is looked up
    if isinstance(rows, Rows):
        support = support_of(network, Lookup.of(rows.dataset, network.families))
    else:
        support = rows.support(network)
    rails = guardrails(truth, support, expected=_expected(population, network))
    curves = exact_curves(network, truth.records, support, reference=truth.records)
    return Standing(support, rails, curves)


def _expected(population: Model | None, network: Network) -> tuple[Array, ...] | None:
    """The population's marginals of the variables with a table; none where there are too many."""
    if population is None:
        return None
    try:
        network_tree(population.network)
    except EquipoiseError:
        return None
    by_name = dict(zip(population.network.names, marginals(population), strict=True))
    return tuple(by_name[family[-1].name] for family in network.families)


def guarantees(
    method: str, network: Network, counts: CountSource, scenario: Scenario, *, spent: float
) -> tuple[Curve, ...]:
    """Guarantees and heuristic of a method at one ε; ``spent`` is what the graph has cost."""
    plan, noise = plan_and_noise(method, network, counts, scenario)
    part = tabled(network, scenario.options.known)
    return release_curves(plan, noise, part, counts.records, spent)


def plan_and_noise(
    method: str, network: Network, counts: CountSource, scenario: Scenario
) -> tuple[BudgetPlan | None, str]:
    """What the curves of a release follow from: its plan, and its kind of noise."""
    few = replace(scenario, replicates=min(scenario.replicates, PLANS))
    release = next(rehearsals(method, network, counts, few))
    return release.plan, release.noise


@dataclass(frozen=True)
class Carrier:
    """One variable's part of the published bound; ``drop`` is what goes without it."""

    name: str
    complexity: int
    share: float
    drop: int


@dataclass(frozen=True, eq=False)
class Exposure:
    """Every curve of one release and of its exact conditionals, and the graph's part in them."""

    network: Network
    records: int
    curves: tuple[Curve, ...]

    @property
    def bound(self) -> PublishedBound:
        """The published bound of exact conditionals."""
        return PublishedBound(self.network.complexity, self.records)

    @property
    def span(self) -> int:
        """Free parameters of the joint family tables."""
        return complexity_span(self.network)

    def powers(self, key: str, alphas: Sequence[float]) -> Array | None:
        """Members found at most at these false-alarm rates, by the curve of that key."""
        curve = find(self.curves, key)
        return None if curve is None else curve.powers(np.array(alphas))

    def auc(self, key: str) -> float | None:
        """Area under the curve of that key."""
        curve = find(self.curves, key)
        return None if curve is None else curve.auc

    def right(self, prior: float, alphas: Sequence[float]) -> Array | None:
        """Largest share of right accusations by the composed guarantee, at each rate."""
        check_fraction("the base rate", prior)
        powers = self.powers("composed", alphas)
        if powers is None:
            return None
        pairs = zip(alphas, powers.tolist(), strict=True)
        return np.array([right_accusations(prior, alpha, power) for alpha, power in pairs])

    @property
    def carriers(self) -> tuple[Carrier, ...]:
        """The variables in the network's order."""
        network = self.network
        named = zip(network.names, network.complexities, node_shares(network), strict=True)
        return tuple(Carrier(n, c, s, attribute_saving(network, n)) for n, c, s in named)

    @property
    def edges(self) -> tuple[EdgeShare, ...]:
        """What each edge's removal saves."""
        return removal_savings(self.network)


def graph_exposure(network: Network, records: int) -> Exposure:
    """What the graph and the number of records say alone, before any record is seen."""
    return Exposure(network, records, exact_curves(network, records, None))


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
