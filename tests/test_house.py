"""House rules about names and texts, held by reading the source."""

import ast
import functools
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("core", "figures", "sources", "release", "commands", "pages")


@functools.cache
def parsed(folder):
    paths = sorted((ROOT / folder).rglob("*.py"))
    return [(p.relative_to(ROOT), ast.parse(p.read_text(encoding="utf-8"))) for p in paths]


def trees(*folders):
    return [pair for folder in folders for pair in parsed(folder)]


def test_a_class_name_has_one_meaning():
    places = defaultdict(list)
    for path, tree in trees(*PRODUCT):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path))
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert not shared


ROLES = {"__init__", "numbers", "page", "views", "words"}
"""Modules named after their part in a room, the same in every room."""

SAME_SUBJECT = {
    "bands": "quantiles, and how they are drawn",
    "domain": "the states of a column: as they are counted, as they are paid for",
    "frontier": "error against what is given away, and how it is drawn",
    "mobility": "generated people, and a question about them",
    "structure": "a learned graph: by pairs of columns, by candidate parents",
    "study": "what is looked at: the records, an estimator",
    "tradeoff": "the attacker's curve, and how it is drawn",
}


def test_a_module_name_has_one_meaning():
    places = defaultdict(list)
    for path, _ in trees("core", "figures", "sources", "release", "pages"):
        if path.stem not in ROLES:
            places[path.stem].append(str(path))
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert set(shared) == set(SAME_SUBJECT), shared


VAGUE = {"found", "here", "made", "now"}


@pytest.mark.parametrize("folder", ["commands", "core", "figures", "pages", "release", "sources"])
def test_a_result_is_named_after_what_it_is(folder):
    for path, tree in trees(folder):
        fields = {  # "members found" is what a field of a curve is, not a result without a name
            id(part.target)
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for part in node.body
            if isinstance(part, ast.AnnAssign)
        }
        for node in ast.walk(tree):
            name = getattr(node, "arg", None) if isinstance(node, ast.arg) else None
            stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            if stored and id(node) not in fields:
                name = node.id
            assert name not in VAGUE, f"{path}:{node.lineno} names something {name}"


ESCAPING = {"literal", "sentence", "written"}
BOXES = {"error", "warning", "info", "success", "toast"}
SHOWING = {*BOXES, "caption", "markdown", "header", "subheader", "title", "write"}


def escaped(node):
    """Whether a text is ours alone, or went through the one function that escapes it."""
    match node:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in ESCAPING
        case ast.JoinedStr(values=parts):
            return all(escaped(part) for part in parts)
        case ast.FormattedValue(value=value, format_spec=form):
            return escaped(value) or form is not None  # a format is a number's
        case ast.IfExp(body=one, orelse=other):
            return escaped(one) and escaped(other)
    return False


def shown(tree):
    """First arguments of what Streamlit shows: in a box, or in any way."""
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr=how), args=[text, *_]):
                if how in SHOWING and base not in modules:
                    yield how, text


def problems(tree):
    """Names that an ``except`` gives to an error."""
    return {n.name for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler) and n.name}


def bare(node, names):
    """Whether one of these names stands in a text as it is."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ESCAPING:
        return False
    if isinstance(node, ast.Name):
        return node.id in names
    return any(bare(child, names) for child in ast.iter_child_nodes(node))


def unescaped(tree):
    names = problems(tree)
    for how, text in shown(tree):
        if (how in BOXES and not escaped(text)) or bare(text, names):
            yield text.lineno


def test_texts_of_files_and_errors_are_shown_as_they_are_written():
    for path, tree in trees("pages"):
        assert not list(unescaped(tree)), path


@pytest.mark.parametrize(
    ("code", "bad"),
    [
        ("st.error(str(problem))", True),
        ("st.error(sentence(str(problem)))", False),
        ("st.info(f'{records:,} records of {name}')", True),
        ("st.info(f'{records:,} records of {literal(name)}')", False),
        ("left.warning(note)", True),
        ("st.caption(said)", False),
        ("try:\n    run()\nexcept E as problem:\n    st.caption(f'Not used: {problem}')", True),
        ("try:\n    run()\nexcept E as problem:\n    st.caption(literal(str(problem)))", False),
    ],
)
def test_an_unescaped_text_is_found(code, bad):
    assert bool(list(unescaped(ast.parse(code)))) is bad


def test_the_makefile_names_tests_that_are_there():
    """A file that moves must not drop out of the runs as if on other processors."""
    named = re.findall(r"tests/[\w/]+(?:\.py)?", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_what_needs_a_browser_and_nothing_else_is_left_to_the_run_with_one():
    """The other run does not look into tests/browser, nor this one beyond its places."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (places,) = re.findall(r"^BROWSER := (.+)$", makefile, re.MULTILINE)
    run = {ROOT / place for place in places.split()}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"pytest\.mark\.browser", text):
            assert run & {path, *path.parents}, path
        if path.parent.name == "browser":
            assert re.search(r"\npytestmark = (\[\s*)?pytest\.mark\.browser", text), path
