"""Whenever a release is killed: no file without its entry, no entry lost, no overspend.

``python -m tests.release.killing`` does the same two thousand times for each way to release.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from release.ledger.book import Ledger
from tests.release.killing import checked, room, steps_of
from tests.release.ways import EPSILON, WAYS

ROOT = Path(__file__).parent.parent.parent
RUN = """
import json, random, sys
from fractions import Fraction
from pathlib import Path
from tests.release.killing import *
place = Path(sys.argv[1])
"""


def ran(code, place):
    """What a process of its own says, from JSON: it forks, and is alone when it does."""
    command = [sys.executable, "-c", f"{RUN}json.dump({code}, sys.stdout)", str(place)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, env=environment)
    return json.loads(done.stdout)


@pytest.fixture
def place():
    with room() as name:
        yield Path(name)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_releases_killed_before_random_lines_and_at_every_step(way, place):
    lines = f"kill_lines(WAYS[{way!r}], 40, random.Random(0))"
    steps = f"kill_steps(WAYS[{way!r}], place, Fraction(100))"
    (states, hit), exits = ran(f"[{lines}, {steps}]", place)
    assert sum(states.values()) == 40 and hit > 30
    assert states["not paid"] and (states.get("lost") or way == "lost")  # which ends soon after
    if way != "lost":  # it does not come to its last steps
        check_steps(WAYS[way], exits, checked(place, exits, 100))


def check_steps(way, exits, account):
    """What a kill at each step leaves."""
    tokens = {line.token: line for line in account.lines}
    steps, tried = ({name for _, name in known} for known in steps_of(way))
    assert set(exits.values()) == {None}
    for token in ("before spend", *(f"trial {name}" for name in tried)):
        assert token in exits and token not in tokens, token
    for name in steps - {"spend", "complete", "place", "rename"}:
        assert tokens[f"before {name}"].state == tokens[f"after {name}"].state == "lost", name
    assert tokens["after spend"].state == tokens["before complete"].state == "lost"
    for name in ("after complete", "before place", "before rename", "after rename"):
        assert tokens[name].state == "complete", name
    if way.chooses:
        assert {sum(part for _, part in line.parts) for line in account.lines} == {EPSILON}


@pytest.mark.slow
def test_releases_killed_while_eight_compete(place):
    exits = ran("kill_together(WAYS['equipoise'], place, Fraction(8), 100, 8)", place)
    account = checked(place, exits, Fraction(8))
    assert sum(code is None for code in exits.values()) > 100 // 6
    assert {line.state for line in account.lines} == {"complete", "lost"}
    assert account.remaining == 0


def test_what_is_looked_for_would_be_found(place):
    """A file without its entry, one that was changed, and words that do not hold."""
    ledger, out = Ledger(place / "ledger.db"), place / "out"
    assert WAYS["equipoise"].once("a", Fraction(1), ledger, out) == 0
    (line,) = checked(place, {"a": 0}, 1).lines
    with pytest.raises(KeyError):
        checked(place, {"a": 0, "b": 0}, 1)
    with pytest.raises(AssertionError, match="a"):
        checked(place, {"a": 4}, 1)
    with pytest.raises(AssertionError):
        checked(place, {"a": 0}, 2)
    (out / "unknown").mkdir()
    with pytest.raises(KeyError):
        checked(place, {"a": 0}, 1)
    (out / "unknown").rmdir()
    (out / line.id / "model.bif").write_bytes(b"")
    with pytest.raises(AssertionError, match=line.id):
        checked(place, {"a": 0}, 1)
