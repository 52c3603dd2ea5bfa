"""Drawing records from alarm: ours, pgmpy's forward sampling, pyAgrum's database generator."""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Goal, medians, print_goals, print_times
from core.inference.sampling import sample


def main(records: int, rounds: int) -> None:
    """Prints times and ratios."""
    import pyagrum
    from pgmpy.sampling import BayesianModelSampling

    model = rivals.ours()
    rng = np.random.default_rng(0)
    forward = BayesianModelSampling(rivals.pgmpy_model())
    network = rivals.pyagrum_model()  # the generator does not keep it alive
    generator = pyagrum.BNDatabaseGenerator(network)
    times = medians(
        {
            "ours": lambda: sample(model, records, rng=rng),
            "pyAgrum": lambda: generator.drawSamples(records),
            "pgmpy": lambda: forward.forward_sample(records, show_progress=False),
        },
        rounds=rounds,
    )
    print_times(f"{records:,} records of {rivals.NETWORK}", times)
    goals = [
        Goal("pgmpy", "ours", times["pgmpy"] / times["ours"], 60),
        Goal("pyAgrum", "ours", times["pyAgrum"] / times["ours"], 10),
    ]
    print_goals(goals)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    main(given.records, given.rounds)
