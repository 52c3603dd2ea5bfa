"""What a release asks of the ledger, and whether an account allows it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from core.errors import EquipoiseError
from core.network import Network
from core.privacy import Neighbours
from core.scenario import Scenario
from release.ledger.account import NOBODY, SAMPLED, Account, PaidItem
from release.ledger.chain import canonical
from release.ledger.people import BudgetError, apart, find
from release.published import stated_document
from release.rationals import amount, decimal, portion

DELTA_BUDGET = Fraction(1, 10**6)
"""δ that all (ε, δ) releases of one dataset may cost unless the steward says otherwise."""


@dataclass(frozen=True)
class Graph:
    """A structure learned privately: a digest that names it, and what learning it has cost."""

    digest: str
    epsilon: Fraction
    method: str

    def __post_init__(self) -> None:
        amount("ε of learning the graph", self.epsilon)


def learned_graph(network: Network, epsilon: float) -> Graph | None:
    """The ledger's name for a graph learned from the records; none where that cost nothing.

    A graph is its edges over the names: the order of variables and parents says nothing, and its
    states are no part of what was learned.
    """
    if epsilon == 0:
        return None
    return Graph(graph_digest(network), decimal(epsilon), "structure learned from the records")


def graph_digest(network: Network) -> str:
    """The ledger's name for a graph, whatever it has cost."""
    return hashlib.sha256(canonical(_parents(network)).encode()).hexdigest()


def released_graph(account: Account, network: Network) -> PaidItem | None:
    """The release that has learned this graph from the data of the account, and paid for it."""
    digest = graph_digest(network)
    return next((line for line in account.lines if line.graph == digest), None)


def _parents(network: Network) -> dict[str, list[str]]:
    families = zip(network.names, network.parents, strict=True)
    return {name: sorted(parents) for name, parents in families}


