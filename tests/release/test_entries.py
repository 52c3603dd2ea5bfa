"""What an entry says is read back whole, and what was learned once is paid once."""

import hashlib
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from core.errors import EquipoiseError
from core.knowledge import PublicTable
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from core.table import Variable
from release.ledger import liveness, store
from release.ledger.account import Account, PaidItem
from release.ledger.chain import opened
from release.ledger.people import BudgetError
from release.ledger.spending import Graph, graph_digest, order_digest, released_graph
from release.published import Receipt
from tests.release.paying import FILES, rewrite, spend

PARTS = (("number of records", Fraction(1, 10)), ("tables", Fraction(3, 10)))
GRAPH = Graph("9" * 64, Fraction(3, 10), "privbayes")


def test_all_that_a_spend_says_is_read_back(ledger):
    asked = spend(parts=PARTS, override="why", signed="Ana Kim", delta_budget=Fraction(1, 9))
    paid = ledger.spend(replace(asked, delta=Fraction(1, 10), people="", name="ward 7"))
    ledger.complete(paid.line.id, FILES, directory="out", graph="8" * 64)
    line = ledger.line(paid.line.id)
    assert re.fullmatch("[0-9a-f]{16}", line.id)
    assert line.receipt.number == 3
    assert line == PaidItem(
        id=paid.line.id,
        what="release",
        time=paid.line.time,
        method="equipoise",
        epsilon=Fraction(2, 5),
        delta=Fraction(1, 10),
        state="complete",
        settled=True,
        receipt=paid.line.receipt,
        token="a",
        override="why",
        directory="out",
        files=FILES,
        order="equipoise at 0.4",
        rows="f" * 64,
        graph="8" * 64,
        parts=PARTS,
        signed="Ana Kim",
    )


def test_what_a_spend_does_not_say_is_empty(ledger):
    ledger.spend(spend(graph=GRAPH, people="none"))
    structure, line = ledger.accounts()[0].lines
    shared = {"time": line.time, "delta": Fraction(0)}
    assert structure == PaidItem(
        id="9" * 64, what="structure", method="privbayes", epsilon=Fraction(3, 10),
        state="complete", settled=True, receipt=Receipt(3, structure.receipt.digest), **shared,
    )  # fmt: skip
    assert line == PaidItem(
        id=line.id, what="release", method="equipoise", epsilon=Fraction(2, 5), state="pending",
        settled=False, receipt=Receipt(4, line.receipt.digest), token="a",
        order="equipoise at 0.4", rows="f" * 64, people="none", **shared,
    )  # fmt: skip
    assert (ledger.accounts()[0].delta_spent, ledger.accounts()[0].apart) == (0, 0)
    for entry in map(opened, store.contents(ledger.path).entries):
        assert not {"per_unit", "signed", "parts"} & {*entry}


@pytest.mark.parametrize("per_unit", [2, 3])
def test_records_of_one_unit_are_kept_with_all_that_they_multiply(ledger, per_unit):
    ledger.spend(spend(graph=GRAPH, per_unit=per_unit))
    (account,) = ledger.accounts()
    assert [line.per_unit for line in account.lines] == [per_unit, per_unit]
    assert account.unit_spent(1) == per_unit * account.spent == per_unit * Fraction(7, 10)


def test_a_click_that_was_paid_is_answered_by_what_it_paid_for(ledger):
    paid = ledger.spend(spend(name="ward 7"))
    for again in (ledger.foresee(spend()), ledger.spend(spend())):
        assert again == replace(paid, account=ledger.accounts()[0], fresh=False)


def test_what_cannot_be_paid_is_foreseen(ledger):
    with pytest.raises(BudgetError, match="costs ε = 2 and 'data 1' has 1 left"):
        ledger.foresee(spend(epsilon="2"))


def test_a_ledger_without_a_doubt_is_read_once(ledger, monkeypatch):
    """One of a process that lives is no doubt, nor is one that an entry says is lost."""
    ledger.lose(ledger.spend(spend("a")).line.id, "why")
    ledger.spend(spend("b"))
    read, times = store.contents, []
    monkeypatch.setattr(store, "contents", lambda path: times.append(path) or read(path))
    assert [line.state for line in ledger.accounts()[0].lines] == ["lost", "pending"]
    assert len(times) == 1


def test_a_process_that_is_none_is_one_sentence(ledger):
    ledger.spend(spend())
    strange = {"number": "x", "started": "", "boot": liveness.this_process().boot}
    rewrite(ledger, 3, process=strange)
    (problem,) = ledger.verify().problems
    assert problem.startswith("an entry: something is missing or has another type")
    assert problem.endswith("; nobody but Equipoise may write one")


def test_a_release_that_learned_its_graph_has_paid_for_it(ledger):
    """And another graph is still due, as is the same one before the release is complete."""
    first = ledger.spend(spend("a", "0.1")).line.id
    account = ledger.accounts()[0]
    assert account.lines[0].graph == ""
    ledger.complete(first, FILES, graph=GRAPH.digest)
    ledger.spend(spend("b", "0.1", graph=GRAPH))
    assert ledger.accounts()[0].spent == Fraction(2, 10)
    ledger.spend(spend("c", "0.1", graph=replace(GRAPH, digest="7" * 64)))
    assert ledger.accounts()[0].spent == Fraction(6, 10)


def test_the_release_of_a_graph_is_found_by_its_edges(ledger):
    network = Network((Variable("a", ("x", "y")), Variable("b", ("x", "y"))), ((), ("a",)))
    release = ledger.spend(spend()).line.id
    assert released_graph(ledger.accounts()[0], network) is None
    ledger.complete(release, FILES, graph=graph_digest(network))
    assert released_graph(ledger.accounts()[0], network).id == release
    apart = Network(network.variables, ((), ()))
    assert released_graph(ledger.accounts()[0], apart) is None


