"""Noise and normalising of many replicates of ``uniform`` on alarm, against drawing alone.

Drawing: standard Laplace numbers for every cell of every family and parent table. Noise and
normalising: drawing, scaling, adding to the counts, merging families with their parents' tables,
clipping and normalising. The whole method adds the plan, the counts and mutual consistency.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Goal, medians, print_goals, print_times
from core.counts import Rows
from core.inference.sampling import sample
from core.methods.method import packed_counts
from core.methods.noise import standard_laplace
from core.methods.procedure import draw_families, merge
from core.methods.uniform import uniform
from core.parameters import fit
from core.scenario import Scenario
from sources.study import Once

RECORDS = 10_000


def main(replicates: int, rounds: int) -> None:
    """Prints times and ratios."""
    model = rivals.ours()
    network, layout = model.network, model.network.layout
    data = sample(model, RECORDS, rng=np.random.default_rng(0))
    source = Once(Rows(data))
    counts = packed_counts(network, source)
    nodes = len(network.variables)
    scales = np.full(nodes, 2.0 * nodes)
    rng = np.random.default_rng(1)

    def normalised() -> object:
        tables, _, surplus = draw_families(network, counts, scales, replicates=replicates, rng=rng)
        return fit(network, merge(network, tables, surplus))

    def method() -> object:
        return uniform(
            network,
            source,
            Scenario(replicates=replicates),
            rng=rng,
        )

    shape = (replicates, layout.size + layout.row_count)
    times = medians(
        {
            "drawing alone": lambda: standard_laplace(shape, rng=rng),
            "noise and normalising": normalised,
            "whole method": method,
        },
        rounds=rounds,
    )
    print_times(f"{replicates} replicates of uniform on {rivals.NETWORK}", times)
    drawing = times["drawing alone"]
    goals = [
        Goal(
            "noise and normalising",
            "drawing",
            times["noise and normalising"] / drawing,
            2.5,
            at_most=True,
        )
    ]
    print_goals(goals)
    print(f"  (whole method / drawing: {times['whole method'] / drawing:.1f} x)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    main(given.replicates, given.rounds)
