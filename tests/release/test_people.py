"""One row more is no new budget: data that the ledger does not know need a word about people."""

import contextlib
import json
import sqlite3
import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.network import Network
from core.privacy import Neighbours
from core.scenario import Scenario
from core.table import Variable
from release.acceptance import Acceptance, Criterion
from release.dossier.document import dossier, dossier_files
from release.ledger.people import RECOGNISED, BudgetError, said_of, whose
from release.order import fingerprints
from release.publish import publish
from release.review.checklist import review
from release.review.facts import Statements
from release.review.request import Request
from release.review.reviewed import reviewed
from sources.study import sampled_study, without_graph
from tests.release.ordering import here, order
from tests.release.paying import rewrite, spend
from tests.release.reviewing import private_study, proposal


def half(study):
    rows = study.dataset.codes[: study.records // 2]
    return replace(study, people=Dataset(study.dataset.variables, rows))


def renamed(study):
    first, *rest = study.dataset.variables
    variables = (Variable("renamed", first.states), *rest)
    parents = tuple(
        tuple("renamed" if name == first.name else name for name in family)
        for family in study.network.parents
    )
    return replace(
        study, network=Network(variables, parents), people=Dataset(variables, study.dataset.codes)
    )


def one_value(study):
    codes = study.dataset.codes.copy()
    codes[0, 0] = 1 - codes[0, 0]
    return replace(study, people=Dataset(study.dataset.variables, codes))


def one_row(study):
    codes = np.concatenate([study.dataset.codes, study.dataset.codes[:1]])
    return replace(study, people=Dataset(study.dataset.variables, codes))


CHANGES = (half, renamed, one_value, one_row)


@pytest.fixture
def ward():
    return private_study()


@pytest.mark.parametrize("change", CHANGES)
def test_changed_data_wait_for_a_statement_and_are_charged_as_it_says(
    change, ward, ledger, tmp_path
):
    publish(order(ward, "one", name="ward 7"), ledger, tmp_path, workers=here())
    changed = change(ward)
    with pytest.raises(EquipoiseError, match=r"may know their people; .*\('ward 7'\)"):
        publish(order(changed, "two", name="ward 8"), ledger, tmp_path, workers=here())
    assert [a.spent for a in ledger.accounts()] == [Fraction(1, 2)]
    joined = publish(
        order(changed, "two", people="ward 7", budget=None), ledger, tmp_path, workers=here()
    )
    assert (joined.account.name, joined.account.spent) == ("ward 7", 1)
    publish(order(changed, "three"), ledger, tmp_path, workers=here())  # known from now on
    assert [(a.name, a.spent) for a in ledger.accounts()] == [("ward 7", Fraction(3, 2))]


def test_nine_changed_copies_are_one_account_unless_somebody_says_otherwise(ward, ledger, tmp_path):
    publish(order(ward, "first"), ledger, tmp_path, workers=here())
    codes = ward.dataset.codes
    for number in range(9):
        cut = replace(ward, people=Dataset(ward.dataset.variables, codes[number + 1 :]))
        with pytest.raises(EquipoiseError, match="may know their people"):
            publish(order(cut, f"click {number}"), ledger, tmp_path, workers=here())
    assert [a.spent for a in ledger.accounts()] == [Fraction(1, 2)]


def test_people_in_no_account_are_recorded_and_printed(ward, ledger, tmp_path):
    publish(order(ward, "one", name="ward 7"), ledger, tmp_path, workers=here())
    other = private_study(records=900)
    paid = publish(
        order(other, "two", name="ward 8", people="none"), ledger, tmp_path, workers=here()
    )
    assert (paid.account.people, paid.account.apart) == ("none", 1)
    found = proposal(other, account=ledger.account((), "ward 8"))
    checklist = review(found)
    text = json.dumps(dossier(found, checklist), ensure_ascii=False)
    assert "nobody in these data is in another account of the ledger, which had 1 other" in text
    assert f"{RECOGNISED}." in text
    assert "ward 7" not in text  # no dossier names another's account
    line = next(one for one in checklist.lines if one.key == "budget")
    assert "equal rows or the same file" in line.sentence
    assert "stated: nobody in them is in another account" in line.sentence
    publish(order(other, "three", people="none"), ledger, tmp_path, workers=here())  # as before


def test_a_first_account_and_made_up_records_need_no_statement(ward, ledger, tmp_path):
    sample = sampled_study("asia", None, records=100, seed=0)
    publish(order(sample, "one"), ledger, tmp_path, workers=here())
    publish(order(ward, "two"), ledger, tmp_path, workers=here())  # nobody is in made-up records
    more = sampled_study("asia", None, records=100, seed=1)
    publish(order(more, "three"), ledger, tmp_path, workers=here())
    assert [(a.name, a.people, a.apart) for a in ledger.accounts()] == [
        ("data 1", "sampled", 0), ("data 2", "", 0), ("data 3", "sampled", 0)
    ]  # fmt: skip


CONTRADICTIONS = {
    "an account that is not there": ({"people": "ward 9"}, "no account 'ward 9'; .*'ward 7'"),
    "a new name for it": ({"people": "ward 7", "name": "ward 8"}, "leave the name out"),
    "none, and its name": ({"people": "none", "name": "ward 7"}, "stated to be in none"),
    "called none": ({"people": "none", "name": "none"}, "give these data another name"),
}


@pytest.mark.parametrize(("said", "answer"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_statements_that_do_not_fit_are_refused(ledger, said, answer):
    ledger.spend(spend(name="ward 7"))
    with pytest.raises(EquipoiseError, match=answer):
        ledger.spend(spend("b", "0.1", fingerprints=("1" * 64,), **said))
    assert len(ledger.accounts()) == 1


@pytest.mark.parametrize("people", ["none", "ward 8"])
def test_what_the_rows_say_counts_more_than_a_statement(ledger, people):
    ledger.spend(spend(name="ward 7"))
    ledger.spend(spend("b", fingerprints=("1" * 64,), name="ward 8", people="none"))
    with pytest.raises(BudgetError, match="are known as 'ward 7', so their people are in"):
        ledger.spend(spend("c", "0.1", people=people))
    ledger.spend(spend("c", "0.1", people="ward 7"))


def test_a_name_without_a_name_says_nothing_of_the_rows(ward, ledger, tmp_path):
    """The dossier prints it; nothing released holds a part of a fingerprint."""
    found = proposal(ward, account=None)

    def papers(published, account):
        whole = replace(found, account=account)
        return dossier_files(dossier(whole, review(whole), published=published, account=account))

    paid = publish(order(ward), ledger, tmp_path, workers=here(), extra=papers)
    assert paid.account.name == "data 1"
    for path in paid.directory.iterdir():
        for mark in (*paid.account.fingerprints, ward.fingerprint):
            assert mark[:8] not in path.read_text()


def test_names_by_number_are_free_and_never_shared(ledger):
    ledger.spend(spend(name="data 2"))
    ledger.spend(spend("b", fingerprints=("1" * 64,), people="none"))
    assert [a.name for a in ledger.accounts()] == ["data 2", "data 3"]
    go = threading.Barrier(6)

    def click(number):
        go.wait(timeout=60)
        ledger.spend(spend(f"c{number}", fingerprints=(f"x{number}",), people="none"))

    clicks = [threading.Thread(target=click, args=(n,)) for n in range(6)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join(timeout=60)
    names = [a.name for a in ledger.accounts()]
    assert sorted(names) == [f"data {n}" for n in range(2, 10)]


def test_what_is_known_of_whose_records_an_account_holds(ledger):
    """Three kinds of accounts, and data that joined one of them."""
    for token, wish in {
        "made up": {"sampled": True},
        "first": {},
        "apart": {"people": "none"},
        "joined": {"people": "data 2", "fingerprints": ("joined",)},
    }.items():
        ledger.spend(spend(token, "0.1", **{"fingerprints": (token,), **wish}))
    sampled, ward, apart = ledger.accounts()
    assert [whose(account).partition("; ")[2] for account in (sampled, apart)] == [
        "made-up records are nobody's", "stated: nobody in them is in another account"
    ]  # fmt: skip
    assert whose(ward).endswith("other data of the same people only where you say so")
    assert [len(said_of(account)) for account in (sampled, ward, apart)] == [1, 2, 2]
    assert said_of(ward)[1].endswith("charged to it (1 release with that statement).")
    assert said_of(apart)[1].endswith("which had 1 other account.")


def test_who_signed_is_in_the_entry_and_nobody_where_nobody_did(ledger):
    for token, name in (("a", "Ana Kim"), ("b", "")):
        ledger.spend(spend(token, signed=name))
    with contextlib.closing(sqlite3.connect(ledger.path)) as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM entries")]
    said = [entry for entry in map(json.loads, texts) if "epsilon" in entry]
    assert [entry.get("signed") for entry in said] == ["Ana Kim", None]


def test_releases_of_more_records_of_one_unit_count_as_they_were(ledger, tmp_path):
    """ε = 1 for a visit, five visits a person: five for the person, however few are kept later."""
    visits = Statements(unit="person", per_unit=5, records=1000, graph="known")
    first = Request(
        study=private_study(), method="equipoise", scenario=Scenario(epsilon=1.0),
        budget=Fraction(9), statements=visits,
    )  # fmt: skip
    found = publish(first.order("a"), ledger, tmp_path, workers=here()).account
    assert (found.spent, found.lines[-1].per_unit) == (1, 5)
    for times, number in ((1, "ε = 5.3"), (5, "ε = 6.5"), (10, "ε = 13")):
        said = replace(visits, per_unit=times)
        asked = proposal(stated=said, account=found, scenario=Scenario(epsilon=0.3))
        (line,) = (line for line in review(asked).lines if line.key == "usual")
        assert line.number == number
    learned = Statements(unit="person", records=1000, graph="private", graph_epsilon=0.5)
    again = replace(first, statements=learned)
    for token, whole in (("c", "ε = 6.5"), ("d", "ε = 7.5")):  # the graph is paid for once
        asked = proposal(stated=learned, account=found, scenario=Scenario(epsilon=1.0))
        (line,) = (line for line in review(asked).lines if line.key == "usual")
        assert line.number == whole
        found = publish(again.order(token), ledger, tmp_path, workers=here()).account
    bounded = replace(private_study(), unit="who", per_unit=3)
    assert replace(first, study=bounded).order("b").per_unit == 3
    rewrite(ledger, 3, per_unit=-4)
    with pytest.raises(EquipoiseError, match="one unit has -4 records"):
        ledger.accounts()


def test_the_number_of_records_is_private_where_a_unit_replaced_may_have_fewer():
    """One of five visits each, replaced by one of a single visit: four records less."""
    said = Statements(unit="person", per_unit=5, graph="known")
    at = Scenario(epsilon=0.1, neighbours=Neighbours.REPLACE)
    asked = Request(study=private_study(records=1234), method="equipoise", scenario=at,
                    statements=said, budget=Fraction(9))  # fmt: skip
    seen = reviewed(asked, None)
    states = {line.key: line.state for line in seen.checklist.lines}
    assert (states["records"], states["unit"]) == ("fail", "fail")
    assert "1,234" not in str(dossier_files(seen.document())["dossier.html"])
    assert not [x for x in seen.document()["unprotected"] if "number of records" in x]
    alone = reviewed(replace(asked, statements=replace(said, per_unit=1)), None)
    assert {line.key: line.state for line in alone.checklist.lines}["records"] == "pass"
    criterion = Acceptance((Criterion(("smoke",), 1, Fraction(1, 10)),), Fraction(1, 10))
    bare = {"study": without_graph(private_study()), "method": "adaptive"}
    for change in ({"acceptance": criterion}, bare | {"statements": replace(said, graph="")}):
        with pytest.raises(EquipoiseError, match="units of several records"):
            replace(asked, **change)
        replace(asked, **change, scenario=Scenario(epsilon=0.1))


def test_a_checklist_that_is_older_than_the_account_pays_for_nothing(ledger, tmp_path):
    """Two reviews at once, each with room up to the usual: together they are above it."""
    first = Request(
        study=private_study(), method="equipoise", scenario=Scenario(epsilon=6.0),
        budget=Fraction(20),
        statements=Statements(unit="person", records=1000, graph="known"),
    )  # fmt: skip
    publish(reviewed(first, None).order("a"), ledger, tmp_path, workers=here())
    account = ledger.account(fingerprints(first.study, ledger))
    asked = [replace(first, scenario=Scenario(epsilon=e)) for e in (3.0, 3.5)]
    two, three = (reviewed(one, account).order(t) for one, t in zip(asked, "bc", strict=True))
    publish(two, ledger, tmp_path, workers=here())
    with pytest.raises(BudgetError, match="has spent ε = 9 by now, and its checklist is of 6"):
        publish(three, ledger, tmp_path, workers=here())
    assert publish(two, ledger, tmp_path, workers=here()).repeated
    again = reviewed(asked[1], ledger.account(account.fingerprints))
    assert "usual" in [line.key for line in again.checklist.open]
