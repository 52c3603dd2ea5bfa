"""Counting all families of alarm: ours, pgmpy, pandas, and one plain bincount per family.

pgmpy: ``state_counts`` of every node, the estimator built beforehand. pandas: ``groupby(...).
size()`` per family. Both get a frame of categorical columns, pandas also one of small integers,
and the faster counts. bincount: mixed-radix codes of the coded columns, computed per family.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Goal, medians, print_goals, print_times
from core.counts import count
from core.dataset import Dataset
from core.inference.sampling import sample
from core.table import Variable, cells


def plain(dataset: Dataset, families: tuple[tuple[Variable, ...], ...]) -> list[np.ndarray]:
    """One ``np.bincount`` per family."""
    column = {v.name: j for j, v in enumerate(dataset.variables)}
    found = []
    for family in families:
        code = np.zeros(dataset.records, dtype=np.intp)
        for variable in family:
            code = code * variable.cardinality + dataset.codes[:, column[variable.name]]
        found.append(np.bincount(code, minlength=cells(family)))
    return found


def main(records: int, rounds: int) -> None:
    """Prints times and ratios."""
    import pandas as pd
    from pgmpy.estimators import MaximumLikelihoodEstimator

    model = rivals.ours()
    network = model.network
    data = sample(model, records, rng=np.random.default_rng(0))
    small = pd.DataFrame({v.name: data.codes[:, j] for j, v in enumerate(data.variables)})
    labelled = pd.DataFrame(
        {
            v.name: pd.Categorical.from_codes(data.codes[:, j], v.states)
            for j, v in enumerate(data.variables)
        }
    )
    groups = [[v.name for v in family] for family in network.families]
    estimator = MaximumLikelihoodEstimator(
        rivals.pgmpy_model(), labelled, state_names={v.name: list(v.states) for v in data.variables}
    )
    times = medians(
        {
            "ours": lambda: count(data, network.families),
            "bincount per family": lambda: plain(data, network.families),
        },
        rounds=rounds,
    )
    times |= medians(
        {
            "ours again": lambda: count(data, network.families),
            "pandas, integers": lambda: [
                small.groupby(g, sort=False, observed=True).size() for g in groups
            ],
            "pandas, categories": lambda: [
                labelled.groupby(g, sort=False, observed=True).size() for g in groups
            ],
            "pgmpy": lambda: [estimator.state_counts(name) for name in network.names],
        },
        rounds=max(1, rounds // 3),
    )
    print_times(f"All families of {rivals.NETWORK}, {records:,} records", times)
    pandas = min(times["pandas, integers"], times["pandas, categories"])
    goals = [
        Goal("bincount per family", "ours", times["bincount per family"] / times["ours"], 4),
        Goal("pandas group-by", "ours", pandas / times["ours again"], 20),
        Goal("pgmpy", "ours", times["pgmpy"] / times["ours again"], 40),
    ]
    print_goals(goals)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    main(given.records, given.rounds)
