"""Reproduce: the table of items, one opened, run again; and the shell's own answer."""

import json

import pytest

from cli import main
from core.reproduce.papers import PAPERS
from pages.ui.reproduce.page import beside, view
from release.reproduced import listed
from tests.wholes import lasting

COUNT = sum(map(len, PAPERS.values()))


@pytest.fixture
def screen(open_app):
    return open_app(network="asia", replicates="10").visit("reproduce_papers")


def opened(screen, key):
    box = screen.at.selectbox(key="reproduce_item")
    box.set_value(place(key))
    screen.at.run()
    assert not screen.at.exception
    return screen


def place(key):
    return next((p, key) for p, items in PAPERS.items() if key in {i.key for i in items})


def test_every_item_is_listed(screen):
    (table,) = screen.at.dataframe
    assert len(table.value) == COUNT
    assert f"{COUNT} items" in "\n".join(m.value for m in screen.at.markdown)


def test_the_page_and_the_shell_agree(screen, capsys):
    """An item run from the page, in the background, is the document that the shell prints."""
    opened(screen, "C2")
    screen.at.button(key="reproduce_again").click().run()
    screen.at.session_state["jobs"]["reproduce"].wait(60)
    screen.at.run()
    kept = screen.at.session_state["reproduce_runs"]["chowdhury", "C2"]
    assert main(["reproduce", "chowdhury", "--item", "C2", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["items"]
    assert lasting(json.loads(json.dumps(kept))) == lasting(told)
    assert told["verdict"] in "\n".join(m.value for m in screen.at.markdown)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody"], "no paper"),
        (["chowdhury", "--item", "Z9"], "no item"),
        (["all", "--item", "C2"], "name the paper"),
        (["--full"], "name the paper"),
        (["chowdhury", "--seed", "-1"], "negative"),
    ],
)
def test_bad_input_gets_one_sentence(words, said, capsys):
    assert main(["reproduce", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.strip().splitlines()) == 1


def test_the_list_names_every_item_with_its_verdict(capsys):
    assert main(["reproduce"]) == 0
    told = capsys.readouterr().out
    for items in PAPERS.values():
        for item in items:
            assert item.title in told


@pytest.mark.parametrize("document", listed("all"), ids=lambda d: d["item"])
def test_a_picture_says_of_its_marks_what_it_draws(document):
    """Diamonds are spoken of where some are drawn, intervals where some have a width."""
    for reading in dict.fromkeys(row["reading"] for row in document["ours"]):
        told = view(document, reading)
        (figure,) = (variant["figure"] for variant in told["variants"])
        widths = figure["data"][0]["error_x"]
        ranged = any(w for side in ("array", "arrayminus") for w in widths[side])
        assert ("diamonds" in told["subtitle"]) == (len(figure["data"]) == 2)
        assert ("intervals" in told["subtitle"]) == ranged
        assert reading in told["subtitle"]


def test_every_printed_number_is_drawn_beside_what_was_measured_for_it():
    for document in listed("all"):
        numbers = [p["what"] for p in document["published"] if not isinstance(p["value"], str)]
        rows = [row["what"] for row in document["ours"]]
        told = beside(document, document["ours"])
        for what in numbers if rows else ():
            assert any(what in row for row in told), (document["item"], what)
