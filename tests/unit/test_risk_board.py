"""The board of Risk: its scripts join, its styles keep to the palette, its tones are readable."""

import re

from pages.ui import palette, risk_board
from pages.ui.assets import FOLDER, script, style


def test_scripts_share_one_scope_without_clashing():
    declared = re.compile(r"^(?:export )?(?:const|let|function|class) (\w+)", re.MULTILINE)
    seen = {}
    for name in risk_board.SCRIPTS:
        for word in declared.findall((FOLDER / "board" / f"{name}.js").read_text("utf-8")):
            assert word not in seen, f"{word} is declared in {seen.get(word)} and in {name}"
            seen[word] = name


def test_every_import_is_among_the_joined_scripts():
    for name in risk_board.SCRIPTS:
        text = (FOLDER / "board" / f"{name}.js").read_text("utf-8")
        for needed in re.findall(r'from "\./(\w+)\.js"', text):
            assert needed in risk_board.SCRIPTS, f"{name} needs {needed}"


def test_joined_script_is_one_module():
    text = script("board", risk_board.SCRIPTS)
    assert len(re.findall(r"^export", text, re.MULTILINE)) == 1
    assert not re.search(r"^import\b", text, re.MULTILINE)


def test_styles_use_the_palette_only():
    text = style("board", risk_board.STYLES)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", text)
    known = {*palette.PALETTE, *(f"{name}-text" for name in palette.PALETTE), "fill"}
    assert {v for v in re.findall(r"var\(--([\w-]+)", text) if not v.startswith("st-")} <= known


def test_cells_pass_at_their_threshold():
    assert risk_board.cell(0.004, 0.004)["passes"] is True
    assert risk_board.cell(0.0041, 0.004)["passes"] is False


def test_only_numbers_of_pools_on_offer_are_taken_from_the_browser():
    assert risk_board.read_pools(20) == 20
    for sent in (21, "20", True, None, [20]):
        assert risk_board.read_pools(sent) is None
