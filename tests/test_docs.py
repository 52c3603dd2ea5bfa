"""What the documents say is so."""

import re
from pathlib import Path

from cli import build_parser
from core.methods.registry import METHODS
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
        build_parser().parse_args(line.split())


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


def test_the_make_targets_of_the_readme_exist():
    targets = set(re.findall(r"^(\w+):", read("Makefile"), re.MULTILINE))
    named = set(re.findall(r"`make (\w+)`", read("README.md") + read("CONTRIBUTING.md")))
    assert named
    assert named <= targets
