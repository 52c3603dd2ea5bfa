"""Release without a browser: one payment for one click, one account for one dataset."""

import threading
from fractions import Fraction

import pytest

from pages.ui.release import paying as publishing
from pages.ui.release import place as places
from pages.ui.release.paying import confirmed
from release.ledger.book import Ledger
from release.publish import publish
from tests.pages.releasing import (
    confirm,
    everything,
    finding,
    lines,
    overrule,
    page,
    paper,
    published,
    spend_button,
    stated,
    uploaded,
)


@pytest.mark.parametrize(
    ("read", "typed", "said"),
    [
        (False, "1", "Read the dossier"),
        (True, " ", "Type 1"),
        (True, "one", "not a number"),
        (True, "1/0", "not a number"),
        (True, "9" * 400, "not a number"),
        (True, "1e-999999999", "not a number"),
        (True, "0.5", "You typed 0.5, and this release costs 1"),
        (True, "1.0", ""),
        (True, "1,0", ""),
        (True, "1", ""),
    ],
)
def test_the_price_is_typed(read, typed, said):
    found = confirmed(read, typed, Fraction(1))
    assert said in found
    assert bool(found) == bool(said)


def test_one_click_pays_once_and_a_rerun_draws_nothing(open_app, ledger):
    screen = confirm(stated(uploaded(open_app, eps="1"), budget=1.5))
    overrule(screen, "risk")
    published(confirm(screen))
    entries = Ledger(ledger).accounts()[0].lines
    assert [(str(e.epsilon), e.state) for e in entries] == [("1", "complete")]
    assert "Risk is below the thresholds: agreed on 3 May" in entries[0].override
    done = screen.at.session_state["release_outcomes"]
    first = next(iter(done.values()))[0].published
    assert any(f"Released {first.id}" in m.value for m in screen.at.markdown)
    assert {f.name for f in first.files} == {
        "model.bif", "model.json", "dossier.html", "dossier.json", "intervals.json",
        "measurements.json",
        "registry.yaml", "card.md"
    }  # fmt: skip
    for _ in range(2):
        screen.at.run()
    assert len(Ledger(ledger).accounts()[0].lines) == 1
    assert "only 0.5 is left on these data: refused" in finding(screen)
    assert lines(screen)["budget"]["final"]
    assert spend_button(screen).disabled
    assert any("A further one costs ε = 1 again" in c.value for c in screen.at.caption)
    assert not any(b.label.startswith("Spend 0.5") for b in screen.at.button)
    screen.at.number_input(key="eps").set_value(0.5).run()
    assert lines(screen)["budget"]["state"] == "pass"


def test_while_a_release_is_made_there_is_nothing_to_click(open_app, ledger, monkeypatch):
    orders, go = [], threading.Event()

    def slow(order, *rest, **more):
        orders.append(order.token)
        go.wait(20)
        return publish(order, *rest, **more)

    monkeypatch.setattr(publishing, "publish", slow)
    screen = page(open_app)
    confirm(screen)
    spend_button(screen).click().run()
    job = screen.at.session_state["jobs"]["release_publish"]
    assert job.alive
    assert not any(b.label.startswith("Spend ") for b in screen.at.button)
    screen.at.run()
    go.set()
    job.wait(30)
    screen.at.run()
    assert len(orders) == 1
    assert len(next(iter(screen.at.session_state["release_outcomes"].values()))) == 1
    assert not ledger.exists()  # public records: the session's own ledger
    assert lines(screen)["budget"]["number"] == "3 left"


@pytest.mark.slow
def past(screen):
    """Files of past releases that the page offers."""
    keys = [button.proto.id for button in screen.at.get("download_button")]
    return [key.partition("-past-")[2] for key in keys if "-past-" in key]


def test_one_session_sees_nothing_of_another_but_that_a_name_is_taken(open_app, ledger):
    first = overrule(stated(uploaded(open_app, seed=1), name="clinic north"), "risk")
    published(confirm(first))
    other = stated(uploaded(open_app, seed=2), name="clinic south", people="none")
    assert "clinic north" not in everything(other)
    assert lines(other)["budget"]["number"] == "1.5 left"
    stated(other, name="clinic north")
    told = [w.value.replace("\\", "") for w in other.at.warning]
    assert any("belongs to other data" in text for text in told)
    shown = everything(other)
    assert "complete" not in shown and "0.5 left" not in shown
    assert not past(other)
    again = uploaded(open_app, seed=1)
    assert again.at.text_input(key="release_name_known_0").value == "clinic north"
    assert lines(again)["budget"]["number"] == "0.5 left"
    kept = past(again)
    assert kept == past(first) and len(kept) == 8
    (model,) = ledger.parent.glob("releases/*/model.bif")
    model.write_text("changed")
    assert past(again.visit("load_data").visit("review_release")) == [
        name for name in kept if not name.endswith("model.bif")
    ]
    assert any("missing or was changed" in c.value for c in again.at.caption)
    assert not any("Released" in m.value for m in again.at.markdown)


def test_new_data_beside_an_account_wait_for_a_word_about_their_people(open_app, ledger):
    """Nothing names another account; a steward who names it is charged there."""
    first = stated(uploaded(open_app, seed=1, eps="0.2"), name="clinic north")
    assert not [box for box in first.at.selectbox if box.label == "Their people are"]
    published(confirm(first, "0.2"))
    other = confirm(stated(uploaded(open_app, seed=2, eps="0.2"), name="south"), "0.2")
    told = "".join(w.value for w in other.at.warning)
    assert "may know their people" in told and spend_button(other).disabled
    assert "clinic north" not in everything(other)
    stated(other, name="south", people="named")
    assert "no account 'south'" in "".join(w.value for w in other.at.warning)
    stated(other, name="clinic north", people="named")
    assert lines(other)["budget"]["number"] == "1.3 left"
    published(confirm(other, "0.2"))
    (account,) = Ledger(ledger).accounts()
    assert (account.spent, len(account.fingerprints)) == (Fraction(2, 5), 4)
    third = stated(uploaded(open_app, seed=3, eps="0.2"), name="east", people="none")
    assert "had 1 other account" in paper(third)
    published(confirm(third, "0.2"))
    assert [(a.name, a.people, a.apart) for a in Ledger(ledger).accounts()][1] == (
        "east", "none", 1
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["garbage", "directory", "parent is a file"])
def test_a_ledger_that_cannot_be_used_is_one_sentence(open_app, ledger, monkeypatch, kind):
    if kind == "parent is a file":
        ledger.parent.write_text("", encoding="utf-8")
    else:
        ledger.parent.mkdir()
        ledger.mkdir() if kind == "directory" else ledger.write_bytes(b"not a database" * 99)
    screen = confirm(stated(uploaded(open_app, eps="0.2")), "0.2")
    if kind == "parent is a file":  # nothing to read: said when it would be written
        published(screen)
        assert any("cannot hold a ledger" in e.replace("\\", "") for e in screen.errors)
        return
    assert spend_button(screen).disabled
    assert any("ledger" in w.value for w in screen.at.warning)
    assert lines(screen)["budget"]["state"] == "fail"


def test_the_ledger_is_named_by_the_environment_or_lies_in_the_data_directory(
    ledger, monkeypatch, tmp_path
):
    assert places.default_path() == ledger
    monkeypatch.delenv(places.VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert places.default_path() == tmp_path / "equipoise" / "ledger.sqlite"
