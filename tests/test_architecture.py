"""The house rules, held by a test."""

import ast
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from commands import VERBS

ROOT = Path(__file__).parent.parent
OURS = ("core", "figures", "sources", "release", "commands", "pages", "benchmarks", "tests")
MAY_IMPORT = {
    "core": {"core"},
    "figures": {"core", "figures"},
    "sources": {"core", "sources"},
    "release": {"core", "figures", "sources", "release"},
    "commands": {"core", "figures", "sources", "release", "commands"},
    "pages": {"core", "figures", "sources", "release", "pages"},
}


def modules(*folders):
    return sorted(p for f in folders for p in (ROOT / f).rglob("*.py") if ".venv" not in p.parts)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_imports_follow_the_data(layer):
    for path in modules(layer):
        for name in imports(path):
            top = name.split(".")[0]
            assert top not in OURS or top in MAY_IMPORT[layer], f"{path} imports {name}"


def test_core_imports_numpy_and_the_standard_library_only():
    for path in modules("core"):
        for name in imports(path):
            top = name.split(".")[0]
            known = top in ("core", "numpy") or top in sys.stdlib_module_names
            assert known, f"{path} imports {name}"


def loads(path, known):
    """Modules of ours that importing this one loads; what types alone need is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:  # an import inside a function is made when it is needed
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name in known)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            inside = [f"{node.module}.{a.name}" for a in node.names]
            yield from [m for m in inside if m in known] or [m for m in [node.module] if m in known]


def test_the_import_graph_has_no_cycle():
    layers = ("core", "figures", "sources", "release", "commands", "pages")
    named = {
        ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p
        for p in modules(*layers)
    }
    waiting = {name: set(loads(path, named)) - {name} for name, path in named.items()}
    while waiting:
        free = {name for name, needs in waiting.items() if not needs & set(waiting)}
        assert free, f"these import each other: {sorted(waiting)}"
        for name in free:
            del waiting[name]


def test_release_noise_is_drawn_in_one_place():
    drawing = {
        str(path.relative_to(ROOT))
        for path in modules("core", "sources", "release", "commands", "pages")
        if any(name.split(".")[0] == "opendp" for name in imports(path))
    }
    assert drawing == {"release/worker.py"}


ENGINE = {
    "core.study.experiments": {"rehearsals", "measure"},
    "core.inference.queries": {"answer", "explanations", "marginals", "most_probable", "query"},
    "core.membership.leverage": {"support_of"},
    "core.membership.lookup": {"Lookup"},
    "core.membership.guardrails": {"guardrails"},
}
"""What a page or a command does not do itself: :mod:`core.study` has a function for it."""


@pytest.mark.parametrize("layer", ["commands", "pages"])
def test_doors_ask_and_do_not_compute(layer):
    for path in modules(layer):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                own = {alias.name for alias in node.names} & ENGINE.get(node.module, set())
                assert not own, f"{path} computes with {own}; ask core.study"


def test_commands_know_no_arrays():
    for path in modules("commands"):
        assert "numpy" not in set(imports(path)), path


SHARED = {"__init__", "arguments", "output", "scenario_files", "stating", "values"}


def test_every_verb_is_a_module_that_declares_its_own_arguments():
    assert {p.stem for p in modules("commands")} == {*VERBS, *SHARED}
    for verb in VERBS:
        tree = ast.parse((ROOT / "commands" / f"{verb}.py").read_text(encoding="utf-8"))
        own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert {"add", "run", "show"} <= own, verb


def test_a_verb_is_imported_when_it_is_asked_for():
    code = "import sys, cli; cli.main(['networks']); print(*(m for m in sys.modules), sep='\\n')"
    shell = [sys.executable, "-c", code]
    loaded = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {m for m in loaded.split() if m.startswith("commands.")} == {
        "commands.networks",
        "commands.output",
    }


def test_a_verb_about_records_waits_for_no_library_that_it_does_not_use():
    code = "import sys, cli; cli.main(['describe', '--network', 'asia']); print(*sys.modules)"
    shell = [sys.executable, "-c", code]
    loaded = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"networkx", "pandas", "sklearn", "ibis", "plotly"}.isdisjoint(loaded.split())


def test_files_are_small():
    code = [p for p in modules(*OURS)] + [ROOT / "app.py", ROOT / "cli.py", ROOT / "serve.py"]
    scripts = [p for p in (ROOT / "pages").rglob("*") if p.suffix in (".js", ".css")]
    lengths = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in code + scripts}
    too_long = {str(p): n for p, n in lengths.items() if n > 300}
    assert not too_long
    assert statistics.median(n for n in lengths.values() if n > 3) < 150
    assert lengths[ROOT / "app.py"] <= 60
    assert lengths[ROOT / "cli.py"] <= 80


def test_pages_are_thin_and_their_addresses_differ_from_their_files():
    from app import PAGES

    files = {p.stem for p in (ROOT / "pages").glob("*.py")} - {"__init__"}
    assert files == {entry.file for entry in PAGES}
    for entry in PAGES:
        assert entry.file.count("_") == 1
        assert entry.address == entry.file.replace("_", "-")
        path = ROOT / "pages" / f"{entry.file}.py"
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 100
        assert not {"numpy", "pandas"} & set(imports(path)), "a page computes nothing"


def test_no_shared_cache_can_carry_one_sessions_data_to_another():
    for path in modules("pages"):
        text = path.read_text(encoding="utf-8")
        assert "cache_data" not in text, path
        assert "cache_resource" not in text, path


def test_randomness_is_an_argument():
    for path in modules("core"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for argument, default in zip(
                    node.args.kwonlyargs, node.args.kw_defaults, strict=True
                ):
                    assert argument.arg != "rng" or default is None, f"{path}: {node.name}"
                assert "rng" not in [a.arg for a in node.args.args], f"{path}: {node.name}"
