"""One name for one quantity: written once, and used wherever the quantity is shown."""

import ast
import re
from pathlib import Path

import pytest

from core.study.metrics import METRICS, RISING
from core.study.quantities import QUANTITIES

ROOT = Path(__file__).parent.parent.parent
HOME = ROOT / "core" / "study" / "quantities.py"
NAMELESS = re.compile(
    r"row error|a published row|nine of ten|a row is off|error of a row|"
    r"off by .* in total|single-variable probabilities",
    re.IGNORECASE,
)
"""What sentences said of these quantities without naming which one."""


def sentences(path):
    """Texts that people read: every string but docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    noted = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        told = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if told and id(node) not in noted:
            yield node.value


def test_every_metric_has_one_name_of_its_own():
    assert set(METRICS) <= set(QUANTITIES)
    for word in ("name", "short", "subject", "sentence", "formula"):
        words = [getattr(quantity, word) for quantity in QUANTITIES.values()]
        assert len(set(words)) == len(words), word
    assert {q.key for q in QUANTITIES.values() if q.kind == "share"} == RISING


@pytest.mark.parametrize("layer", ["core", "figures", "release", "commands", "pages"])
def test_no_sentence_speaks_of_a_quantity_without_its_name(layer):
    for path in sorted((ROOT / layer).rglob("*.py")):
        if path != HOME:
            for text in sentences(path):
                assert not NAMELESS.search(text), f"{path.relative_to(ROOT)}: {text!r}"


def test_no_name_is_written_a_second_time():
    names = [q.name for q in QUANTITIES.values()]
    for layer in ("figures", "release", "commands", "pages"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            for text in sentences(path):
                assert not any(name in text for name in names), f"{path}: {text!r}"
