"""Request: everything a steward orders of one review, and of the release that may follow."""

from dataclasses import dataclass, field
from fractions import Fraction

from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.network import Network
from core.scenario import Scenario
from release.acceptance import NONE, Acceptance
from release.ledger.account import SAMPLED, Account
from release.ledger.spending import DELTA_BUDGET
from release.order import Order
from release.review.facts import Facts, Statements
from release.review.thresholds import Thresholds
from release.versions import check_text
from sources.study import Study


@dataclass(frozen=True)
class Reason:
    """Why one failed line may pass.

    With ``number`` and ``sentence`` it holds for the finding it was written about and is left out
    where that has changed; without them it must fit a line that has failed.
    """

    key: str
    text: str
    number: str = ""
    sentence: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Request:
    """What a steward orders; nothing here is computed from the records.

    ``network`` is the graph to publish where it differs from the study's. ``name`` and the two
    budgets are needed once for each dataset, ``people`` for data that a ledger with accounts does
    not know. ``override`` is one reason for every failed line, ``reasons`` are for single ones,
    and ``signed`` is the name of who gives them and the release. ``study_runs`` counts comparisons
    of errors with the exact rows before ε was settled. ``acceptance`` is what the model must be
    good for; ``group_by`` is the variable by whose states a rehearsal tells who bears the error.
    """

    study: Study
    method: str
    scenario: Scenario
    network: Network | None = None
    statements: Statements = field(default_factory=Statements)
    thresholds: Thresholds = field(default_factory=Thresholds)
    name: str = ""
    people: str = ""
    budget: Fraction | None = None
    delta_budget: Fraction | None = None
    synthetic: int = 0
    override: str = ""
    reasons: tuple[Reason, ...] = ()
    signed: str = ""
    study_runs: int = 0
    acceptance: Acceptance = NONE
    group_by: str = ""

    def __post_init__(self) -> None:
        check_text("the unit of protection", self.statements.unit)
        check_text("the account of the people", self.people)
        check_text("the name under a reason", self.signed)
        for reason in self.reasons:
            check_text("the reason for an override", reason.text)
        check_text("the name of the network", self.study.name)
        for _, value in self.study.loading:
            check_text("the name of a file", value)
        for one in (*self.scenario.options.known, *self.scenario.options.possible):
            check_text("the name of a file of known tables", one.source)
        if self.group_by:
            self.graph.index(self.group_by)
            if method_named(self.method).learns:
                raise EquipoiseError(
                    f"{self.method} learns its graph, and groups are rehearsed on a known one; "
                    "leave them out, or release the graph alone first"
                )
        self.order("review")  # refuses what cannot be ordered

    @property
    def graph(self) -> Network:
        """The graph to publish."""
        return self.study.network if self.network is None else self.network

    @property
    def facts(self) -> Facts:
        """What is public about the data."""
        return Facts.of(self.study, self.statements, self.scenario.neighbours, self.graph)

    def opening(self, others: int = 0) -> Account | None:
        """The account that a first release would open; none while no budget is stated.

        ``others`` is the number of accounts that the ledger has for other data.
        """
        if self.budget is None:
            return None
        delta = DELTA_BUDGET if self.delta_budget is None else self.delta_budget
        return Account(
            self.name or self.study.name,
            [],
            self.budget,
            delta,
            self.scenario.neighbours,
            people=SAMPLED if self.study.sampled else self.people,
            apart=others,
        )

    def order(self, token: str) -> Order:
        """What is ordered of the ledger and the worker; ``token`` is the click that orders it.

        What the checklist says of it is added by :meth:`release.review.reviewed.Reviewed.order`.
        """
        return Order(
            study=self.study,
            network=self.graph,
            method=self.method,
            scenario=self.scenario,
            token=token,
            name=self.name,
            people=self.people,
            budget=self.budget,
            delta_budget=self.delta_budget,
            synthetic=self.synthetic,
            graph_epsilon=self.statements.graph_epsilon,
            override=self.override,
            signed=self.signed,
            acceptance=self.acceptance,
            per_unit=self.facts.statements.per_unit,
        )
