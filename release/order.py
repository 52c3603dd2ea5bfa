"""Order: one release as the steward orders it, and what it asks of the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, method_named
from core.network import Network
from core.options import PLAIN
from core.privacy import Neighbours
from core.privbayes.learners import STRUCTURE
from core.scenario import RECORD_LIMIT, Scenario
from release.acceptance import NONE, Acceptance
from release.ledger.book import Ledger
from release.ledger.fingerprint import (
    counts_fingerprint,
    file_fingerprint,
    fingerprint,
    place_fingerprint,
)
from release.ledger.spending import Spend, learned_graph, order_digest
from release.preview import Preview
from release.versions import check_names, check_text
from sources.study import Study

AS_MEASURED = -1
"""As many synthetic records as the noisy tables say there are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Order:
    """One release as the steward orders it; ``token`` is the click that orders it.

    ``name`` and the two budgets are needed once for each dataset, and ``people`` for data that a
    ledger with accounts does not know: the account their people are in, or ``none``.
    ``synthetic`` is the number of synthetic records, zero for none. ``graph_epsilon`` is what
    learning the graph from these records has cost. ``failed`` are the lines of the checklist that
    ``override`` is the reason for. ``signed`` is who orders it, where that is known.
    ``acceptance`` is what the model must be good for, and its ε is charged with the release's.
    ``per_unit`` are the records that one unit has at most, as stated or as the file was cut, and
    ``reviewed`` is the ε that the account had spent when this was reviewed.
    """

    study: Study
    network: Network
    method: str
    scenario: Scenario
    token: str
    name: str = ""
    people: str = ""
    budget: Fraction | None = None
    delta_budget: Fraction | None = None
    synthetic: int = 0
    graph_epsilon: float = 0.0
    override: str = ""
    failed: tuple[str, ...] = ()
    signed: str = ""
    acceptance: Acceptance = NONE
    per_unit: int = 1
    reviewed: Fraction | None = None

    def __post_init__(self) -> None:
        if not self.token:
            raise EquipoiseError("a release needs a token, so that one click pays once; give one")
        if not AS_MEASURED <= self.synthetic <= RECORD_LIMIT:
            raise EquipoiseError(
                f"{self.synthetic:,} synthetic records are ordered; at most {RECORD_LIMIT:,} are "
                "drawn"
            )
        check_reading(self.study.guessed)
        check_graph(self.study, self.network, self.method, self.graph_epsilon)
        check_learning(self.study, self.method, self.scenario, self.per_unit)
        check_text("the name of the data", self.name)
        check_text("the reason for an override", self.override)
        check_text("the token", self.token)
        check_names(self.network)
        check_acceptance(self.acceptance, self.network, self.method)
        check_counting(self.acceptance, self.study, self.scenario, self.per_unit)


def check_acceptance(acceptance: Acceptance, network: Network, method: str) -> None:
    """Refuse criteria about columns that are not there, or of a model that is not published."""
    acceptance.families(network.variables)
    if acceptance.criteria and method == STRUCTURE:
        raise EquipoiseError("a graph alone has no tables to accept; leave the criteria out")


NUMBER_MOVES = (
    "leaving out those with a missing value, or all but a few of one unit, or units of several "
    "records, make it private; give missing values a state, or release for one record added or "
    "removed"
)


def number_moves(study: Study, scenario: Scenario, per_unit: int) -> bool:
    """Whether who is replaced may change how many are counted.

    The other record may be left out, and the other of several records may have fewer.
    """
    fewer = study.missing in ("drop", "columns") or bool(study.unit) or per_unit > 1
    return fewer and scenario.neighbours is Neighbours.REPLACE


def check_counting(acceptance: Acceptance, study: Study, scenario: Scenario, per_unit: int) -> None:
    """Refuse criteria, shares of a number of records, where that is said not to change and does."""
    if acceptance.criteria and number_moves(study, scenario, per_unit):
        raise EquipoiseError(
            "acceptance criteria take the number of records as public where one is replaced, and "
            f"{NUMBER_MOVES}"
        )


