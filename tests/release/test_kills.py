"""Whenever a release is killed: no file without its entry, no entry lost, no overspend."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest

from release.ledger.book import Ledger
from release.publish import tidy
from tests.release.killing import EPSILON, steps_of

ROOT = Path(__file__).parent.parent.parent


def killed(root, kills, together, budget, method):
    command = [sys.executable, "-m", "tests.release.killing", str(root)]
    done = subprocess.run(
        [*command, str(kills), str(together), str(budget), method],
        cwd=ROOT, capture_output=True, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    return json.loads(done.stdout)["exits"]


def checksums(directory):
    return {
        (path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in directory.iterdir()
    }


def check_files(out, lines):
    """Nothing is seen that the ledger does not know, to the last byte."""
    for directory in (path for path in out.iterdir() if not path.name.startswith(".")):
        line = lines[directory.name]
        assert line.state == "complete"
        assert {(f.name, f.sha256) for f in line.files} == checksums(directory)


def check_words(exits, out, tokens):
    """Whoever said that it was done is there; whoever was refused has paid nothing."""
    for token, code in exits.items():
        assert code in (None, 0, 3)
        if code == 0:
            assert tokens[token].state == "complete"
            assert (out / tokens[token].id).is_dir()
        if code == 3:
            assert token not in tokens


def check_left(ledger, out, lines):
    """What a kill left behind is put in place or removed, and nothing is pending."""
    tidy(ledger, out)
    assert not list(out.glob(".*.partial"))
    for line in lines.values():
        assert line.state in ("complete", "lost")
        assert (out / line.id).is_dir() == (line.state == "complete")


@pytest.fixture
def room():
    """A directory in memory where there is one: a kill does not undo what was written anyway."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("together", "budget", "method", "kills"),
    [
        (1, 100, "equipoise", 150),
        (8, 8, "equipoise", 150),
        (1, 100, "privbayes-plus", 60),
        (1, 100, "privbayes-structure", 20),
        (1, 100, "domain", 20),
    ],
)
def test_hundreds_of_releases_killed(room, together, budget, method, kills):
    exits = killed(room, kills, together, budget, method)
    ledger, out = Ledger(room / "ledger.db", create=False), room / "out"
    steps, tried = ([name for _, name in known] for known in steps_of(method))
    assert len(exits) >= kills + 2 * len(steps)
    assert ledger.verify().sound
    (account,) = ledger.accounts()
    lines = {line.id: line for line in account.lines}
    tokens = {line.token: line for line in account.lines}
    assert account.budget == Fraction(budget)
    assert account.spent == len(lines) * EPSILON <= account.budget
    check_files(out, lines)
    check_words(exits, out, tokens)
    check_left(ledger, out, lines)
    assert sum(code is None for code in exits.values()) > kills // 6
    assert {line.state for line in lines.values()} == {"complete", "lost"}
    if together == 1:
        assert exits["before spend"] is None and "before spend" not in tokens
        for name in tried:
            assert exits[f"trial {name}"] is None and f"trial {name}" not in tokens
        for name in ("after spend", "before noise", "after noise", "before write", "after fsync"):
            assert exits[name] is None and tokens[name].state == "lost", name
        if "chosen" in steps:
            assert tokens["before chosen"].state == tokens["after chosen"].state == "lost"
            paid = {part for line in lines.values() for part in [sum(p for _, p in line.parts)]}
            assert paid == {EPSILON}
        for name in ("after complete", "before place", "before rename", "after rename"):
            assert exits[name] is None and tokens[name].state == "complete", name
    else:
        assert 3 in exits.values()
        assert account.remaining == 0