def order_digest(
    network: Network,
    method: str,
    scenario: Scenario,
    *,
    synthetic: int,
    graph_epsilon: float,
    acceptance: tuple[str, ...],
    acceptance_epsilon: Fraction,
) -> str:
    """One name for everything that decides what is released; public facts alone."""
    wishes = scenario.options
    told = {
        "states": {v.name: v.states for v in network.variables},
        "parents": _parents(network),
        "method": method,
        "epsilon": scenario.epsilon,
        "split": scenario.split,
        "rate": scenario.rate,
        "neighbours": scenario.neighbours.value,
        "prior": wishes.prior,
        "floors": dict(wishes.floors),
        "weights": dict(wishes.weights),
        "delta": wishes.delta,
        "synthetic": synthetic,
        "graph_epsilon": graph_epsilon,
    }
    if wishes.informed:  # an order without is named as before tables could be stated
        told["stated"] = [
            [stated_document(one) for one in stated] for stated in (wishes.known, wishes.possible)
        ]
    if acceptance:
        told["acceptance"] = [*acceptance, str(acceptance_epsilon)]
    return hashlib.sha256(canonical(told).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Spend:
    """What a release asks of the ledger.

    ``fingerprints`` are keyed, the rows' first. ``budget`` opens the account of data that are not
    known yet, and ``people`` says whose they are: the name of their account, or ``none``; made-up
    records (``sampled``) are nobody's. A ``token`` is one click: asked again with the same
    ``order`` (its digest), it gives the same release. ``failed`` are the lines of the checklist
    that the reason ``override`` is for. ``parts`` say what ε is spent on where a method learns its
    graph; they are ε in all, to the last digit. ``per_unit`` are the records of one unit, at most,
    and ε is for one of them. ``reviewed`` is what the account had spent when this was reviewed.
    """

    fingerprints: tuple[str, ...]
    method: str
    epsilon: Fraction
    delta: Fraction
    neighbours: Neighbours
    token: str
    order: str
    name: str = ""
    people: str = ""
    sampled: bool = False
    budget: Fraction | None = None
    delta_budget: Fraction | None = None
    graph: Graph | None = None
    override: str = ""
    failed: tuple[str, ...] = ()
    signed: str = ""
    parts: tuple[tuple[str, Fraction], ...] = ()
    per_unit: int = 1
    reviewed: Fraction | None = None

    def __post_init__(self) -> None:
        if self.parts and not self.delta and sum(part for _, part in self.parts) != self.epsilon:
            raise EquipoiseError("the parts of a spend are not its ε in all; correct the method")
        if not self.fingerprints or not self.token or not self.order:
            raise EquipoiseError("a spend needs the data's fingerprint, a token and its order")
        amount("ε of a release", self.epsilon)
        portion("δ of a release", self.delta)
        if self.budget is not None:
            amount("the ε budget", self.budget)
        if self.delta_budget is not None:
            portion("the δ budget", self.delta_budget)


def find_token(accounts: Mapping[str, Account], spend: Spend) -> tuple[Account, PaidItem] | None:
    """The release that this click has paid for already; a token of another order is refused."""
    lines = ((account, line) for account in accounts.values() for line in account.lines)
    paid = next((one for one in lines if one[1].token == spend.token), None)
    if paid is None:
        return None
    _, line = paid
    if not line.order:
        raise EquipoiseError(
            f"the token {spend.token!r} has ordered release {line.id} before the ledger kept whole "
            "orders, so the two cannot be compared; take the files of that release, or give "
            "another token"
        )
    if (spend.order, spend.fingerprints[0]) != (line.order, line.rows):
        raise EquipoiseError(
            f"the token {spend.token!r} has ordered another release; one token is one order, so "
            "give another"
        )
    return paid


def charged(accounts: Mapping[str, Account], spend: Spend) -> Account:
    """The account of the data, or the one that the spend would open."""
    known = find(accounts, spend.fingerprints, name=spend.name, people=spend.people)
    return opened_for(spend, accounts) if known is None else known


def opened_for(spend: Spend, accounts: Mapping[str, Account]) -> Account:
    """A new account for data that the ledger does not know."""
    others = apart(accounts, people=spend.people, sampled=spend.sampled)
    if spend.budget is None:
        raise EquipoiseError(
            "these data have no budget yet; say how much ε all their releases together may cost"
        )
    if spend.name == NOBODY:
        raise EquipoiseError(
            f"{NOBODY!r} is the word for people in no account; give these data another name"
        )
    return Account(
        spend.name or _next_name(accounts),
        list(spend.fingerprints),
        spend.budget,
        DELTA_BUDGET if spend.delta_budget is None else spend.delta_budget,
        spend.neighbours,
        people=SAMPLED if spend.sampled else spend.people,
        apart=len(others),
    )


def _next_name(accounts: Mapping[str, Account]) -> str:
    """A name that says nothing of the rows: the dossier prints it."""
    number = len(accounts) + 1
    while f"data {number}" in accounts:
        number += 1
    return f"data {number}"


def cost_of(account: Account, spend: Spend) -> tuple[Fraction, Fraction]:
    """ε and δ that the spend would add: a structure is paid once, a release every time."""
    graph = due(account, spend.graph)
    return spend.epsilon + (graph.epsilon if graph else 0), spend.delta


def due(account: Account, graph: Graph | None) -> Graph | None:
    """The structure that has not been paid for yet; at another ε it was learned another time.

    A release that learned this graph has paid for it, whatever else its ε was for.
    """
    paid = {(line.id, line.epsilon) for line in account.lines if line.what == "structure"}
    if graph is None or (graph.digest, graph.epsilon) in paid:
        return None
    return None if any(line.graph == graph.digest for line in account.lines) else graph


def check(account: Account, spend: Spend) -> None:
    """Refuse what the account cannot pay, in one sentence."""
    if spend.neighbours is not account.neighbours:
        raise BudgetError(
            f"the budget of {account.name!r} counts {account.neighbours.value} neighbours and this "
            f"release {spend.neighbours.value}, which do not add up; release with "
            f"{account.neighbours.value}"
        )
    if spend.budget is not None and spend.budget != account.budget:
        raise BudgetError(
            f"the budget of {account.name!r} is ε = {shown(account.budget)}, set once and not "
            f"{shown(spend.budget)}; leave it out or give the same"
        )
    if spend.delta_budget not in (None, account.delta_budget):
        raise BudgetError(
            f"the budget of {account.name!r} is δ = {shown(account.delta_budget)}, set once; leave "
            "it out or give the same"
        )
    if spend.reviewed is not None and spend.reviewed != account.spent:
        raise BudgetError(
            f"{account.name!r} has spent ε = {shown(account.spent)} by now, and its checklist is "
            f"of {shown(spend.reviewed)}; review the release again"
        )
    epsilon, delta = cost_of(account, spend)
    for letter, cost, left in (
        ("ε", epsilon, account.remaining),
        ("δ", delta, account.delta_remaining),
    ):
        if cost > left:
            raise BudgetError(
                f"the release costs {letter} = {shown(cost)} and {account.name!r} has "
                f"{shown(left)} left of its budget; spend less or stop here"
            )


def shown(value: Fraction) -> str:
    """An exact number as a person writes it.

    >>> shown(Fraction(1, 10)), shown(Fraction(1, 3)), shown(Fraction(1, 10**6))
    ('0.1', '0.333333', '1e-06')
    """
    return f"{float(value):.6g}"
