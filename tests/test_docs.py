"""What the documents say is so."""

import contextlib
import importlib
import io
import re
import shlex
from pathlib import Path

from cli import build_parser
from core.methods.registry import METHODS
from docs.imports import PLACE, diagram
from examples import choose_epsilon
from sources.networks import sample, sample_names

ROOT = Path(__file__).parent.parent


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_method_is_in_the_readme():
    for name in METHODS:
        assert f"`{name}`" in read("README.md")


def test_every_command_in_the_readme_parses():
    lines = re.findall(r"^(?:\.venv/bin/)?python cli\.py (.+)$", read("README.md"), re.MULTILINE)
    assert lines
    for line in lines:
        build_parser().parse_args(shlex.split(line))


def test_every_picture_in_the_readme_is_there():
    pictures = re.findall(r"\((docs/[^)]+\.png)\)", read("README.md"))
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).stat().st_size > 10_000


def test_every_sample_network_names_its_source_and_size():
    text = read("sample_networks/README.md")
    for name in sample_names():
        network = sample(name).network
        assert name in text
        assert str(network.complexity) in text


def test_every_command_beside_the_product_can_be_imported():
    """Nothing else runs all of them."""
    for room in ("docs", "benchmarks", "examples"):
        for path in (ROOT / room).glob("[!_]*.py"):
            importlib.import_module(f"{room}.{path.stem}")


def test_the_make_targets_of_the_readme_exist():
    targets = set(re.findall(r"^(\w+):", read("Makefile"), re.MULTILINE))
    named = set(re.findall(r"`make (\w+)`", read("README.md") + read("CONTRIBUTING.md")))
    assert named
    assert named <= targets


DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *(
    str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))))  # fmt: skip


LAYERS = "core|sources|release|figures|commands|pages|tests|docs"


def test_every_module_that_a_document_names_is_there():
    for document in DOCUMENTS:
        named = re.findall(rf"`((?:{LAYERS})/[a-z_/]*(?:\.py)?)`", read(document))
        missing = [name for name in named if not (ROOT / name).exists() and "two_words" not in name]
        assert not missing, document


def test_every_link_in_a_document_leads_somewhere():
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", read(document)):
            assert ((ROOT / document).parent / target).exists(), f"{document}: {target}"


def test_the_import_diagram_is_the_one_that_the_command_draws():
    (drawn,) = PLACE.findall(read("ARCHITECTURE.md"))
    assert drawn == diagram(), "python -m docs.imports --write"


def test_the_architecture_fits_two_pages():
    text = PLACE.sub("", read("ARCHITECTURE.md"))
    assert len(text.split()) <= 1300


def test_the_python_of_the_readme_runs_and_says_what_it_measured():
    (code,) = re.findall(r"```python\n(.*?)```", read("README.md"), re.DOTALL)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    off = dict(re.findall(r"(\w+): a row is off by ([\d.]+)", said.getvalue()))
    assert 0 < float(off["equipoise"]) < float(off["uniform"]) < 2


def test_the_example_needs_less_for_the_better_method(capsys):
    choose_epsilon.main()
    needed = dict(re.findall(r"(\w+): ε = ([\d.]+)", capsys.readouterr().out))
    assert 0 < float(needed["equipoise"]) < float(needed["uniform"])


def test_the_forge_runs_the_two_commands():
    steps = read(".github/workflows/test.yml")
    assert "make app" in steps
    assert "run: make test" in steps


def test_the_citation_names_this_version():
    assert (
        re.search(r'^version = "(.+)"$', read("pyproject.toml"), re.MULTILINE)[1]
        == re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)[1]
    )
