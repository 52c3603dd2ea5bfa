"""A sweep on one process and on two: seconds of work, and identical numbers.

``python -m benchmarks.parallel``: alarm, three methods at nine budgets. Both take turns. A busy
machine gives two processes no second core, so beside the clock the processor time of all processes
is shown: what two workers spend more than one is what starting and telling them costs.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import time

import numpy as np

from benchmarks.timing import Goal, print_goals
from core.scenario import Scenario
from core.study.experiments import Point, sweeping
from core.study.metrics import Truth
from sources.study import sampled_study

METHODS = ("uniform", "equipoise", "data-dependent-icml")
EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)


def used() -> float:
    """Processor seconds of this process and of those it has ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def main(records: int, replicates: int, rounds: int) -> list[Goal]:
    """Prints seconds by the clock and of processors, and the goals."""
    study = sampled_study("alarm", None, records=records, seed=0)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(replicates=replicates)
    clock: dict[int, list[float]] = {1: [], 2: []}
    work: dict[int, list[float]] = {1: [], 2: []}
    points: dict[int, tuple[Point, ...]] = {}
    for _ in range(rounds):
        for workers in clock:
            began, before = time.perf_counter(), used()
            wanted = list(itertools.product(METHODS, EPSILONS))
            asked = sweeping(truth, study.counts, scenario, wanted=wanted, workers=workers)
            points[workers] = tuple(point for some in asked for point in some)
            clock[workers].append(time.perf_counter() - began)
            work[workers].append(used() - before)
    print(f"\nA sweep of alarm, {records:,} records, {replicates} replicates, {rounds} rounds")
    for workers in clock:
        print(
            f"  {workers} process(es)  {statistics.median(clock[workers]):6.2f} s by the clock"
            f"  {statistics.median(work[workers]):6.2f} s of processors"
        )
    same = all(
        np.array_equal(one.values, two.values)
        for one, two in zip(points[1], points[2], strict=True)
    )
    print(f"  the numbers are {'identical' if same else 'DIFFERENT'}")
    faster = min(clock[1]) / min(clock[2])
    dearer = statistics.median(work[2]) / statistics.median(work[1])
    goals = [
        Goal("one process", "two processes", faster, 1.6),
        Goal("processor time of two", "of one", dearer, 1.25, at_most=True),
        Goal("different numbers", "allowed", float(not same), 0, at_most=True, unit=""),
    ]
    print_goals(goals)
    return goals


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--replicates", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    main(given.records, given.replicates, given.rounds)
