import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from pages.ui import board, palette
from pages.ui.assets import FOLDER, script, style
from pages.ui.board import Chosen, Conditional, Edit, Words, read_edit
from pages.ui.epsilon import read_epsilon
from pages.ui.graph.drawing import draw

HOSTILE = "<script>alert(1)</script>"
WORDS = Words("title", "subtitle", "caption", "alt", (("Source", "a paper"),), "file.csv")


def whole_board():
    drawing = draw(["a", HOSTILE], [("a", HOSTILE)])
    quantiles = np.linspace(0.1, 0.7, 7)
    curve = np.tile(quantiles[:, None], (1, 3))
    conditional = Conditional(
        node=HOSTILE,
        parents=("a",),
        states=("no", "yes"),
        settings=[("no",), ("yes",)],
        records=[3, 1_000],
        truth=[[0.2, 0.8], [0.5, 0.5]],
        bands=np.full((7, 2, 2), 0.25),
    )
    return board.assemble(
        1.0,
        [("At ", ""), ("ε = 1", "strong")],
        {
            "graph": board.graph(
                WORDS,
                drawing,
                [board.measure("budget", "budget ε", "epsilon", [0.5, 0.5])],
                Chosen(selected=HOSTILE),
            ),
            "error": board.error(
                WORDS,
                [0.1, 1, 10],
                [board.series("uniform", curve, curve, quantiles, quantiles)],
                node=HOSTILE,
            ),
            "risk": board.risk(
                WORDS,
                [0.001, 1],
                [board.curve("guarantee", "guarantee", [0.002, 1])],
                mark=(0.001, 0.002),
                head=["false alarms", "found"],
                rows=[["1 of 1,000", "2 of 1,000"]],
            ),
            "panel": board.panel(WORDS, conditional, method="uniform"),
        },
    )


def test_board_data_is_strict_json():
    data = json.loads(json.dumps(whole_board(), allow_nan=False))
    assert set(data) == {
        "epsilon", "scenario", "heading", "badge", "finding", "graph", "error", "risk", "panel"
    }
    for view in ("graph", "error", "risk", "panel"):
        assert set(data[view]) >= {"title", "subtitle", "caption", "alt", "details", "file"}


def test_board_data_keeps_what_it_was_given():
    data = whole_board()
    assert data["epsilon"] == 1.0
    assert data["finding"] == [["At ", ""], ["ε = 1", "strong"]]
    assert [n["name"] for n in data["graph"]["nodes"]] == ["a", HOSTILE]
    assert data["graph"]["measures"][0]["values"] == [0.5, 0.5]
    assert data["error"]["series"][0]["hue"] == "uniform"
    assert data["risk"]["mark"] == {"alarm": 0.001, "found": 0.002}
    assert data["panel"]["truth"] == [[0.2, 0.8], [0.5, 0.5]]
    assert data["panel"]["total"] == 2


def test_numbers_keep_five_digits_and_lose_what_json_lacks():
    values = [1 / 3, 123456.0, -2e-9 / 3, 0.0, math.nan, math.inf]
    found = board.measure("error", "row error", "error", values)["values"]
    assert found[:4] == pytest.approx([0.33333, 123460, -6.6667e-10, 0], rel=1e-12)
    assert found[4:] == [None, None]
    assert len(json.dumps(found[0])) == 7


def test_long_conditionals_are_cut_but_counted():
    rows = board.PANEL_ROWS + 7
    ones = np.ones((7, rows, 1))
    long = Conditional("x", ("p",), ("s",), [("s",)] * rows, ones[0, :, 0], ones[0], ones)
    data = board.panel(WORDS, long, method="uniform")
    assert len(data["settings"]) == len(data["truth"]) == len(data["bands"][0]) == board.PANEL_ROWS
    assert data["total"] == rows


@pytest.mark.parametrize(
    ("sent", "edit"),
    [
        ({"op": "add", "parent": "a", "child": "b", "nonce": 1}, Edit("add", "a", "b")),
        ({"op": "remove", "parent": "b", "child": "a"}, Edit("remove", "b", "a")),
        ({"op": "restore", "parent": "", "child": ""}, Edit("restore", "", "")),
        ({"op": "add", "parent": "a", "child": "stranger"}, None),
        ({"op": "drop", "parent": "a", "child": "b"}, None),
        ({"op": "add", "parent": ["a"], "child": "b"}, None),
        ("add", None),
        (None, None),
    ],
)
def test_only_known_edits_are_read(sent, edit):
    assert read_edit(sent, {"a", "b"}) == edit


@pytest.mark.parametrize(
    ("sent", "epsilon"),
    [(1, 1.0), (0.05, 0.05), (10, 10.0), (0.049, None), (11, None), ("1", None), (True, None),
     (math.nan, None), (None, None)],
)
def test_only_numbers_of_the_scale_are_read(sent, epsilon):
    assert read_epsilon(sent) == epsilon


def sources(suffix):
    return sorted((FOLDER / "board").glob(f"*.{suffix}"), key=lambda path: path.name)


def test_scripts_share_one_scope_without_clashing():
    declared = re.compile(r"^(?:export )?(?:const|let|function|class) (\w+)", re.MULTILINE)
    seen: dict[str, str] = {}
    for name in board.SCRIPTS:
        for word in declared.findall((FOLDER / "board" / f"{name}.js").read_text("utf-8")):
            assert word not in seen, f"{word} is declared in {seen.get(word)} and in {name}"
            seen[word] = name


def test_joined_script_is_one_module():
    text = script("board", board.SCRIPTS)
    assert text.count("\n") > 10, "one line would be taken for a path"
    assert len(re.findall(r"^export", text, re.MULTILINE)) == 1
    assert not re.search(r"^import\b", text, re.MULTILINE)


@pytest.mark.parametrize("path", sources("js"), ids=lambda path: path.name)
def test_scripts_never_write_markup_or_leave_the_machine(path: Path):
    text = path.read_text("utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "https://", "fetch("):
        assert word not in text
    assert set(re.findall(r"http://[^\"]*", text)) <= {"http://www.w3.org/2000/svg"}
    assert text.count("\n") < 300
    for line in text.splitlines():
        if not line.lstrip().startswith("//"):
            assert line.count("`") % 2 == 0, "indentation is stripped: a template fits on its line"


def test_styles_use_the_palette_only():
    text = style("board", [*board.STYLES, "epsilon"])
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", text)
    known = {*palette.PALETTE, *(f"{name}-text" for name in palette.PALETTE), "fill"}
    assert {v for v in re.findall(r"var\(--([\w-]+)", text) if not v.startswith("st-")} <= known


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_is_readable_on_its_ground(theme):
    tone = {name: pair[theme] for name, pair in palette.PALETTE.items()}
    written = ["ink", "second", *(n for n in tone if n.endswith("-text"))]
    for name in written:
        assert contrast(tone[name], tone["page"]) >= 4.5, name
    for key in ("budget", "error", "share"):
        for end in ("low", "high"):
            assert contrast(tone["ink"], tone[f"{key}-{end}"]) >= 4.5, (key, end)


def test_methods_without_a_hue_are_drawn_in_ink():
    assert palette.hue("uniform") == "uniform"
    assert palette.hue("something new") == "truth"
