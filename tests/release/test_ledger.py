"""The ledger: one budget for each dataset, never overspent, and tampering shows."""

import sqlite3
from dataclasses import replace
from fractions import Fraction

import pytest

from core.errors import EquipoiseError
from core.privacy import Neighbours
from release.ledger import account, liveness
from release.ledger.book import Ledger
from release.ledger.chain import Verification
from release.ledger.people import BudgetError
from release.ledger.spending import Graph
from tests.release.paying import FILES, change, spend


def test_a_release_is_paid_first_and_complete_afterwards(ledger):
    paid = ledger.spend(spend())
    assert paid.fresh
    assert paid.line.state == "pending"
    assert paid.account.remaining == Fraction("0.6")
    ledger.complete(paid.line.id, FILES, directory="out")
    (found,) = ledger.accounts()
    assert [line.state for line in found.lines] == ["complete"]
    assert found.lines[0].files == FILES
    with pytest.raises(EquipoiseError, match="complete already"):
        ledger.lose(paid.line.id, "late")


def test_a_lost_release_stays_paid(ledger):
    ledger.lose(ledger.spend(spend()).line.id, "the worker ended")
    (found,) = ledger.accounts()
    assert (found.lines[0].state, found.lines[0].reason) == ("lost", "the worker ended")
    assert found.remaining == Fraction("0.6")


def test_ten_tenths_fit_one_exactly_and_an_eleventh_does_not(ledger):
    for token in range(10):
        ledger.spend(spend(str(token), "0.1"))
    with pytest.raises(BudgetError, match="costs ε = 1e-18 and 'data 1' has 0 left"):
        ledger.spend(spend("more", "1e-18"))
    assert ledger.accounts()[0].remaining == 0


def test_the_same_click_pays_once(ledger):
    first = ledger.spend(spend("click"))
    again = ledger.spend(spend("click"))
    assert not again.fresh
    assert again.line.id == first.line.id
    assert ledger.foresee(spend("click")).line.id == first.line.id
    assert ledger.foresee(spend("other")) is None
    assert ledger.accounts()[0].spent == Fraction("0.4")


def test_data_are_known_again_by_any_fingerprint_or_by_name(ledger):
    ledger.spend(spend("a", name="patients"))
    ledger.spend(spend("b", "0.1", fingerprints=("1" * 64, "f" * 64), name=""))  # same rows
    ledger.spend(spend("c", "0.1", fingerprints=("1" * 64,)))  # the file of before
    ledger.spend(spend("d", "0.1", fingerprints=("2" * 64,), name="patients"))  # other bins
    (found,) = ledger.accounts()
    assert found.fingerprints == ["f" * 64, "1" * 64, "2" * 64]
    assert found.spent == Fraction("0.7")
    ledger.spend(spend("e", fingerprints=("3" * 64,), name="staff", people="none"))
    with pytest.raises(BudgetError, match="known as 'patients' and 'staff' is the name of others"):
        ledger.spend(spend("f", "0.1", name="staff"))
    with pytest.raises(BudgetError, match="'patients' and 'staff'"):
        ledger.spend(spend("g", "0.1", fingerprints=("1" * 64, "3" * 64)))


def test_what_does_not_add_up_is_refused(ledger):
    with pytest.raises(EquipoiseError, match="no budget yet"):
        ledger.spend(spend(budget=None))
    ledger.spend(spend())
    with pytest.raises(BudgetError, match="add-remove neighbours and this release replace"):
        ledger.spend(spend("b", "0.1", neighbours=Neighbours.REPLACE))
    with pytest.raises(BudgetError, match="set once and not 5"):
        ledger.spend(spend("b", "0.1", budget=Fraction(5)))
    with pytest.raises(BudgetError, match="δ = 1e-06, set once"):
        ledger.spend(spend("b", "0.1", delta_budget=Fraction(1, 2)))
    with pytest.raises(BudgetError, match="costs δ = 2e-06"):
        ledger.spend(spend("b", "0.1", delta=Fraction("2e-6")))
    assert len(ledger.accounts()[0].lines) == 1


def test_epsilon_and_delta_both_add_up(ledger):
    ledger.spend(spend("a", "0.1", delta=Fraction("1e-6")))
    with pytest.raises(BudgetError, match="δ"):
        ledger.spend(spend("b", "0.1", delta=Fraction("1e-9")))
    ledger.spend(spend("c", "0.9"))
    assert ledger.accounts()[0].delta_remaining == 0


def test_a_learned_structure_is_paid_once(ledger):
    graph = Graph("9" * 64, Fraction("0.3"), "privbayes")
    ledger.spend(spend("a", "0.2", graph=graph))
    ledger.spend(spend("b", "0.2", graph=graph))
    (found,) = ledger.accounts()
    assert [line.what for line in found.lines] == ["structure", "release", "release"]
    assert found.spent == Fraction("0.7")
    other = replace(graph, digest="8" * 64)
    with pytest.raises(BudgetError, match=r"costs ε = 0\.5"):
        ledger.spend(spend("c", "0.2", graph=other))


