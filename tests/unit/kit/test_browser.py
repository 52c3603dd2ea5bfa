"""The scripts and styles that remain ours, and what they may send."""

import math
import re
from pathlib import Path

import pytest

from figures import palette
from pages.ui.kit import dragging, sheet
from pages.ui.kit.acting import Edit, read_edit
from pages.ui.kit.component import FOLDER, module, style

COMPONENTS = {"sheet": sheet.COMPONENT, "knob": dragging.COMPONENT}
ADDRESS = re.compile(r"http://[^\"`]*")


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
    [
        (1, 1.0),
        (0.05, 0.05),
        (10, 10.0),
        (0.049, None),
        (11, None),
        ("1", None),
        (True, None),
        (math.nan, None),
        (None, None),
    ],
)
def test_only_numbers_of_the_scale_are_read(sent, epsilon):
    assert dragging.EPSILON.read(sent) == epsilon


def test_a_knob_that_is_none_of_ours_is_not_read():
    assert dragging.read_knob({"knob": "rate", "value": 1}) == ("rate", 1.0)
    for sent in ({"knob": "delta", "value": 1}, {"knob": "rate", "value": 2}, 3, None):
        assert dragging.read_knob(sent) is None


def sources(suffix):
    return sorted(FOLDER.glob(f"*.{suffix}"), key=lambda path: path.name)


@pytest.mark.parametrize("name", COMPONENTS)
def test_scripts_share_one_scope_without_clashing(name):
    declared = re.compile(
        r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", re.MULTILINE
    )
    seen: dict[str, str] = {}
    for script in COMPONENTS[name].scripts:
        for word in declared.findall((FOLDER / f"{script}.js").read_text("utf-8")):
            assert word not in seen, f"{word} is declared in {seen.get(word)} and in {script}"
            seen[word] = script


@pytest.mark.parametrize("name", COMPONENTS)
def test_joined_script_is_one_module(name):
    text = module(COMPONENTS[name].scripts, COMPONENTS[name].styles, "")
    assert len(re.findall(r"^export", text, re.MULTILINE)) == 1
    assert not re.search(r"^import\b", text, re.MULTILINE)


@pytest.mark.parametrize("path", sources("js"), ids=lambda path: path.name)
def test_scripts_never_write_markup_or_leave_the_machine(path: Path):
    text = path.read_text("utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "https://", "fetch("):
        assert word not in text
    assert set(ADDRESS.findall(text)) <= {"http://www.w3.org/2000/svg"}
    for line in text.splitlines():
        if not line.lstrip().startswith("//"):
            assert line.count("`") % 2 == 0, "indentation is stripped: a template fits on its line"


def test_little_of_the_screen_is_drawn_by_hand():
    """Charts are plotly's; what is ours may shrink, not grow; scripts have one place."""
    total = 0
    for suffix, most in (("js", 1300), ("css", 700)):
        places = (FOLDER.parents[3] / place for place in ("pages", "release"))
        ours = [path for place in places for path in place.rglob(f"*.{suffix}")]
        lines = sum(len(p.read_text("utf-8").splitlines()) for p in ours)
        assert lines <= most
        total += lines
    assert total <= 2100
    assert {p.parent for p in FOLDER.parents[2].rglob("*.js")} == {FOLDER}


def test_styles_use_the_palette_only():
    text = style(dict.fromkeys(n for c in COMPONENTS.values() for n in c.styles))
    rules = text[text.index("\n") :]
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", rules)
    rooms = {f"{part}-{room}" for part in ("areas", "tracks") for room in ("wide", "middle")}
    tones = {f"{name}-text" for name in palette.PALETTE}
    known = {*palette.PALETTE, *tones, *rooms, "fill", "place"}
    assert {v for v in re.findall(r"var\(--([\w-]+)", rules) if not v.startswith("st-")} <= known


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
