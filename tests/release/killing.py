"""Run as ``python -m tests.release.killing DIR KILLS TOGETHER BUDGET METHOD``: kills of releases.

One process imports OpenDP and forks; each child publishes once, with the exact sampler in its own
process so that a release takes milliseconds. The parent kills it at a random moment; then one more
child for each step kills itself right before and right after it. Where several release at once,
they then do so unharmed until the budget is gone. Prints one JSON document with what the children
said before they died.
"""

import json
import os
import random
import signal
import sys
import time
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

from core.methods.registry import method_named
from core.privacy import Neighbours
from core.scenario import Scenario
from release import files
from release.domain import METHOD, DomainOrder, publish_domain
from release.ledger.book import Ledger
from release.ledger.people import BudgetError
from release.publish import Order, publish, tidy
from release.worker import ExactSampler
from sources.study import sampled_study, without_graph

EPSILON = Fraction(1, 10)


def ordered(study, method, token, budget):
    """One release, or one domain."""
    if method == METHOD:
        return DomainOrder(
            data=("cities.csv", b"city\n" + b"Bern\n" * 500 + b"Basel\n" * 400),
            column="city",
            epsilon=EPSILON,
            delta=Fraction(1, 10**6),
            neighbours=Neighbours.ADD_REMOVE,
            token=token,
            name="killed",
            budget=budget,
            delta_budget=Fraction(1, 10),
        )
    return Order(
        study=study,
        network=study.network,
        method=method,
        scenario=Scenario(epsilon=float(EPSILON)),
        token=token,
        name="killed",
        budget=budget,
        synthetic=5,
    )


def release_once(study, method, ledger, out, token, budget):
    """One release in a child: what became of it, for those that live to tell."""
    order, act = ordered(study, method, token, budget), publish
    if method == METHOD:
        act = publish_domain
    try:
        act(order, ledger, out, workers=lambda: nullcontext(ExactSampler()))
    except BudgetError:
        return 3
    return 0


TRIED = (
    (ExactSampler, "noise"),
    (ExactSampler, "chosen"),
    (files, "model_files"),
    (files, "write"),
    (os, "fsync"),
)
"""What a release does on zeros first, in order."""

STEPS = (
    (Ledger, "spend"),
    *TRIED,
    (Ledger, "complete"),
    (files, "place"),
    (Path, "rename"),
)
"""What a release does, in order; a child can die before and after each."""


def steps_of(method):
    """Those of a method, and those of them that it tries on zeros; a domain is not tried."""
    if method == METHOD:
        return [step for step in STEPS if step[1] not in ("chosen", "model_files")], []
    learns = method_named(method).learns
    return tuple([s for s in known if s[1] != "chosen" or learns] for known in (STEPS, TRIED))


def dying(owner, name, when):
    """Make a step kill the process that does it; ``trial`` kills before the payment."""
    step, spend, paid = getattr(owner, name), Ledger.spend, []

    def paying(*arguments, **named):
        paid.append(True)
        return spend(*arguments, **named)

    def deadly(*arguments, **named):
        if name != "spend" and bool(paid) == (when == "trial"):
            return step(*arguments, **named)
        if when == "after":
            step(*arguments, **named)
        return os.kill(os.getpid(), signal.SIGKILL)

    Ledger.spend = paying
    setattr(owner, name, deadly)


def fork(release, deadly=None):
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        if deadly:
            dying(*deadly)
        code = release()
    finally:
        os._exit(code)


def end(child, at=None):
    """Kill a child at that time: its exit code, or None when a kill came first."""
    if at is not None:
        time.sleep(max(0.0, at - time.monotonic()))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def main():
    root, kills, together, budget = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    root.mkdir(exist_ok=True)
    method = sys.argv[5]
    study = sampled_study("figure-one", None, records=200, seed=0)
    if (
        method != METHOD and method_named(method).learns
    ):  # enough records for a structure to be chosen
        study = without_graph(sampled_study("figure-one", None, records=20_000, seed=0))
    ledger, out = Ledger(root / "ledger.db"), root / "out"
    budget = Fraction(budget)
    # how long a release takes here, so that kills fall everywhere in it; also fills the caches

    def click(token):
        return lambda: release_once(study, method, ledger, out, token, budget)

    click("first")()
    started = time.monotonic()
    click("second")()
    usual = time.monotonic() - started
    rng, exits = random.Random(7), {"first": 0, "second": 0}
    while len(exits) < kills:
        tokens = [f"click {len(exits) + i}" for i in range(together)]
        ends = sorted(
            (time.monotonic() + rng.uniform(0, (1 + together) * usual), fork(click(token)), token)
            for token in tokens
        )
        exits |= {token: end(child, at) for at, child, token in ends}
    steps, tried = steps_of(method)
    for owner, name in steps:
        for when in ("before", "after"):
            tidy(ledger, out)  # or the child would die tidying up after the one before
            child = fork(click(f"{when} {name}"), (owner, name, when))
            exits[f"{when} {name}"] = end(child)
    for owner, name in tried:
        exits[f"trial {name}"] = end(fork(click(f"trial {name}"), (owner, name, "trial")))
    while together > 1 and 3 not in exits.values():  # until they compete for the last of the budget
        tokens = [f"click {len(exits) + i}" for i in range(together)]
        children = {token: fork(click(token)) for token in tokens}
        exits |= {token: end(child) for token, child in children.items()}
    json.dump({"exits": exits, "usual": usual}, sys.stdout)


if __name__ == "__main__":
    main()
