"""``python -m tests.mutation [--module M ...] [--sample N] [--seed S] [--line L] [--record]``.

The tests of the modules asked for run once, and what lines each of them runs is written down. Then
each change is put into a process of its own, forked from that one, which runs the tests of the
changed line, the quickest first, until one fails. What no test notices there is tried once more in
a copy of the program, from its beginning, where other processes have the change too. Prints the
changes that are left; ``--line`` tries those of one line only, ``--record`` keeps the figures. A
change that makes tests run for too long is noticed.
"""

import argparse
import importlib
import json
import random
import sys
import time
from collections import Counter

from tests.mutation.changes import mutants
from tests.mutation.session import FIGURES, Tried, file_of, quiet, run
from tests.mutation.watched import WATCHED

FOREIGN = ("numpy", "scipy.stats", "hypothesis", "pytest", "opendp.measurements", "networkx")


def sampled(name, asked):
    """All changes of one module, and those that are tried."""
    every = list(mutants(file_of(name).read_text(encoding="utf-8")))
    found = [mutant for mutant in every if not asked.line or mutant.line in asked.line]
    if asked.sample and asked.sample < len(found):
        rng = random.Random(f"{asked.seed} {name}")
        found = [found[i] for i in sorted(rng.sample(range(len(found)), asked.sample))]
    return every, found


def recorded(name, changes, seed, found: list[Tried]):
    """The figures of a module, in place of those before."""
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    left = [tried.said for tried in found if not tried.noticed]
    known[name] = {"changes": changes, "seed": seed, "tried": len(found), "left": left}
    ordered = {name: known[name] for name in WATCHED if name in known}
    FIGURES.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def trying(chosen, asked, said, counts):
    """What tries the chosen changes and tells of them."""

    def use(attempt):
        for name, (every, found) in chosen.items():
            began, outcomes = time.monotonic(), []
            for mutant in found:
                one = attempt(name, mutant)
                outcomes.append(one)
                if asked.tell or not one.noticed:
                    print(
                        f"  {one.said}  {one.by if one.noticed else 'LEFT'}", file=said, flush=True
                    )
            left = sum(not tried.noticed for tried in outcomes)
            counts.update(tried=len(found), left=left)
            took = f"{time.monotonic() - began:.0f} s"
            print(f"{name}: {len(found)} tried, {left} left, {took}", file=said, flush=True)
            if asked.record:
                recorded(name, len(every), asked.seed, outcomes)

    return use


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", action="append", choices=WATCHED, metavar="M")
    parser.add_argument("--sample", type=int, help="changes of each module; all without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--line", type=int, action="append")
    parser.add_argument("--list", action="store_true", help="only count them")
    parser.add_argument("--tell", action="store_true", help="which test noticed each")
    parser.add_argument("--record", action="store_true", help=f"keep the figures in {FIGURES.name}")
    return parser.parse_args()


def main():
    asked = options()
    chosen = {name: sampled(name, asked) for name in asked.module or WATCHED}
    if asked.list:
        for name, (_, found) in chosen.items():
            print(f"{name}: {len(found)} changes")
        print(f"{sum(len(found) for _, found in chosen.values())} changes")
        return
    for name in FOREIGN:
        importlib.import_module(name)
    counts = Counter()
    with quiet() as said:
        problem = run({name: WATCHED[name] for name in chosen}, trying(chosen, asked, said, counts))
    print(f"{counts['tried']} changes, {counts['left']} left")
    sys.exit(problem or counts["left"] > 0)


if __name__ == "__main__":
    main()