def test_a_number_that_the_ledger_does_not_know_is_refused(ledger):
    paid = ledger.spend(spend()).line.id
    with pytest.raises(EquipoiseError, match=r"no release 'ffff'; check the number"):
        ledger.line("ffff")
    for settle in (lambda: ledger.complete("ffff", FILES), lambda: ledger.lose("ffff", "why")):
        with pytest.raises(EquipoiseError, match="no release 'ffff'"):
            settle()
    assert ledger.line(paid).id == paid and ledger.line(paid).state == "pending"


def test_a_release_whose_process_has_ended_is_lost(ledger, monkeypatch):
    dead = liveness.Process(2**22 + 1, "1", liveness.this_process().boot)
    monkeypatch.setattr("release.ledger.book.this_process", lambda: dead)
    release = ledger.spend(spend()).line.id
    monkeypatch.undo()
    line = ledger.line(release)
    assert (line.state, line.reason, line.settled) == ("lost", account.ENDED, False)
    ledger.spend(spend("next", "0.1"))  # writes it down
    assert ledger.line(release).settled
    other = replace(liveness.this_process(), boot="another start of the machine")
    assert not liveness.alive(other)
    assert liveness.alive(liveness.this_process())


def test_two_ledgers_made_at_once_are_one(tmp_path):
    first, second = Ledger(tmp_path / "l.db"), Ledger(tmp_path / "l.db")
    assert first.key() == second.key()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["l.db"]
    assert (tmp_path / "l.db").stat().st_mode & 0o077 == 0  # its key is nobody else's business


def test_a_ledger_that_cannot_be_used_is_one_sentence(tmp_path):
    (tmp_path / "x.db").write_bytes(b"this is no database, but long enough to be read as one" * 99)
    with pytest.raises(EquipoiseError, match=r"x\.db cannot be used .* check the file and"):
        Ledger(tmp_path / "x.db").accounts()
    with pytest.raises(EquipoiseError, match="no noise was drawn, nothing was spent"):
        Ledger(tmp_path / "x.db").spend(spend())
    with pytest.raises(EquipoiseError, match="no ledger"):
        Ledger(tmp_path / "y.db", create=False).accounts()
    with pytest.raises(EquipoiseError, match="cannot be used"):
        Ledger(tmp_path / "missing" / "z.db")


# tampering


@pytest.fixture
def spent(ledger):
    for token in ("a", "b", "c"):
        last = ledger.complete(ledger.spend(spend(token, "0.1")).line.id, FILES)
    assert ledger.verify() == Verification(8, last.digest, ())
    return ledger


TAMPERING = {
    "changed": ["UPDATE entries SET text = replace(text, '1/10', '1/90') WHERE number = 3"],
    "deleted": ["DELETE FROM entries WHERE number = 4"],
    "renumbered": [
        "DELETE FROM entries WHERE number = 3",
        "UPDATE entries SET number = number - 1 WHERE number > 3",
    ],
    "swapped": [
        "UPDATE entries SET number = 99 WHERE number = 3",
        "UPDATE entries SET number = 3 WHERE number = 5",
        "UPDATE entries SET number = 5 WHERE number = 99",
    ],
    "cut off": ["DELETE FROM entries WHERE number > 6"],
    "emptied": ["DELETE FROM entries"],
    "garbage": ["UPDATE entries SET text = 'null' WHERE number = 4"],
    "garbage in front": ["UPDATE entries SET text = 'null' WHERE number = 1"],
    "another key": ["UPDATE secret SET key = randomblob(32)"],
    "another head": ["UPDATE head SET digest = 'x'"],
}


@pytest.mark.parametrize("statements", TAMPERING.values(), ids=TAMPERING)
def test_tampering_shows_and_nothing_is_spent_any_more(spent, statements):
    change(spent, *statements)
    told = spent.verify().problems
    assert told and ("key was replaced" in str(told)) == ("secret" in statements[0])
    with pytest.raises(EquipoiseError, match="was changed outside"):
        spent.spend(spend("d", "0.1"))
    with pytest.raises(EquipoiseError, match="was changed outside"):
        spent.accounts()


def test_the_file_refuses_to_change_or_delete_entries(spent):
    connection = sqlite3.connect(spent.path)
    for statement in ("UPDATE entries SET text = ''", "DELETE FROM entries", "DELETE FROM secret"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)
    connection.close()


def test_a_rewritten_ledger_shows_against_a_receipt(spent, tmp_path):
    """The end cut off, the head corrected: the file alone cannot show it, a receipt does."""
    receipts = [line.receipt for line in spent.accounts()[0].lines]
    assert spent.verify(receipts).sound
    last = sqlite3.connect(spent.path).execute("SELECT digest FROM entries WHERE number = 6")
    change(
        spent,
        "DELETE FROM entries WHERE number > 6",
        f"UPDATE head SET number = 6, digest = '{last.fetchone()[0]}'",
    )
    assert spent.verify().sound
    assert "receipt" in spent.verify(receipts).problems[0]
