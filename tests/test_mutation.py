"""What the mutation check left of a module is explained, at the lines that the module has now."""

import json
import re

import pytest

from tests.mutation.changes import mutants
from tests.mutation.session import FIGURES, ROOT, file_of
from tests.mutation.watched import WATCHED

KEPT = json.loads(FIGURES.read_text(encoding="utf-8"))
REASONS = FIGURES.with_name("left.md").read_text(encoding="utf-8")


def changes(name):
    """Every change of a module as it is now, as the check says it."""
    file = file_of(name)
    every = mutants(file.read_text(encoding="utf-8"))
    return [f"{file.relative_to(ROOT)}:{mutant.line}: {mutant.what}" for mutant in every]


def reasons(text):
    """Lines of each module of which a row says why their changes change nothing."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        rows = re.findall(r"^\| (`:\d+`.*) \| \S.* \|$", body, flags=re.MULTILINE)
        name = title.strip().removesuffix(".py").replace("/", ".")
        found[name] = {int(line) for row in rows for line in re.findall(r"`:(\d+)`", row)}
    return found


def wrong(name, kept, every, explained):
    """What is wrong with the figures of a module that was tried whole; nothing of any other."""
    if kept["tried"] != len(every):
        return []
    lines = {int(change.split(":")[1]) for change in kept["left"]}
    gone = [
        f"{name} has no such change: {change}" for change in kept["left"] if change not in every
    ]
    missing = [f"{name}:{line} is left without a reason" for line in sorted(lines - explained)]
    idle = [f"{name}:{line} has a reason and nothing left" for line in sorted(explained - lines)]
    return gone + missing + idle


@pytest.mark.parametrize("name", KEPT)
def test_what_is_left_of_a_module_that_was_tried_whole_is_explained(name):
    assert wrong(name, KEPT[name], changes(name), reasons(REASONS).get(name, set())) == []


def test_reasons_are_given_for_modules_that_are_watched():
    assert set(reasons(REASONS)) <= set(WATCHED)


def test_a_change_without_a_reason_a_moved_one_and_an_idle_reason_are_noticed():
    rows = "| change | why |\n|---|---|\n| `:3`, `:14`: x | y |\n| `:5`: x | |\n"
    found = reasons(f"# Left\n\n## a/b.py\n\n{rows}\n## c.d\n\n| `:9`: x becomes `z` | y |\n")
    assert found == {"a.b": {3, 14}, "c.d": {9}}
    every = [f"a/b.py:{line}: 1  ->  2" for line in (3, 5, 14)]
    whole = {"tried": 3, "left": [every[0], every[1], "a/b.py:14: 7  ->  8"]}
    moved, bare = wrong("a.b", whole, every, found["a.b"])
    assert moved.endswith("no such change: a/b.py:14: 7  ->  8") and bare.startswith(
        "a.b:5 is left"
    )
    assert wrong("a.b", {"tried": 3, "left": [every[2]]}, every, {3, 14}) == [
        "a.b:3 has a reason and nothing left"
    ]
    assert wrong("a.b", {"tried": 2, "left": every}, every, set()) == []  # a sample
