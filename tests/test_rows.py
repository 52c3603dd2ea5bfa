"""Which modules see private rows: every access found, and the list in ARCHITECTURE.md."""

import ast
import re

import pytest

from tests.test_architecture import ROOT, imports, modules

LAYERS = ("core", "sources", "release", "commands", "pages")
ROWS = {"dataset", "codes"}
"""Attributes that hold rows; nothing else may be called so."""

PUBLIC = {"variables", "records", "fingerprint"}
"""What may be asked of a dataset without seeing a row of it."""

GETTERS = {"getattr", "attrgetter", "get", "pop"}

HOMONYMS = {("release/dossier/document.py", "published.dataset")}
"""The ledger's name of the data, a text."""


def accesses(text):
    """Every place where an attribute of ``ROWS`` is read, as written."""
    tree = ast.parse(text)
    public = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in PUBLIC
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ROWS and id(node) not in public:
            yield ast.unparse(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in GETTERS:
            named = {a.value for a in node.args if isinstance(a, ast.Constant)}
            if named & ROWS:
                yield ast.unparse(node)
        if isinstance(node, ast.MatchClass) and ROWS & set(node.kwd_attrs):
            yield ast.unparse(node)
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Call)
            and isinstance(node.slice, ast.Constant)
            and node.slice.value in ROWS
        ):
            yield ast.unparse(node)  # vars(...)["codes"]


def seeing():
    """Modules that import the class, or read rows under whatever name."""
    for path in modules(*LAYERS):
        name = str(path.relative_to(ROOT))
        read = [a for a in accesses(path.read_text(encoding="utf-8")) if (name, a) not in HOMONYMS]
        if read or "core.dataset" in imports(path):
            yield name


def listed():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.split("## Who sees private rows")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_rows_are_seen_exactly_where_the_list_says():
    assert len(listed()) == len(set(listed()))
    assert set(seeing()) | {"core/dataset.py"} == set(listed())


def test_no_command_sees_rows():
    assert not [name for name in seeing() if name.startswith("commands/")]


@pytest.mark.parametrize(
    "text",
    [
        "study.dataset",
        "support_of(network, Lookup.of(study.dataset, network.families))",
        "rows.dataset.codes[:, 0]",
        "population.people.codes",
        'getattr(study, "dataset")',
        'vars(people)["codes"]',
        "def f(d):\n  match d:\n    case Dataset(codes=c): pass",
    ],
)
def test_an_access_is_found_however_it_is_written(text):
    assert list(accesses(text))


@pytest.mark.parametrize("text", ["rows.dataset.variables", "study.counts", 'entry["dataset"]'])
def test_public_facts_are_no_rows(text):
    assert not list(accesses(text))
