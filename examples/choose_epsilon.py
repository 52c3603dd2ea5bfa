"""From an acceptable error to a budget, and what an attacker could gain at it.

Run it from the repository: ``python -m examples.choose_epsilon``. Everything here is study: the
records are sampled from a public network, and the noise is seeded.
"""

from __future__ import annotations

import sys

from core.membership.bound import guaranteed_auc
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.metrics import Truth
from core.study.solve import Goal, solve
from sources.study import sampled_study

METHODS = ("uniform", "equipoise")
GOAL = 0.02
"""Largest acceptable mean error of an answer."""


def main() -> None:
    """Print each method with the smallest ε that does, its error, and what an attacker gains."""
    study = sampled_study("asia", None, records=10_000, seed=0)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(replicates=40)
    goal = Goal(GOAL, "query_l1")
    for solution in solve(truth, study.counts, scenario, goal, methods=METHODS):
        if solution.epsilon is None:
            sys.stdout.write(f"{solution.method}: {solution.reason}\n")
            continue
        at = Scenario(epsilon=solution.epsilon, replicates=40)
        errors = measure(solution.method, truth, study.counts, at, ["query_l1"])["query_l1"]
        auc = guaranteed_auc(solution.epsilon, at.neighbours)
        sys.stdout.write(
            f"{solution.method}: ε = {solution.epsilon:.3f}, error {errors.mean():.4f}, "
            f"attacker's AUC at most {auc:.3f}\n"
        )


if __name__ == "__main__":
    main()
