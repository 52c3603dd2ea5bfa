"""Nothing is lost: a reload, a saved file, a second visitor; and what is in use is named."""

import json
from dataclasses import replace

import pytest
import streamlit

from core.network import Network
from core.options import Options
from pages.ui.data.work_file import read_work, write_work
from pages.ui.kit import returning, visits
from tests.pages.releasing import SCHEMA, letters, lines, overrule, stated, uploaded


@pytest.fixture
def browser(monkeypatch):
    """Says which browser the next screen is in; every session of it is gone when it is asked."""
    monkeypatch.setattr(returning, "SHELF", visits.Shelf())
    monkeypatch.setattr(returning, "PATIENCE", 0.0)
    monkeypatch.setattr(returning, "_active", lambda session: False)
    sessions = iter(range(1000))
    now = {"token": visits.issue(), "session": "0"}
    monkeypatch.setattr(returning, "_token", lambda: now["token"])
    monkeypatch.setattr(returning, "_session", lambda: now["session"])

    def use(token):
        now.update(token=token, session=str(next(sessions)))
        return token

    use(now["token"])
    return use


def worked(open_app):
    """Records uploaded, stated, one lock, one look at the exact rows, one reason."""
    screen = stated(uploaded(open_app, schema=None, eps="0.2"))
    overrule(screen, "domain")
    screen.visit("explore_tradeoff")
    lock = {"your upload": Options(floors=(("first", 0.5),))}
    held = screen.at.session_state["session"]
    screen.at.session_state["session"] = replace(held, options=lock)
    return screen.visit("load_data")


AGAIN = {"eps": "0.2", "network": "your upload", "replicates": "10"}
"""The address after the work above."""


def in_use(screen):
    panel = ("**Your data:** ", "**Data on show:** ")
    (told,) = [letters(m.value) for m in screen.at.markdown if m.value.startswith(panel)]
    return told.partition(":** ")[2]


FILES = (
    "people.csv, e.csv, schema.json: 1,237 records, 2 columns with states read off the records, "
    "1 edge; 1 lock; "
)
WORK = f"{FILES}1 look at the exact rows so far"


def reviewed(screen):
    found = lines(screen.visit("review_release"))
    return {key: (line["state"], line["reason"]) for key, line in found.items()}


def test_a_reload_brings_back_upload_statements_locks_and_looks(open_app, browser):
    mine = visits.issue()
    browser(mine)
    screen = worked(open_app)
    assert in_use(screen) == WORK
    before = reviewed(screen)
    assert before["domain"] == ("fail", "agreed on 3 May (signed: Ana Kim)")
    assert before["rehearsed"][0] == "fail"

    browser(visits.issue())
    other = open_app(**AGAIN).visit("load_data")
    assert "asia, a sample network" in in_use(other)
    assert "people.csv" not in str(other.at.session_state)
    assert any("not in this server's memory" in w.value for w in other.at.warning)

    browser(mine)
    again = open_app(**AGAIN).visit("load_data")
    assert in_use(again) == WORK
    assert reviewed(again) == before


def test_a_look_is_one_distinct_question(open_app, browser):
    """The lock was set without a look: Explore with it asks another question, and asks it once."""
    mine = browser(visits.issue())
    worked(open_app)
    for _ in range(2):
        browser(mine)
        again = open_app(**AGAIN).visit("explore_tradeoff").visit("load_data")
        assert in_use(again) == f"{FILES}2 looks at the exact rows so far"
    held = again.at.session_state["session"]
    graph = Network(held.upload.network.variables, ((), ()))
    again.at.session_state["session"] = replace(held, edits={"your upload": graph})
    again.visit("explore_tradeoff").visit("load_data")
    assert in_use(again).endswith("0 edges, edited; 1 lock; 3 looks at the exact rows so far")


def test_a_file_that_is_read_in_another_way_was_looked_at_before(open_app, browser):
    """One more state in the schema, which no record has: other rows, and the same people."""
    browser(visits.issue())
    screen = uploaded(open_app, eps="0.2").visit("explore_tradeoff").visit("load_data")
    assert in_use(screen).endswith("1 look at the exact rows so far")
    more = json.loads(SCHEMA[1])
    more["columns"][0]["states"].append("zq-perhaps")
    screen.upload(schema_file=("more.json", json.dumps(more)))
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    assert "more.json" in in_use(screen)
    assert in_use(screen).endswith("1 look at the exact rows so far")
    assert reviewed(screen)["rehearsed"][0] == "fail"


def test_a_bare_address_shows_what_was_on_show(open_app, browser):
    mine = browser(visits.issue())
    worked(open_app)
    browser(mine)
    again = open_app().visit("load_data")
    assert again.at.selectbox(key="network").value == "your upload"
    assert in_use(again).startswith(FILES)
    browser(mine)
    link = open_app(network="figure-one").visit("load_data")
    assert link.at.selectbox(key="network").value == "figure-one"
    assert in_use(link).startswith(FILES)


def test_what_is_forgotten_is_gone_and_its_looks_are_not(open_app, browser):
    mine = browser(visits.issue())
    screen = worked(open_app)
    screen.at.button(key="forget_work").click().run()
    assert not screen.at.exception
    assert "a sample network" in in_use(screen)
    assert not returning.SHELF.waiting(mine)
    again = uploaded(open_app, schema=None, eps="0.2").visit("load_data")
    assert "1 look at the exact rows" in in_use(again)


@pytest.fixture
def offered(monkeypatch):
    """The files that Save my work would write, newest last."""
    kept, original = [], streamlit.download_button

    def spy(label, data, *rest, **more):
        if more.get("key") == "save_work":
            kept.append(data())
        return original(label, data, *rest, **more)

    monkeypatch.setattr(streamlit, "download_button", spy)
    return kept


