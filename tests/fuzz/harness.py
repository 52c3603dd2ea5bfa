"""One input at a time, watched: what it does to a door, and what is wrong with that."""

import os
import random
import re
import sys
import time
import traceback
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile

from core.errors import EquipoiseError
from tests.fuzz.mutators import damage_bytes

ROOT = Path(__file__).parent.parent.parent
SECONDS = 2.0
MEGABYTES = 500
LETTERS = 700
"""Most of a refusal: more than one sentence takes."""

REPEATED = 100
"""Most of an input that a refusal repeats in a row: a cell's value is cut long before."""

MARK = re.compile(r"zq\d+")
"""What the cells of marked seeds hold, each its own: a refusal names one cell at most."""

WAIT = 60
"""Wall seconds without an answer after which a worker is ended."""

TRACED = 12
"""Every so many inputs the lines that they reach are noted."""


@dataclass(frozen=True)
class Door:
    """Where an input comes in; ``enter`` raises our refusal or returns."""

    name: str
    seeds: tuple[bytes, ...]
    damage: object
    enter: object


@dataclass
class Tally:
    """What came of the inputs of one door; lines are those of our own modules."""

    tried: int = 0
    taken: int = 0
    refused: int = 0
    slowest: float = 0.0
    grown: float = 0.0
    problems: list[tuple[str, bytes]] = field(default_factory=list)
    lines: set[tuple[str, int]] = field(default_factory=set)

    def add(self, other):
        self.tried += other.tried
        self.taken += other.taken
        self.refused += other.refused
        self.slowest = max(self.slowest, other.slowest)
        self.grown = max(self.grown, other.grown)
        self.problems += other.problems
        self.lines |= other.lines


def megabytes(name="VmHWM"):
    """The most that this process has held since :func:`forget_peak`, or what it holds (VmRSS)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not tell what a process holds")


def forget_peak():
    """Measure anew: else an input is measured against the largest before it, and hides behind."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def judged(door, data):
    """What is wrong with how a door takes an input, and whether it was refused; "" for nothing."""
    forget_peak()
    began, before = time.process_time(), megabytes("VmRSS")
    problem, refused = "", False
    try:
        door.enter(data)
    except EquipoiseError as refusal:
        refused, problem = True, wrong_words(str(refusal), data)
    except BaseException as fault:  # whatever else it is
        if isinstance(fault, KeyboardInterrupt):
            raise
        last = traceback.extract_tb(fault.__traceback__)
        ours = [one for one in last if str(ROOT) in one.filename and "/.venv/" not in one.filename]
        at = (ours or last)[-1]
        problem = f"{type(fault).__name__} at {Path(at.filename).name}:{at.lineno}: {fault}"[:200]
    took, more = time.process_time() - began, megabytes() - before
    if not problem and took > SECONDS:
        problem = "slow: more than 2 s"
    if not problem and more > MEGABYTES:
        problem = "large: more than 500 MB"
    return problem, refused, took, more


def wrong_words(said, data):
    """Whether a refusal is anything but one sentence about one cell."""
    if not said.strip():
        return "refusal without words"
    if len(said.splitlines()) > 1 or not said.isprintable():
        return f"refusal of several lines or of signs nobody sees: {said[:80]!r}"
    if len(said) > LETTERS:
        return f"refusal of {len(said)} letters: {said[:80]!r}"
    if len(set(MARK.findall(said))) > 1:
        return f"refusal names several cells: {said[:80]!r}"
    held = data.decode("utf-8", "replace")
    for at in range(0, len(said) - REPEATED, 10):
        if said[at : at + REPEATED] in held:
            return f"refusal repeats the input: {said[:80]!r}"
    return ""


def fuzzed(door, first, count, seed):
    """So many damaged inputs from number ``first`` on; the same ones for the same seed."""
    tally, corpus = Tally(), list(door.seeds)
    rng = random.Random(f"{seed} {door.name} {first}")
    for number in range(first, first + count):
        data = corpus[number % len(corpus)] if number < len(door.seeds) else None
        if data is None:
            data = rng.choice(door.seeds if rng.random() < 0.4 else corpus)
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                data = _damaged(door, data, rng, corpus)[:200_000]
        yield number, data, tally
        reached = set()
        if number % TRACED == 0:
            sys.settrace(_tracer(reached))
        problem, refused, took, more = judged(door, data)
        sys.settrace(None)
        if not problem and reached - tally.lines and len(corpus) < 400:
            corpus.append(data)
        if number % TRACED == 0 and problem.startswith("slow"):
            problem = ""  # being watched is what took the time
        tally.lines |= reached
        tally.tried += 1
        tally.refused += refused and not problem
        tally.taken += not refused and not problem
        tally.slowest, tally.grown = max(tally.slowest, took), max(tally.grown, more)
        if problem:
            tally.problems.append((problem, data))
    yield None, b"", tally


def _damaged(door, data, rng, corpus):
    """By what the format means, or where nothing of it is left byte by byte."""
    try:
        return door.damage(data, rng, corpus)
    except (ValueError, RuntimeError, LookupError, OSError, EOFError, zlib.error, BadZipFile):
        return damage_bytes(data, rng, corpus)


def _tracer(reached):
    root, without = f"{ROOT}{os.sep}", (f"{ROOT}{os.sep}tests", f"{ROOT}{os.sep}.venv")

    def local(frame, event, _):
        if event == "line":
            reached.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def entered(frame, _event, _argument):
        file = frame.f_code.co_filename
        return local if file.startswith(root) and not file.startswith(without) else None

    return entered


def coverage(lines):
    """Lines reached of those that the functions they are in have."""
    functions = {}
    for file in {file for file, _ in lines}:
        waiting = [compile(Path(file).read_text(encoding="utf-8"), file, "exec")]
        for code in waiting:
            waiting += [one for one in code.co_consts if hasattr(one, "co_lines")]
            own = {number for *_, number in code.co_lines() if number} - {code.co_firstlineno}
            functions[file, code.co_firstlineno, code.co_name] = own
    there = set()
    for (file, *_), own in functions.items():
        inside = {(file, number) for number in own}
        if inside & lines:
            there |= inside
    return len(lines & there), len(there)


def sorts(problems):
    """How often each sort of problem came up, the first input of each with it."""
    counts, firsts = Counter(), {}
    for said, data in problems:
        sort = said.split(": ")[0] if not said.startswith("refusal") else said[:40]
        counts[sort] += 1
        firsts.setdefault(sort, (said, data))
    return [(counts[sort], *firsts[sort]) for sort in counts]
