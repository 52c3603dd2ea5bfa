"""A release of alarm with every method, from the proof to the files.

Beside it one rehearsal of the same method, which draws its noise here: the rest is what exact noise
from a process of its own, the ledger and the files cost.
"""

from __future__ import annotations

import argparse
import secrets
import tempfile
from fractions import Fraction
from pathlib import Path

from benchmarks.timing import Goal, medians, print_goals, print_times
from core.methods.registry import METHODS
from core.scenario import Scenario
from core.study.experiments import rehearsals
from release.ledger.book import Ledger
from release.order import Order
from release.publish import publish
from sources.study import Study, sampled_study

SCENARIO = Scenario(epsilon=1.0, replicates=1)
BUDGET = Fraction(10_000)
SLOWEST = 5.0
"""Seconds that a release of alarm may take."""


def release(study: Study, method: str, folder: Path) -> None:
    """One release, paid and written."""
    order = Order(
        study=study,
        network=study.network,
        method=method,
        scenario=SCENARIO,
        token=secrets.token_hex(8),
        name="alarm",
        budget=BUDGET,
        delta_budget=Fraction(1, 100),
    )
    publish(order, Ledger(folder / "ledger.sqlite"), folder / "released")


def rehearse(study: Study, method: str) -> None:
    """One rehearsal."""
    list(rehearsals(method, study.network, study.counts, SCENARIO))


def main(rounds: int) -> None:
    """Prints seconds, the slowest release, and releases over rehearsals."""
    study = sampled_study("alarm", None, records=10_000, seed=0)
    able = [name for name, method in METHODS.items() if not method.refused]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tasks = {m: lambda m=m: release(study, m, folder) for m in able}
        paid = medians(tasks, rounds=rounds)
    free = medians({m: lambda m=m: rehearse(study, m) for m in able}, rounds=rounds)
    print_times("One release of alarm, 10,000 records", paid)
    print_times("One rehearsal of it", free)
    slowest = max(paid, key=paid.__getitem__)
    print_goals(
        [Goal("release", f"slowest, {slowest}", paid[slowest], SLOWEST, at_most=True, unit="s")]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    main(parser.parse_args().rounds)
