"""Proposal: one release as it is proposed, from public facts alone.

Everything a review looks at is here before anything is spent: what is public, what only the
steward can say, the plan, its guarantees and its forecast. No number is read off the rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.errors import EquipoiseError
from core.knowledge import tabled
from core.membership.curves import Curve, budget_curve, find, pure_curve, release_curves
from core.methods.equipoise import noise_variances
from core.methods.plans import BudgetPlan
from core.methods.registry import method_named
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.table import Array, cells
from release.acceptance import NONE, Acceptance
from release.audit.claims import about
from release.ledger.account import Account
from release.ledger.spending import due, learned_graph
from release.preview import TYPICAL, Nothing, Preview, plannable, preview
from release.rationals import decimal
from release.review.facts import Facts
from release.review.thresholds import Thresholds

if TYPE_CHECKING:  # what a proposal may carry; both are made from proposals' own parts
    from release.audit.audited import Audit
    from release.review.standin import StandInRehearsal


@dataclass(frozen=True, eq=False)
class Planned:
    """A method's plan as the public facts give it; ``public`` unless it looks at the records."""

    plan: BudgetPlan
    noise: str
    public: bool


@dataclass(frozen=True, eq=False)
class Noise:
    """Forecast noise of a cell of each variable's table, standard deviation in records.

    ``most`` says that it is an upper bound: the noise before filters make it smaller.
    """

    deviations: Array
    most: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Proposal:
    """A release under review; ``study_runs`` counts comparisons of errors with the exact rows."""

    facts: Facts
    method: str
    scenario: Scenario
    thresholds: Thresholds = field(default_factory=Thresholds)
    account: Account | None = None
    rehearsal: StandInRehearsal | None = None
    audit: Audit | None = None
    study_runs: int = 0
    acceptance: Acceptance = NONE

    def __post_init__(self) -> None:
        method_named(self.method)
        measured = [x.method for x in (self.audit, self.rehearsal) if x is not None]
        if any(method != self.method for method in measured):
            raise EquipoiseError(
                f"the proposal is for {self.method!r} and was rehearsed or audited with "
                f"{', '.join(measured)}; do it again with the method that is proposed"
            )
        if self.audit is not None and self.audit.about != about(self.method, self.scenario):
            raise EquipoiseError(
                "the audit is of other knobs than the proposal's (ε, δ, neighbours, locks, "
                "weights, prior or Stage I); audit what is proposed"
            )

    @property
    def cost(self) -> Fraction:
        """ε that the release adds to the account, a graph that is not paid for included."""
        graph = learned_graph(self.facts.network, self.facts.structure_epsilon)
        if graph is not None and self.account is not None:
            graph = due(self.account, graph)
        own = decimal(self.scenario.epsilon) + self.acceptance.epsilon
        return own + (0 if graph is None else graph.epsilon)

    @property
    def epsilon(self) -> float:
        """ε of the release: the model's and its acceptance's."""
        if not math.isfinite(self.scenario.epsilon):
            return self.scenario.epsilon
        return float(decimal(self.scenario.epsilon) + self.acceptance.epsilon)

    @property
    def published_epsilon(self) -> float:
        """ε of all that is published: the release's, and what learning its graph has cost."""
        return self.epsilon + self.facts.structure_epsilon

    @cached_property
    def preview(self) -> Preview | None:
        """Exact budgets and scales of every measurement; none for what cannot be released."""
        if method_named(self.method).refused or not math.isfinite(self.scenario.epsilon):
            return None
        return preview(self.facts.network, self.method, self.scenario)

    @cached_property
    def planned(self) -> Planned | None:
        """The plan, made without a look at the records; none for a method without privacy."""
        exact = self.preview  # first: a plan that does not fit is refused before it is rehearsed
        nothing = Nothing(TYPICAL if method_named(self.method).learns else 0)
        with plannable(self.method), np.errstate(all="ignore"):
            first = next(rehearsals(self.method, self.facts.network, nothing, _once(self.scenario)))
        if first.plan is None:
            return None
        # a release draws whole numbers also where rehearsals do not
        noise = first.noise if exact is None else exact.measurements[0].noise
        return Planned(first.plan, noise, first.plan.parts.ndim == 1)

    @property
    def delta(self) -> float:
        """δ of the guarantee, zero where it is pure."""
        return 0.0 if self.planned is None else self.planned.plan.delta

    @cached_property
    def unit_budget(self) -> tuple[float, float]:
        """ε and δ for one unit with all its records, the graph's ε included.

        k records: kε, and δ (e^(kε) - 1) / (e^ε - 1) by the chain of k neighbours.
        """
        epsilon = self.published_epsilon
        times = self.facts.statements.per_unit
        if not self.delta or times == 1:
            return times * epsilon, self.delta
        steps = (math.exp(min(i * epsilon, 700.0)) for i in range(times))
        return times * epsilon, min(1.0, self.delta * math.fsum(steps))

    @cached_property
    def curve(self) -> Curve | None:
        """The smallest guarantee on membership inference that is known; none without privacy."""
        if self.planned is None or not math.isfinite(self.scenario.epsilon):
            return None
        if self.facts.statements.per_unit > 1:
            epsilon, delta = self.unit_budget
            told = "ε of all records of one unit"
            return budget_curve("unit", told, epsilon, self.scenario.neighbours, delta)
        curves = self.curves
        return find(curves, "composed") or find(curves, "pure_epsilon")

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """Guarantees of the plan for one record; heuristics are left out."""
        if self.planned is None:
            return ()
        if method_named(self.method).learns:  # another graph has other tables to compose
            plan = self.planned.plan
            return (pure_curve(replace(plan, epsilon=self.epsilon)),)
        composed = release_curves(
            self.planned.plan,
            self.planned.noise,
            tabled(self.facts.network, self.scenario.options.known),
            max(self.facts.records, 2),  # heuristics alone use it
            self.facts.structure_epsilon,
            (float(self.acceptance.each),) * len(self.acceptance.criteria),
        )
        return tuple(c for c in composed if c.claim == "guarantee")

    @cached_property
    def noise(self) -> Noise | None:
        """Forecast noise from public facts; none where the plan looks at the records."""
        if self.planned is None or not self.planned.public:
            return None
        known = method_named(self.method).forecast
        plan, network = self.planned.plan, self.facts.network
        if known is not None:
            return Noise(known(network, plan, self.scenario.options), most=False)
        own = noise_variances(plan)
        sizes = np.array([cells(f) for f in network.families])
        serving = np.array(plan.serving)
        summed = np.array(plan.cells)[serving] / sizes  # cells that one cell of the family sums
        return Noise(np.sqrt(np.where(serving >= 0, own[serving] * summed, 0)), most=True)


def _once(scenario: Scenario) -> Scenario:
    """The same knobs, one replicate of a fixed seed: the plan is all that is wanted."""
    return replace(scenario, replicates=1, seed=0)
