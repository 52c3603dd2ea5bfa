"""Start: the bare address leads to three doors; each opens the right page in the right state."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.kit.entries import PAGES
from pages.ui.start.page import DOORS
from tests.pages.conftest import APP


@pytest.fixture
def start(open_app):
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.run()
    assert not at.exception
    return at


def test_the_bare_address_leads_to_the_doors_and_one_with_a_scenario_to_explore(start, open_app):
    assert start.session_state["page"] == "Start"
    assert [b.label for b in start.main.button] == [door.button for door in DOORS]
    assert open_app(eps="2").at.session_state["page"] == "Explore"


@pytest.mark.parametrize(
    ("door", "title"), [("explore", "Explore"), ("teach", "Lessons"), ("sign", "Data")]
)
def test_a_door_opens_its_page(start, door, title):
    start.button(key=f"door_{door}").click().run()
    assert not start.exception
    assert start.session_state["page"] == title


def test_a_door_works_while_the_address_holds_parameters(open_app):
    screen = open_app(eps="2", network="sachs").visit("start_here")
    screen.at.button(key="door_sign").click().run()
    assert not screen.at.exception
    assert screen.at.session_state["page"] == "Data"
    assert screen.at.session_state["eps"] == 2


def test_every_page_says_first_what_it_answers(open_app):
    screen = open_app(replicates="10")
    for entry in PAGES[1:]:
        screen.visit(entry.file)
        assert entry.answers in [caption.value for caption in screen.at.main.caption]
        assert entry.answers.endswith("?")


def test_what_a_number_means_is_three_sentences(start):
    said = [m.value for m in start.main.markdown if m.value.startswith("- ")]
    assert len(said) == 3


def test_every_view_has_its_sentence_and_a_file_of_its_own(open_app):
    views = open_app(replicates="10").board["views"]
    assert all(view["subtitle"] for view in views)
    files = [view["file"] for view in views]
    assert len(set(files)) == len(files)
