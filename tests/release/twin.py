"""A slow, obvious twin of the ledger: a list of what was paid, gone through anew each time.

It knows the rules as the documents say them and nothing of the code. ``answer`` says what becomes
of one order: ``("refused",)``, ``("again", number)`` or ``("paid", account)``.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Asked:
    """Everything that a steward can state with one order."""

    data: tuple
    token: str
    order: str
    epsilon: Fraction
    delta: Fraction
    neighbours: str
    name: str
    people: str
    sampled: bool
    budget: Fraction | None
    delta_budget: Fraction | None
    graph: tuple | None  # digest, ε

    @property
    def sane(self):
        """No amount gives budget back, and δ is a probability."""
        return (
            self.epsilon > 0
            and 0 <= self.delta < 1
            and (self.budget is None or self.budget > 0)
            and (self.delta_budget is None or 0 <= self.delta_budget < 1)
            and (self.graph is None or self.graph[1] > 0)
        )


class Twin:
    """What was paid: orders with the account each was charged to, oldest first."""

    def __init__(self):
        self.paid = []

    @property
    def accounts(self):
        """Names in the order of opening."""
        return list(dict.fromkeys(account for account, _ in self.paid))

    def orders(self, account):
        return [asked for name, asked in self.paid if name == account]

    def first(self, account):
        return self.orders(account)[0]

    def data(self, account):
        return {one for asked in self.orders(account) for one in asked.data}

    def graphs(self, account):
        return {asked.graph for asked in self.orders(account) if asked.graph}

    def spent(self, account):
        """Releases every time, each graph once for each ε it was learned with."""
        releases = sum((asked.epsilon for asked in self.orders(account)), Fraction(0))
        return releases + sum((epsilon for _, epsilon in self.graphs(account)), Fraction(0))

    def delta_spent(self, account):
        return sum((asked.delta for asked in self.orders(account)), Fraction(0))

    def budgets(self, account):
        first = self.first(account)
        delta = Fraction(1, 10**6) if first.delta_budget is None else first.delta_budget
        return first.budget, delta

    def real(self):
        """Accounts of people; made-up records are nobody's."""
        return [account for account in self.accounts if not self.first(account).sampled]

    def answer(self, asked):
        if not asked.sane:
            return ("refused",)
        for number, (_, before) in enumerate(self.paid):
            if before.token == asked.token:
                same = (before.order, before.data[0]) == (asked.order, asked.data[0])
                return ("again", number) if same else ("refused",)
        account = self.charged_to(asked)
        if account is None or not self.affordable(asked, account):
            return ("refused",)
        return ("paid", account)

    def charged_to(self, asked):
        """An account, a new name, or None where the statements do not fit."""
        known = [a for a in self.accounts if self.data(a) & set(asked.data)]
        if len(known) > 1:
            return None
        if known:
            return known[0] if self.agrees(asked, known[0]) else None
        if asked.people in self.accounts and asked.people != "none":
            return asked.people if asked.name in ("", asked.people) else None
        if asked.people not in ("", "none"):
            return None
        if asked.name in self.accounts:
            return asked.name if asked.people == "" else None
        return self.opened(asked)

    def agrees(self, asked, account):
        if asked.name in self.accounts and asked.name != account:
            return False
        opened_so = asked.people == "none" == self.first(account).people
        opened_so = opened_so and not self.first(account).sampled
        return asked.people in ("", account) or opened_so

    def opened(self, asked):
        silent = asked.people != "none" and not asked.sampled
        if (self.real() and silent) or asked.budget is None or asked.name == "none":
            return None
        if asked.name:
            return asked.name
        numbers = range(len(self.accounts) + 1, 1000)
        return next(f"data {n}" for n in numbers if f"data {n}" not in self.accounts)

    def affordable(self, asked, account):
        if account in self.accounts:
            budget, delta_budget = self.budgets(account)
            if asked.neighbours != self.first(account).neighbours:
                return False
            if asked.budget not in (None, budget):
                return False
            if asked.delta_budget not in (None, delta_budget):
                return False
        return self._fits(asked, account)

    def _fits(self, asked, account):
        """Paid on paper first: does anything exceed what the account may spend?"""
        after = Twin()
        after.paid = [*self.paid, (account, asked)]
        budget, delta_budget = after.budgets(account)
        return after.spent(account) <= budget and after.delta_spent(account) <= delta_budget
