"""Tests that are loaded once and run against one change after the other."""

import ast
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mutation.transplant import transplant

ROOT = Path(__file__).parent.parent.parent
FIGURES = Path(__file__).parent / "figures.json"
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow and not browser")
LOADED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
APART = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".hypothesis", ".*_cache")
SLACK = 20
"""Seconds that a test of a change may take beyond five times its usual ones."""

MEMORY = 4 * 2**30
"""Bytes of its own that a changed program may take; one that never ends could ask for all."""

LONG = "takes too long"


@dataclass(frozen=True)
class Tried:
    """A change, and the test that noticed it, if one did."""

    said: str
    noticed: bool
    by: str = ""


def bounded():
    """Bound the memory of this process."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def file_of(name):
    return ROOT / Path(*name.split(".")).with_suffix(".py")


class Session:
    """Runs the tests once as they are, then those that run a changed line."""

    def __init__(self, watched, use):
        self.watched, self.use = watched, use
        self.names = {str(file_of(name)): name for name in watched}
        self.lines = defaultdict(set)
        self.seconds, self.failed, self.problem = {}, "", ""

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_runtestloop(self, session):
        self.items = {item.nodeid: item for item in session.items}
        threading.settrace(self.entered)
        sys.settrace(self.entered)
        self.run(session.items, timed=True)
        sys.settrace(None)
        threading.settrace(None)
        if self.failed:
            self.problem = f"{self.failed} fails as it is; mend it first"
            return True
        if again := self.forked([*self.items]):
            self.problem = f"{again} where nothing is changed, run again; mend it first"
            return True
        with tempfile.TemporaryDirectory(prefix="changed-") as place:
            self.copy = Path(place) / "program"
            self.use(self.attempt)
        return True

    def entered(self, frame, *_):
        return self.line if frame.f_code.co_filename in self.names else None

    def line(self, frame, *_):
        self.lines[frame.f_code.co_filename, frame.f_lineno].add(self.now)
        return self.line

    def run(self, items, *, timed=False):
        for item, after in zip(items, [*items[1:], None], strict=True):
            self.now, began = item.nodeid, time.monotonic()
            if not timed:
                signal.alarm(self.limit([item.nodeid]))
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            if timed:
                self.seconds[item.nodeid] = time.monotonic() - began
            if self.failed:
                return

    def covering(self, name, mutant):
        """Tests of a module that run the line, the quickest first."""
        where, own = str(file_of(name)), tuple(self.watched[name])
        lines = mutant.lines or [line for file, line in self.lines if file == where]
        found = set().union(*(self.lines.get((where, line), ()) for line in lines))
        return sorted((i for i in found if i.startswith(own)), key=self.seconds.__getitem__)

    def attempt(self, name, mutant):
        """Whether a test notices a change, and which."""
        said = f"{file_of(name).relative_to(ROOT)}:{mutant.line}: {mutant.what}"
        tests = self.covering(name, mutant)
        if tests and (by := self.forked(tests, name, mutant)):
            return Tried(said, True, by)
        if not tests or mutant.lines is None:  # what is run once may be read by any of them
            tests = [i for i in self.items if i.startswith(tuple(self.watched[name]))]
        return Tried(said, *self.copied(name, mutant, tests))

    def limit(self, tests):
        return SLACK + int(5 * sum(self.seconds[test] for test in tests))

    def forked(self, tests, name="", mutant=None):
        """The test that fails in a process of its own, or that one takes too long there."""
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.setsid()
                bounded()
                signal.alarm(SLACK)
                try:
                    if mutant:
                        transplant(name, mutant.tree)
                    self.run([self.items[test] for test in tests])
                except BaseException as problem:  # noqa: BLE001 - whatever a change does
                    self.failed = self.failed or f"loading: {type(problem).__name__}"
                os.write(theirs, self.failed.encode())
            finally:
                os._exit(0)
        os.close(theirs)
        with open(ours, "rb") as pipe:  # noqa: PTH123 - a pipe has no path
            by = pipe.read()
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what its tests had started
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            return LONG
        return by.decode() if not status else ""

    def copied(self, name, mutant, tests):
        """Whether a test fails in a changed copy of the program, and how."""
        if not self.copy.exists():
            shutil.copytree(ROOT, self.copy, ignore=APART)
        place = self.copy / file_of(name).relative_to(ROOT)
        before = place.read_text(encoding="utf-8")
        place.write_text(ast.unparse(mutant.tree), encoding="utf-8")
        shutil.rmtree(place.parent / "__pycache__", ignore_errors=True)
        command = [sys.executable, "-m", "pytest", *OPTIONS, *tests]
        try:
            limit = 60 + self.limit(tests)
            done = subprocess.run(
                command, cwd=self.copy, capture_output=True, timeout=limit, preexec_fn=bounded
            )
            return done.returncode != 0, "in a copy"
        except subprocess.TimeoutExpired:
            return True, LONG
        finally:
            place.write_text(before, encoding="utf-8")
            shutil.rmtree(place.parent / "__pycache__", ignore_errors=True)


@contextlib.contextmanager
def quiet():
    """What is printed goes nowhere, in other processes too, but for what is written to this."""
    sys.stdout.flush()
    kept = [os.dup(number) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        with open(os.dup(kept[0]), "w", encoding="utf-8") as said:  # noqa: PTH123 - no path
            yield said
    finally:
        for number, before in zip((1, 2), kept, strict=True):
            os.dup2(before, number)


def run(watched, use):
    """Run the tests, then ``use`` with what tries a change; what is wrong, if anything."""
    files = list(dict.fromkeys(file for tests in watched.values() for file in tests))
    one = Session(watched, use)
    with tempfile.TemporaryDirectory(prefix="hypothesis-") as place:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = place
        code = pytest.main(["-s", *OPTIONS, *LOADED, *files], plugins=[one])
    return one.problem or (f"pytest ended with {code}" if code else "")
