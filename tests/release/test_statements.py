"""All that a steward can state, in any order: the ledger does what its obvious twin does."""

import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.errors import EquipoiseError
from core.privacy import Neighbours
from release.ledger.book import Ledger
from release.ledger.spending import Graph, Spend
from tests.release.paying import FILES
from tests.release.twin import Asked, Twin

NAMES = ("", "", "", "", "north", "south", "data 1", "data 2", "none")
PEOPLE = ("", "", "", "none", "none", "none", "north", "south", "data 1", "nobody here")


def amounts(*often):
    """Nearly always one of these; at times any fraction, zero and negative ones included."""
    rare = st.fractions(-1, 2, max_denominator=20)
    return st.integers(0, 24).flatmap(lambda n: rare if n == 24 else st.sampled_from(often))


def asking():
    third, tiny = Fraction(1, 3), Fraction(1, 10**6)
    return st.builds(
        Asked,
        data=st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=2).map(tuple),
        token=st.integers(0, 10**6).map("click {}".format),
        order=st.just("first"),
        epsilon=amounts(third, Fraction(1, 7), Fraction(1, 2)),
        delta=amounts(Fraction(0), Fraction(0), Fraction(0), tiny / 2, tiny),
        neighbours=st.sampled_from(("add-remove",) * 9 + ("replace",)),
        name=st.sampled_from(NAMES),
        people=st.sampled_from(PEOPLE),
        sampled=st.sampled_from((False, False, False, True)),
        budget=amounts(None, Fraction(2), Fraction(2), Fraction(2), Fraction(3)),
        delta_budget=amounts(None, None, None, None, tiny, Fraction(0)),
        graph=st.none() | st.tuples(st.sampled_from("gh"), amounts(third, Fraction(1, 5))),
    )


def pay(ledger, asked):
    graph = None if asked.graph is None else Graph(asked.graph[0], asked.graph[1], "learned")
    return ledger.spend(
        Spend(
            fingerprints=asked.data,
            method="equipoise",
            epsilon=asked.epsilon,
            delta=asked.delta,
            neighbours=Neighbours(asked.neighbours),
            token=asked.token,
            order=asked.order,
            name=asked.name,
            people=asked.people,
            sampled=asked.sampled,
            budget=asked.budget,
            delta_budget=asked.delta_budget,
            graph=graph,
            override="agreed",
        )
    )


class Stewards(RuleBasedStateMachine):
    """Whatever is stated in whatever order, no account owes and nothing comes back."""

    @initialize()
    def open(self):
        self.room = tempfile.TemporaryDirectory()
        self.ledger = Ledger(Path(self.room.name) / "ledger.db")
        self.twin, self.ids, self.states = Twin(), [], []

    @rule(asked=asking())
    def state(self, asked):
        expected = self.twin.answer(asked)
        left = {a.name: a.remaining for a in self.ledger.accounts()}
        if expected == ("refused",):
            with pytest.raises(EquipoiseError):
                pay(self.ledger, asked)
            assert {a.name: a.remaining for a in self.ledger.accounts()} == left
            return
        found = pay(self.ledger, asked)
        if expected[0] == "again":
            assert (found.fresh, found.line.id) == (False, self.ids[expected[1]])
            return
        assert (found.fresh, found.account.name) == (True, expected[1])
        self.twin.paid.append((expected[1], asked))
        self.ids.append(found.line.id)
        self.states.append("pending")
        assert found.account.remaining < left.get(expected[1], asked.budget)

    @rule(asked=asking(), which=st.integers(0, 50), token=st.booleans())
    def return_(self, asked, which, token):
        """The same data once more, and perhaps the same click: again, or with another order."""
        if not self.twin.paid:
            return
        _, before = self.twin.paid[which % len(self.twin.paid)]
        changed = {"token": before.token, "order": "second" if which % 2 else before.order}
        self.state(replace(asked, data=before.data, **(changed if token else {})))

    @rule(asked=asking(), which=st.integers(0, 50))
    def join(self, asked, which):
        """Perhaps other data, of the people of an account that is there."""
        if self.twin.accounts:
            account = self.twin.accounts[which % len(self.twin.accounts)]
            self.state(replace(asked, people=account, name="", budget=None, delta_budget=None))

    @rule(which=st.integers(0, 50), lost=st.booleans())
    def settle(self, which, lost):
        if not self.ids:
            return
        number = which % len(self.ids)
        end = "lost" if lost else "complete"
        settle = self.ledger.lose if lost else self.ledger.complete
        if self.states[number] != "pending":
            with pytest.raises(EquipoiseError, match="already"):
                settle(self.ids[number], "gone" if lost else FILES)
            return
        settle(self.ids[number], "gone" if lost else FILES)
        self.states[number] = end

    @invariant()
    def the_twin_says_the_same(self):
        accounts = self.ledger.accounts()
        assert [a.name for a in accounts] == self.twin.accounts
        assert self.ledger.verify().sound
        states = {line.id: line.state for a in accounts for line in a.lines}
        assert [states[number] for number in self.ids] == self.states
        for account in accounts:
            assert account.spent == self.twin.spent(account.name) <= account.budget
            assert account.delta_spent == self.twin.delta_spent(account.name)
            assert account.delta_spent <= account.delta_budget
            assert (account.budget, account.delta_budget) == self.twin.budgets(account.name)
            assert set(account.fingerprints) == self.twin.data(account.name)

    def teardown(self):
        if hasattr(self, "room"):
            self.room.cleanup()


TestStewards = Stewards.TestCase
TestStewards.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