def check_reading(guessed: Sequence[str]) -> None:
    """Refuse a table whose records decide how it is read: one of them could change all others."""
    if guessed:
        raise EquipoiseError(
            f"the table is read with {', '.join(guessed)}, which its records decide: one of them "
            "could change what all others say; state it in the schema, under 'file'"
        )


def synthetic_wish(method: str) -> int:
    """Synthetic records where nobody says how many: they are what PrivBayes is for."""
    return AS_MEASURED if method_named(method).learns and method != STRUCTURE else 0


def check_graph(study: Study, network: Network, method: str, epsilon: float) -> None:
    """Refuse a graph, or its ε, for a method that learns one, and none for one that needs it."""
    learns = method_named(method).learns
    if learns and epsilon:
        raise EquipoiseError(
            f"{method!r} learns its graph within its own ε, and ε = {epsilon:g} is stated for a "
            "graph learned before; leave that out"
        )
    if learns and (network.edges or study.graph != "none"):
        raise EquipoiseError(
            f"{method!r} learns its graph and has been given one; leave the graph out, or choose "
            "equipoise for a graph that is known"
        )
    if not learns and study.graph == "none":
        raise EquipoiseError(
            f"{method!r} needs a graph; give one, or learn it with {', '.join(LEARNERS)}"
        )


def check_learning(study: Study, method: str, scenario: Scenario, per_unit: int) -> None:
    """Refuse what a method that learns its graph cannot heed, or would have to know."""
    if not method_named(method).learns:
        return
    if replace(scenario.options, delta=PLAIN.delta) != PLAIN:
        raise EquipoiseError(
            f"{method!r} knows no locks, weights or prior before it has a graph; leave them out"
        )
    if number_moves(study, scenario, per_unit):
        raise EquipoiseError(
            f"{method!r} takes the number of records as public where one is replaced, and "
            f"{NUMBER_MOVES}"
        )


def fingerprints(study: Study, ledger: Ledger) -> tuple[str, ...]:
    """By which the ledger knows the data: the rows, and the file they came in.

    Of a table elsewhere: the counts of its columns, and where it is.
    """
    key = ledger.key()
    if not isinstance(study.people, Dataset):
        people = study.people
        return counts_fingerprint(people.margins, key=key), place_fingerprint(
            people.identity, key=key
        )
    own = fingerprint(study.people, key=key)
    return (own, file_fingerprint(study.source, key=key)) if study.source else (own,)


def parts_of(acceptance: Acceptance, shown: Preview) -> tuple[tuple[str, Fraction], ...]:
    """What ε is spent on, where it is on more than one thing."""
    if not acceptance.epsilon:
        return shown.parts
    return (*(shown.parts or (("model", shown.epsilon),)), ("acceptance", acceptance.epsilon))


def spend_of(order: Order, shown: Preview, ledger: Ledger) -> Spend:
    """What the order asks of the ledger."""
    return Spend(
        fingerprints=fingerprints(order.study, ledger),
        method=order.method,
        epsilon=shown.epsilon + order.acceptance.epsilon,
        delta=shown.delta,
        neighbours=order.scenario.neighbours,
        token=order.token,
        order=order_digest(
            order.network,
            order.method,
            order.scenario,
            synthetic=order.synthetic,
            graph_epsilon=order.graph_epsilon or order.study.spent,
            acceptance=tuple(c.text for c in order.acceptance.criteria),
            acceptance_epsilon=order.acceptance.epsilon,
        ),
        name=order.name,
        people=order.people,
        sampled=order.study.sampled,
        budget=order.budget,
        delta_budget=order.delta_budget,
        graph=learned_graph(order.network, order.graph_epsilon or order.study.spent),
        override=order.override,
        failed=order.failed,
        signed=order.signed,
        parts=parts_of(order.acceptance, shown),
        per_unit=max(order.per_unit, order.study.per_unit),
        reviewed=order.reviewed,
    )
