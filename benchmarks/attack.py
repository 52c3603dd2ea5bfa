"""The membership attack on alarm: records scored each second, and twenty pools end to end."""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Goal, medians, print_goals, print_times
from core.inference.sampling import sample
from core.membership.attack import log_ratio, run_attack
from core.membership.lookup import Lookup
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation
from core.scenario import Scenario


def main(records: int, rounds: int) -> list[Goal]:
    """Prints times and goals; one core."""
    model = rivals.ours()
    network = model.network
    people = sample(model, records, rng=np.random.default_rng(0))
    values = log_ratio(model.values * 0.9, model.values)
    tables = [network.layout.unpack(values, i) for i in range(len(network.families))]
    times = medians(
        {"score": lambda: Lookup.of(people, network.families).sums(tables)}, rounds=rounds
    )
    began = time.perf_counter()
    for release in ("exact", "equipoise"):
        run_attack(ModelPopulation(model), network, Attack(release, 1_000, 20), Scenario())
    times["20 pools of 1,000, exact and private"] = time.perf_counter() - began
    print_times(f"{records:,} records of {rivals.NETWORK}", times)
    goals = [
        Goal("records scored", "second", records / times["score"] / 1e6, 5, unit="million"),
        Goal("attack", "20 pools, twice", list(times.values())[1], 10, at_most=True, unit="s"),
    ]
    print_goals(goals)
    return goals


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    main(given.records, given.rounds)
