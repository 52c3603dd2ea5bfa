"""A ledger written before orders and people were kept: it is read, and spends as it did.

``old_ledger.sql`` was written by Equipoise at commit 4300082: two accounts, one release complete,
one lost with a learned graph, one left pending by a process that has ended.
"""

import sqlite3
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from core.errors import EquipoiseError
from release.ledger.book import Ledger
from tests.release.paying import rewrite, spend

OLD = Path(__file__).with_name("old_ledger.sql")
WARD = {"fingerprints": ("f" * 64,), "budget": Fraction(2)}


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(OLD.read_text(encoding="utf-8"))
    connection.close()
    return Ledger(path, create=False)


def test_every_account_of_an_old_ledger_is_read(old):
    assert old.verify().sound
    ward, other = old.accounts()
    assert (ward.name, ward.spent, ward.remaining) == ("ward 7", Fraction("0.8"), Fraction("1.2"))
    assert [line.state for line in ward.lines] == ["complete", "complete", "lost"]
    assert (other.lines[0].state, other.remaining) == ("lost", Fraction("1.5"))
    assert {a.people for a in old.accounts()} == {""}


def test_known_data_are_charged_further_and_new_ones_need_a_statement(old):
    paid = old.spend(spend("new", "0.2", **WARD))
    assert (paid.account.name, paid.account.remaining) == ("ward 7", 1)
    unknown = spend("newer", "0.2", fingerprints=("2" * 64,))
    with pytest.raises(EquipoiseError, match="'ward 7', 'data 11111111'"):
        old.spend(unknown)
    opened = old.spend(replace(unknown, people="none"))
    assert (opened.account.name, opened.account.apart) == ("data 3", 2)
    assert old.verify().sound


def test_a_token_whose_order_was_not_kept_is_refused_and_costs_nothing(old):
    with pytest.raises(EquipoiseError, match="before the ledger kept whole orders"):
        old.spend(spend("monday", "0.4", **WARD))
    assert old.accounts()[0].remaining == Fraction("1.2")


def test_a_refund_booked_by_an_old_version_is_named(old):
    """The entry is as it was written, and no budget is believed that it gave back."""
    rewrite(old, 5, epsilon="-4999/10000")
    assert "entry 5: ε of a structure is -4999/10000" in old.verify().problems[0]
    with pytest.raises(EquipoiseError, match="holds what none may"):
        old.spend(spend("new", "0.2", **WARD))