def test_saved_work_opened_elsewhere_is_the_same(open_app, browser, offered):
    browser(visits.issue())
    screen = worked(open_app)
    before = reviewed(screen)
    screen.visit("load_data")
    saved = offered[-1]
    browser(visits.issue())
    fresh = open_app(network="figure-one", records="100", replicates="10").visit("load_data")
    fresh.upload(work_file=("w.zip", saved))
    fresh.at.button(key="open_work").click().run()
    assert fresh.errors == [] and in_use(fresh) == WORK
    assert fresh.at.number_input(key="eps").value == 0.2
    assert reviewed(fresh) == before
    fresh.visit("load_data")
    assert read_work("w.zip", offered[-1]) == read_work("w.zip", saved)
    fresh.upload(work_file=("w.zip", saved))
    fresh.at.button(key="open_work").click().run()
    assert in_use(fresh) == WORK  # opened twice, looked at once


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_graph_learned_on_synthesise_is_saved_as_what_it_is(open_app, browser, offered, schema):
    browser(visits.issue())
    screen = uploaded(open_app, schema=schema, eps="3").visit("synthesise_data")
    next(b for b in screen.at.button if b.label == "Use this structure").click().run()
    screen.visit("load_data")
    told, held = in_use(screen), screen.at.session_state["session"].upload
    assert held.graph == "rehearsed" and held.spent > 0
    browser(visits.issue())
    fresh = open_app(network="figure-one", records="100", replicates="10").visit("load_data")
    fresh.upload(work_file=("w.zip", offered[-1]))
    fresh.at.button(key="open_work").click().run()
    assert fresh.errors == [] and in_use(fresh) == told
    back = fresh.at.session_state["session"].upload
    for fact in ("graph", "spent", "network", "inferred", "fingerprint", "sampled", "source"):
        assert getattr(back, fact) == getattr(held, fact)
    assert lines(fresh.visit("review_release"))["structure"]["state"] == "fail"


def test_a_draft_comes_back_and_known_tables_are_saved(open_app, browser, offered):
    mine = browser(visits.issue())
    graph = ("pair.json", json.dumps({"variables": [
        {"name": "first", "states": ["zq-no", "zq-yes"], "conditional": [[0.5, 0.5]]},
        {"name": "second", "states": ["zq-no", "zq-yes"], "parents": ["first"],
         "conditional": [[1, 0], [0, 1]]},
    ]}))  # fmt: skip
    screen = uploaded(open_app, schema=None, graph=graph).visit("load_data")
    screen.at.multiselect(key="known_your upload").set_value(["second"]).run()
    assert screen.errors == [] and read_work("w.zip", offered[-1]).known == ("second",)
    browser(mine)
    again = open_app(**AGAIN).visit("load_data")
    assert again.at.session_state["data_draft"].data[0] == "people.csv"
    assert again.at.multiselect(key="known_your upload").value == ["second"]
    browser(visits.issue())
    fresh = open_app(network="figure-one", records="100", replicates="10").visit("load_data")
    fresh.upload(work_file=("w.zip", offered[-1]))
    fresh.at.button(key="open_work").click().run()
    (known,) = fresh.at.session_state["session"].options["your upload"].known
    assert known.name == "second" and "people.csv" in in_use(fresh)


def test_a_file_that_is_no_saved_work_changes_nothing(open_app, browser, offered):
    browser(visits.issue())
    screen = worked(open_app)
    strange = replace(read_work("w.zip", offered[-1]), stated={"most": 1e9})
    for data, said in (
        (b"PK", "no work that was saved"),
        (write_work(strange), "statement 'most'"),
    ):
        screen.upload(work_file=("w.zip", data))
        screen.at.button(key="open_work").click().run()
        (refused,) = screen.errors
        assert said in letters(refused)
        assert in_use(screen) == WORK


def test_without_a_cookie_the_page_says_what_a_reload_loses(open_app, browser, monkeypatch):
    monkeypatch.setattr(returning, "_token", lambda: "")
    screen = worked(open_app)
    assert any("A reload loses it" in c.value for c in screen.at.caption)


def test_what_is_not_kept_is_said_before_it_is_gone(open_app, browser, monkeypatch):
    monkeypatch.setattr(visits, "LARGEST", 10)
    screen = worked(open_app)
    assert any("has no room to keep it" in c.value for c in screen.at.caption)
    links = [link.proto.label for link in screen.at.get("page_link")]
    assert links.index("Rehearse on a stand-in, on Release") < links.index(
        "Explore the exact rows (counted)"
    )


def test_thresholds_and_criteria_are_saved_too(open_app, browser, offered):
    """They were left out: opened again, a release was reviewed by other limits than were set."""
    browser(visits.issue())
    screen = stated(uploaded(open_app, schema=None, eps="0.2"))
    screen.at.number_input(key="release_group_0").set_value(5.0)
    screen.at.number_input(key="release_group_error_0").set_value(70.0)
    screen.at.number_input(key="release_accept_epsilon_0").set_value(0.25)
    screen.at.text_area(key="release_accept_0").set_value("1:all<=0.5").run()
    before = lines(screen)
    assert "70 %" in before["groups"]["sentence"] and "ε = 0.25" in before["accepted"]["number"]
    screen.visit("load_data")
    browser(visits.issue())
    fresh = open_app(network="figure-one", records="100", replicates="10").visit("load_data")
    fresh.upload(work_file=("w.zip", offered[-1]))
    fresh.at.button(key="open_work").click().run()
    assert lines(fresh.visit("review_release")) == before
