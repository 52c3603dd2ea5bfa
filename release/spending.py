"""What a release asks of the ledger, and whether an account allows it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.errors import EquipoiseError
from core.network import Network
from core.privacy import Neighbours
from release.account import Account, Line
from release.chain import canonical
from release.rationals import decimal

DELTA_BUDGET = Fraction(1, 10**6)
"""δ that all (ε, δ) releases of one dataset may cost unless the steward says otherwise."""


class BudgetError(EquipoiseError):
    """The budget does not allow it."""


@dataclass(frozen=True)
class Graph:
    """A structure learned privately: a digest that names it, and what learning it has cost."""

    digest: str
    epsilon: Fraction
    method: str


def learned_graph(network: Network, epsilon: float) -> Graph | None:
    """The ledger's name for a graph learned from the records; none where that cost nothing."""
    if not epsilon:
        return None
    named = canonical([[v.name for v in network.variables], network.parents])
    digest = hashlib.sha256(named.encode()).hexdigest()
    return Graph(digest, decimal(epsilon), "structure learned from the records")


@dataclass(frozen=True, kw_only=True)
class Spend:
    """What a release asks of the ledger.

    ``fingerprints`` are keyed, the rows' first. ``budget`` opens the account of data that are not
    known yet. A ``token`` is one click: asked again, it gives the same release. ``failed`` are
    the lines of the checklist that the reason ``override`` is for.
    """

    fingerprints: tuple[str, ...]
    method: str
    epsilon: Fraction
    delta: Fraction
    neighbours: Neighbours
    token: str
    name: str = ""
    budget: Fraction | None = None
    delta_budget: Fraction | None = None
    graph: Graph | None = None
    override: str = ""
    failed: tuple[str, ...] = ()


def find(
    accounts: Mapping[str, Account], fingerprints: Sequence[str], name: str
) -> Account | None:
    """The account of these data; a name given to other data is refused."""
    known = [a for a in accounts.values() if set(fingerprints) & set(a.fingerprints)]
    named = accounts.get(name) if name else None
    if len(known) > 1:
        names = " and ".join(repr(a.name) for a in known)
        raise BudgetError(
            f"these data belong to the accounts {names}; release each from its own file"
        )
    if known and named and named is not known[0]:
        raise BudgetError(
            f"these data are known as {known[0].name!r} and {name!r} is the name of others; "
            f"leave the name out or give {known[0].name!r}"
        )
    return known[0] if known else named


def find_token(accounts: Mapping[str, Account], spend: Spend) -> tuple[Account, Line] | None:
    """The release that this click has paid for already; a token of another order is refused."""
    found = ((a, line) for a in accounts.values() for line in a.lines if line.token == spend.token)
    account, line = next(found, (None, None))
    if account is None or line is None:
        return None
    same = set(spend.fingerprints) & set(account.fingerprints)
    asked = (spend.method, spend.epsilon, spend.delta)
    if not same or asked != (line.method, line.epsilon, line.delta):
        raise EquipoiseError(
            f"the token {spend.token!r} has ordered another release; one token is one order, so "
            "give another"
        )
    return account, line


def opened_for(spend: Spend) -> Account:
    """A new account for data that the ledger does not know."""
    if spend.budget is None or spend.budget <= 0:
        raise EquipoiseError(
            "these data have no budget yet; say how much ε all their releases together may cost"
        )
    delta = DELTA_BUDGET if spend.delta_budget is None else spend.delta_budget
    name = spend.name or f"data {spend.fingerprints[0][:8]}"
    return Account(name, list(spend.fingerprints), spend.budget, delta, spend.neighbours)


def cost_of(account: Account, spend: Spend) -> tuple[Fraction, Fraction]:
    """ε and δ that the spend would add: a structure is paid once, a release every time."""
    graph = due(account, spend.graph)
    return spend.epsilon + (graph.epsilon if graph else 0), spend.delta


def due(account: Account, graph: Graph | None) -> Graph | None:
    """The structure that has not been paid for yet."""
    paid = {line.id for line in account.lines if line.what == "structure"}
    return None if graph is None or graph.digest in paid else graph


def check(account: Account, spend: Spend) -> None:
    """Refuse what the account cannot pay, in one sentence."""
    if spend.neighbours is not account.neighbours:
        raise BudgetError(
            f"the budget of {account.name!r} counts {account.neighbours.value} neighbours and this "
            f"release {spend.neighbours.value}, which do not add up; release with "
            f"{account.neighbours.value}"
        )
    if spend.budget not in (None, account.budget):
        raise BudgetError(
            f"the budget of {account.name!r} is ε = {shown(account.budget)}, set once and not "
            f"{shown(spend.budget or Fraction(0))}; leave it out or give the same"
        )
    if spend.delta_budget not in (None, account.delta_budget):
        raise BudgetError(
            f"the budget of {account.name!r} is δ = {shown(account.delta_budget)}, set once; leave "
            "it out or give the same"
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
