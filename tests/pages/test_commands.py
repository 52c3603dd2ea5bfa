"""Every command line on a page is one that the shell takes, and says what was set on Allocate."""

import json
import shlex

import pytest

from app import PAGES
from cli import build_parser
from core.options import Options
from pages.ui.kit import words
from tests.pages.conftest import curve

OPTIONS = Options(0.5, (("dysp", 0.25),), (("bronc", 3.0),))


def commands(value):
    """All texts that begin as a command line does, wherever they stand."""
    if isinstance(value, str):
        return [value] if value.startswith("python cli.py ") else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [line for part in parts for line in commands(part)]


SILENT = ("Start", "Data", "Glossary")
"""Pages without a number of the engine."""


@pytest.mark.parametrize("file", [page.file for page in PAGES if page.title not in SILENT])
def test_every_command_line_on_a_page_parses(open_app, file):
    screen = open_app(network="asia", records="200", replicates="10").visit(file)
    session = screen.at.session_state["session"]
    fields = {**vars(session), "options": {"asia": OPTIONS}}
    screen.at.session_state["session"] = type(session)(**fields)
    screen.at.run()
    if file == "teach_lessons":
        screen.at.button(key="lesson_next").click().run()  # its line comes with the answer
    assert not screen.at.exception
    protos = [e.proto for e in screen.at.get("bidi_component")]
    boards = [json.loads(p.json or p.bytes) for p in protos]
    found = [line for board in boards for line in commands(board)]
    found += [c.value for c in screen.at.code if c.value.startswith("python cli.py")]
    assert found
    for line in found:
        build_parser().parse_args(shlex.split(line)[2:])


def test_locks_and_weights_of_odd_names_read_back():
    options = Options(0.0, (("a,b", 0.25), ("c=d", 0.1)), (("e", 3.0),))
    line = shlex.split(f"python cli.py allocate --network asia {words.flags(options)}")
    asked = build_parser().parse_args(line[2:])
    assert (tuple(asked.floors), tuple(asked.weights)) == (options.floors, options.weights)


def test_locks_weights_and_prior_hold_on_every_page(open_app):
    screen = open_app(network="asia", records="200", replicates="10")
    plain = screen.board
    session = screen.at.session_state["session"]
    fields = {**vars(session), "options": {"asia": OPTIONS}}
    screen.at.session_state["session"] = type(session)(**fields)
    screen.at.run()
    assert curve(screen.board["error"], "equipoise")["y"] != curve(plain["error"], "equipoise")["y"]
    said = "1 node locked, at least 25 % of ε; 7 share the rest, 1 weighted, prior 0.5"
    assert said in screen.board["scenario"]
    line = dict(screen.board["graph"]["details"])["Command line"]
    assert "--pseudo-count 0.5 --floors dysp=0.25 --weights bronc=3" in line