def test_a_release_that_completes_while_it_is_looked_up_is_complete(ledger, monkeypatch):
    """Its process wrote its last entry, and ended, right after the file was read."""
    dead = liveness.Process(2**22 + 1, "1", liveness.this_process().boot)
    monkeypatch.setattr("release.ledger.book.this_process", lambda: dead)
    release = ledger.spend(spend()).line.id
    before, read = [store.contents(ledger.path)], store.contents
    ledger.complete(release, FILES)
    monkeypatch.setattr(store, "contents", lambda path: before.pop() if before else read(path))
    assert ledger.line(release).state == "complete"


@pytest.mark.parametrize("lacking", ["fingerprints", "token", "order"])
def test_a_spend_without_data_click_or_order_is_refused(lacking):
    with pytest.raises(EquipoiseError, match="needs the data's fingerprint, a token and its order"):
        spend(**{lacking: type(getattr(spend(), lacking))()})


def test_the_parts_of_a_spend_are_its_epsilon_unless_they_are_of_rho():
    assert spend(parts=PARTS).parts == PARTS
    with pytest.raises(EquipoiseError, match="not its ε in all"):
        spend(parts=PARTS[:1])
    assert spend(parts=PARTS[:1], delta=Fraction(1, 10)).delta


def test_an_account_has_no_others_apart_unless_it_says_so():
    assert Account("a", ["f"], Fraction(1), Fraction(0), Neighbours.ADD_REMOVE).apart == 0


A, B = Variable("a", ("x", "y")), Variable("b", ("n", "m"))
PLAIN_ORDER = (
    '{"delta":1e-06,"epsilon":0.5,"floors":{"b":0.2},"graph_epsilon":0.25,"method":"uniform",'
    '"neighbours":"replace","parents":{"a":[],"b":["a"]},"prior":1.5,"rate":0.125,"split":0.75,'
    '"states":{"a":["x","y"],"b":["n","m"]},"synthetic":7,"weights":{"b":3.0}}'
)
MORE = {
    "stated": '"stated":[[{"cells":[0.5,0.5],"family":["a"],"source":"s.json"}],'
    '[{"cells":[1.0,0.0,1.0,1.0],"family":["a","b"],"source":""}]],',
    "acceptance": '"acceptance":["1:a<=0.1","1/8"],',
}


def ordered(acceptance=(), **stated):
    options = Options(prior=1.5, floors=(("b", 0.2),), weights=(("b", 3.0),), **stated)
    knobs = {"epsilon": 0.5, "neighbours": Neighbours.REPLACE, "split": 0.75, "rate": 0.125}
    scenario = Scenario(**knobs, options=options)
    return order_digest(
        Network((A, B), ((), ("a",))), "uniform", scenario, synthetic=7, graph_epsilon=0.25,
        acceptance=acceptance, acceptance_epsilon=Fraction(1, 8),
    )  # fmt: skip


def test_an_order_is_named_as_ledgers_know_it():
    """By these texts to the letter, or a click of yesterday would be another order today."""

    def named(text):
        return hashlib.sha256(text.encode()).hexdigest()

    stated = {
        "known": (PublicTable((A,), (0.5, 0.5), "s.json"),),
        "possible": (PublicTable((A, B), (1, 0, 1, 1)),),
    }
    assert ordered() == named(PLAIN_ORDER)
    told = PLAIN_ORDER.replace('"states":', f'{MORE["stated"]}"states":')
    assert ordered(**stated) == named(told)
    told = PLAIN_ORDER.replace("{", f"{{{MORE['acceptance']}", 1)
    assert ordered(("1:a<=0.1",)) == named(told)


ROWS, FILE = "1" * 64, "2" * 64


@pytest.mark.parametrize("known", [(), (ROWS,), (FILE,), (ROWS, FILE)])
def test_an_entry_has_the_same_number_whether_or_not_its_rows_are_known(ledger, known):
    """The number is published with the release: one record changed must not move it."""
    ledger.spend(spend("before", "0.1", fingerprints=("f" * 64, *known), name="ward"))
    paid = ledger.spend(spend("now", "0.1", fingerprints=(ROWS, FILE), name="ward"))
    assert paid.line.receipt.number == 4
    new = [one for one in (ROWS, FILE) if one not in known]
    assert paid.account.fingerprints == ["f" * 64, *known, *new]
    assert ledger.accounts()[0].fingerprints == paid.account.fingerprints


def test_what_is_new_of_the_data_is_told_once(ledger):
    ledger.spend(spend("before", "0.1"))
    ledger.spend(spend("now", "0.1", fingerprints=(ROWS, "f" * 64, ROWS)))
    ledger.spend(spend("later", "0.1", fingerprints=(ROWS,)))
    entries = [opened(entry) for entry in store.contents(ledger.path).entries]
    assert [entry.get("fingerprints") for entry in entries[1:]] == [["f" * 64], None, [ROWS], None]


def test_a_fingerprint_in_an_entry_of_its_own_is_read(ledger):
    """As they were written once."""
    ledger.spend(spend("before", "0.1"))
    with store.writing(ledger.path) as writing:
        writing.add({"kind": "fingerprint", "time": "", "dataset": "data 1", "fingerprint": ROWS})
    assert ledger.accounts()[0].fingerprints == ["f" * 64, ROWS]
    assert ledger.spend(spend("now", "0.1", fingerprints=(ROWS,))).account.name == "data 1"
