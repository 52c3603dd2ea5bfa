"""What is declared for the browser is what is sent and what its scripts read, key by key."""

import re
from dataclasses import fields
from typing import get_type_hints

import pytest

from pages.ui.graph.drawing import Edge, Node
from pages.ui.kit import messages
from pages.ui.kit.component import FOLDER, NEWEST
from pages.ui.kit.dragging import Knob
from pages.ui.kit.graph_view import worded
from pages.ui.kit.sheet import figure_view, paper_view, table_view
from tests.browser.sheet import WORDS, sheet_data

ARRAYS = {"filter", "find", "findIndex", "forEach", "indexOf", "length", "map"}
TEXTS = {"view.js": ["texts", "view.texts"], "sheet.js": ["v"]}
READ = {
    messages.SheetMessage: {"sheet.js": ["makeSheet/data", "whole"]},
    messages.RoomMessage: {"sheet.js": ["[room, "]},
    messages.FigureView: {**TEXTS, "figure.js": ["chart.data", "data"]},
    messages.Variant: {"figure.js": ["v", "shown"]},
    messages.TableView: {**TEXTS, "table.js": ["makeTable/data", "makeTable/shown.data"]},
    messages.Laid: {"table.js": ["tableRows("]},
    messages.SummaryTable: {"table.js": ["fillTable/data"]},
    messages.PaperView: {"sheet.js": ["v"], "paper.js": ["data"]},
    messages.PanelView: {**TEXTS, "panel.js": ["data"]},
    messages.GraphView: {
        **TEXTS,
        "dag.js": ["data", "graph.data", "data: ", "shownMeasure = (", "neighbour("],
        "edit.js": ["data", "graph.data"],
        "beliefs.js": ["graph.data", "beliefOf = (", "answerRows("],
    },
    messages.Measure: {"dag.js": ["measure", "m"]},
    messages.Believed: {
        "dag.js": ["data.answers"],
        "beliefs.js": ["answers", "graph.data.answers"],
    },
    messages.Belief: {"dag.js": ["belief"], "beliefs.js": ["belief", "inWords = (", "beliefOf("]},
    messages.KnobMessage: {"knob.js": ["whole"]},
    Node: {
        "dag.js": ["n", "spot", "here"],
        "edit.js": ["n", "from"],
        "beliefs.js": ["paintBeliefs/n"],
    },
    Edge: {"dag.js": ["e"], "edit.js": ["edge"]},
}
"""Message -> script -> under which names it is there: ``function/name`` where only one function
calls it so; what ends in a bracket, comma or colon stands before a destructuring."""


def keys(pattern):
    """Names taken out of an object: ``a, b: c, d = 0``."""
    return {re.split(r"[:=]", part)[0].strip() for part in pattern.split(",") if part.strip()}


def read(text, name):
    """Keys of one name that a script reads, by dot or by destructuring."""
    if not re.search(r"\w$", name):
        taken = re.findall(rf"(?<!\w){re.escape(name)}\{{([^{{}}]*)\}}", text)
        taken += re.findall(rf"\{{([^{{}}]*)\}} = {re.escape(name)}", text)
        assert taken, f"{name} takes nothing apart"
        return set().union(*map(keys, taken))
    dotted = set(re.findall(rf"(?<![\w.]){re.escape(name)}\??\.(\w+)", text))
    taken = re.findall(rf"\{{([^{{}}]*)\}} = {re.escape(name)}(?: \?\? \{{\}})?;", text)
    found = set().union(dotted, *map(keys, taken)) - ARRAYS
    assert found, f"nothing is read of {name}"
    return found


def reads(file, name):
    text = re.sub(r"^\s*//.*$", "", (FOLDER / file).read_text(encoding="utf-8"), flags=re.M)
    if "/" in name:
        function, name = name.split("/")
        (text,) = re.findall(rf"^(?:export )?function {function}\(.*?^}}", text, re.M | re.S)
    return read(text, name)


def declared(kind):
    hints = get_type_hints(kind)
    return set(hints) if hasattr(kind, "__required_keys__") else {f.name for f in fields(kind)}


@pytest.mark.parametrize("kind", READ, ids=lambda kind: kind.__name__)
def test_scripts_read_what_is_declared(kind):
    assert set().union(
        *(reads(f, n) for f, names in READ[kind].items() for n in names)
    ) == declared(kind)


def test_every_message_is_compared():
    kinds = {k for k in vars(messages).values() if hasattr(k, "__required_keys__")}
    assert kinds - set(READ) == {messages.Texts}  # part of every view


def test_every_picture_carries_its_moment_alone():
    assert (
        read(NEWEST, "data")
        == {"moment"}
        == reads("sheet.js", "data") - declared(messages.SheetMessage)
    )


def test_the_declared_is_sent():
    message = sheet_data()
    believing = sheet_data(given={"a": "no"})
    graph, figure, panel = message["views"]
    table = {**table_view("t", WORDS, {"a": [1]}, {"a": [1], "b": [2]}), "terms": []}
    summary = figure_view("f", WORDS, {}, {}, (["a"], [["1"]]))["summary"]
    for kind, sent in (
        (messages.SheetMessage, message),
        *((messages.RoomMessage, room) for room in message["rooms"].values()),
        (messages.GraphView, graph),
        (messages.FigureView, figure),
        (messages.PanelView, panel),
        (messages.TableView, table),
        (messages.PaperView, paper_view("p", "title", "html")),
        *((messages.Laid, table[part]) for part in ("table", "kept")),
        (messages.SummaryTable, summary),
        *((messages.Variant, variant) for variant in figure["variants"]),
        *((messages.Measure, {**measure, "marks": []}) for measure in graph["measures"]),
        (messages.Measure, worded("part", "part", ["asked"], [""])),
        (messages.Believed, believing["views"][0]["answers"]),
        *((messages.Belief, belief) for belief in believing["views"][0]["answers"]["nodes"]),
        *((Node, node) for node in graph["nodes"]),
        *((Edge, edge) for edge in graph["edges"]),
        (Knob, message["budget"]),
    ):
        assert set(sent) == declared(kind), kind


def test_the_slider_reads_what_a_knob_has():
    place = declared(messages.KnobMessage) - {"knob"}
    assert reads("slider.js", "data") == declared(Knob) | place


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("data.a; const { b: c, d = 0 } = data;", {"a", "b", "d"}),
        ("chart.data.a; data?.b; data.b.c", {"b"}),
    ],
)
def test_reads_are_found_in_a_script(text, found):
    assert read(text, "data") == found
