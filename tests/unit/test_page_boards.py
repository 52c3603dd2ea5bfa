"""The scripts and styles of the boards of Allocate, Utility and Undirected."""

import re

import pytest

from pages.ui import allocate_board, palette, undirected_board, utility_board
from pages.ui.assets import FOLDER, script, style

SETS = {
    "allocate": allocate_board.SCRIPTS,
    "utility": utility_board.SCRIPTS,
    "answers": utility_board.ANSWER_SCRIPTS,
    "notes": utility_board.NOTE_SCRIPTS,
    "undirected": undirected_board.SCRIPTS,
}


@pytest.mark.parametrize("name", SETS)
def test_scripts_share_one_scope_without_clashing(name):
    declared = re.compile(r"^(?:export )?(?:const|let|function|class) (\w+)", re.MULTILINE)
    seen: dict[str, str] = {}
    for file in SETS[name]:
        for word in declared.findall((FOLDER / "board" / f"{file}.js").read_text("utf-8")):
            assert word not in seen, f"{word} is declared in {seen.get(word)} and in {file}"
            seen[word] = file


@pytest.mark.parametrize("name", SETS)
def test_joined_script_is_one_module(name):
    text = script("board", SETS[name])
    assert len(re.findall(r"^export", text, re.MULTILINE)) == 1
    assert not re.search(r"^import\b", text, re.MULTILINE)


@pytest.mark.parametrize(
    "board", [allocate_board, utility_board, undirected_board]
)
def test_styles_use_the_palette_only(board):
    text = style("board", board.STYLES)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", text)
    known = {*palette.PALETTE, *(f"{name}-text" for name in palette.PALETTE), "fill", "step"}
    assert {v for v in re.findall(r"var\(--([\w-]+)", text) if not v.startswith("st-")} <= known
