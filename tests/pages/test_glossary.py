"""Glossary: every symbol that any page shows has an entry, and links to it."""

import re

import pytest

from cli import main
from core.study.glossary import GLOSSARY, find
from pages.ui.kit.entries import PAGES

GREEK = re.compile("[\u0370-\u03ff]")
ARITHMETIC = {"Σ"}  # a sum in a formula
SIGNS = {term.symbol for term in GLOSSARY.values() if term.symbol}

WORDS = (
    "Stage I", "neighbours", "replicates", "row error", "leverage", "AUC", "advantage", "power",
    "false alarm", "release", "rehearsal", "study", "plan", "table", "family", "conditional",
    "token", "receipt", "ledger", "pool", "b/N", "C", "R", "θ", "seed", "record",
)  # fmt: skip


def texts(value):
    """Every text inside what a page sends."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def on_screen(at):
    for kind in ("markdown", "caption", "text", "info", "warning", "button", "selectbox",
                 "number_input", "multiselect", "segmented_control", "toggle"):  # fmt: skip
        for element in at.get(kind):
            yield from texts([getattr(element, "value", ""), getattr(element, "label", "")])
            yield from texts(getattr(element, "help", "") or "")
    for element in at.get("bidi_component"):
        yield element.proto.json
        yield element.proto.bytes.decode()


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.title)
def test_every_symbol_on_screen_is_in_the_glossary(open_app, entry):
    screen = open_app(network="figure-one", replicates="10").visit(entry.file)
    shown = "\n".join(on_screen(screen.at))
    assert "ε" in shown
    letters = set(GREEK.findall(shown))
    assert letters - ARITHMETIC <= SIGNS | {"π"}, f"{entry.title} shows a symbol without an entry"


@pytest.mark.parametrize("word", WORDS)
def test_every_word_that_people_asked_about_is_there(word):
    assert find(word)


def test_views_link_to_the_symbols_they_use(open_app):
    board = open_app(replicates="10").board
    assert ["ε, total budget", "epsilon"] in board["graph"]["terms"]
    keys = [key for _, key in board["risk"]["terms"]]
    assert {"mu-risk", "complexity", "auc"} <= set(keys)
    assert set(keys) <= set(GLOSSARY)


def test_the_page_and_the_shell_hold_the_same_words(open_app, capsys):
    at = open_app(replicates="10").visit("read_glossary").at
    assert {s.value for s in at.subheader} == {term.name for term in GLOSSARY.values()}
    assert {s.anchor for s in at.subheader} == set(GLOSSARY)
    assert main(["glossary"]) == 0
    told = capsys.readouterr().out
    shown = {m.value.replace("\\_", "_") for m in at.main.markdown}
    for term in GLOSSARY.values():
        assert term.meaning in told
        assert term.meaning in shown


def test_the_search_leaves_the_entries_that_hold_a_word(open_app):
    at = open_app(replicates="10").visit("read_glossary").at
    at.text_input(key="glossary_search").set_value("leverage").run()
    assert [s.value for s in at.subheader] == ["leverage"]
    at.text_input(key="glossary_search").set_value("nosuch").run()
    assert not at.subheader
    assert "clear the box" in at.info[0].value


def test_the_sidebar_explains_its_controls_with_the_glossarys_sentences(open_app):
    at = open_app(replicates="10").at
    assert at.number_input(key="eps").help == GLOSSARY["epsilon"].meaning
    assert at.number_input(key="replicates").help == GLOSSARY["replicates"].meaning
