"""``python -m tests.mutation [--module M ...] [--sample N] [--seed S] [--line L]``.

Each change is made in memory, in a process of its own that has loaded what the tests need from
others, and runs the tests of the module until one fails. Prints the changes that no test noticed;
``--line`` tries those of one line only. A change that makes tests run for too long is noticed.
"""

import argparse
import importlib.abc
import importlib.util
import io
import os
import random
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.mutation.changes import mutants
from tests.mutation.watched import WATCHED

SECONDS = 600
"""Longest that the tests of one change may take."""

FOREIGN = ("numpy", "scipy.stats", "hypothesis", "pytest", "opendp.measurements", "networkx")
LOADED = "ignore::pytest.PytestAssertRewriteWarning"
ROOT = Path(__file__).parent.parent.parent


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from its changed tree, and nothing else."""

    def __init__(self, name, tree):
        self.name, self.tree = name, tree

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, file_of(name), loader=self)

    def exec_module(self, module):
        exec(compile(self.tree, str(file_of(self.name)), "exec"), module.__dict__)


def file_of(name):
    return ROOT / Path(*name.split(".")).with_suffix(".py")


def noticed(name, tree, tests):
    """Whether a test fails; ``None`` of the tree leaves the module as it is."""
    child = os.fork()
    if not child:
        code = 2
        try:
            os.setsid()
            signal.alarm(SECONDS)
            if tree is not None:
                sys.meta_path.insert(0, Changed(name, tree))
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                import pytest

                options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", LOADED]
                code = int(pytest.main([*options, "-m", "not slow and not browser", *tests]))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return status != 0


def sampled(name, asked):
    """The changes of one module that are tried."""
    found = list(mutants(file_of(name).read_text(encoding="utf-8")))
    if asked.line:
        found = [mutant for mutant in found if mutant.line in asked.line]
    if asked.sample and asked.sample < len(found):
        rng = random.Random(f"{asked.seed} {name}")
        found = [found[i] for i in sorted(rng.sample(range(len(found)), asked.sample))]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", action="append", choices=WATCHED, metavar="M")
    parser.add_argument("--sample", type=int, help="changes of each module; all without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--line", type=int, action="append")
    parser.add_argument("--list", action="store_true", help="only count them")
    asked = parser.parse_args()
    for name in FOREIGN if not asked.list else ():
        importlib.import_module(name)
    assert not any(n.startswith(("core.", "release.", "sources.")) for n in sys.modules)
    tried = left = 0
    for name in asked.module or WATCHED:
        found = sampled(name, asked)
        if asked.list:
            print(f"{name}: {len(found)} changes")
            tried += len(found)
            continue
        if noticed(name, None, WATCHED[name]):
            sys.exit(f"the tests of {name} fail as it is; mend them first")
        started, survived = time.monotonic(), 0
        for mutant in found:
            if not noticed(name, mutant.tree, WATCHED[name]):
                survived += 1
                where = file_of(name).relative_to(ROOT)
                print(f"  {where}:{mutant.line}: {mutant.what}", flush=True)
        tried, left = tried + len(found), left + survived
        print(
            f"{name}: {len(found)} tried, {survived} left, {time.monotonic() - started:.0f} s",
            flush=True,
        )
    print(f"{tried} changes, {left} left" if not asked.list else f"{tried} changes")


if __name__ == "__main__":
    main()
