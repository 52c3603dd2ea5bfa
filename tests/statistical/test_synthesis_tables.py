"""The noisy tables of PrivBayes, each against the part of the budget that it is charged."""

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.privacy import Neighbours
from core.privbayes.conditionals import noisy_tables
from core.table import Variable
from tests.statistical.test_audit import epsilon_lower_bound

A, B = (Variable(name, ("0", "1")) for name in "ab")
FAMILIES = [(A,), (A, B)]
PARTS = np.array([1.0, 0.5])
RUNS = 4_000
FIRST = [[0, 0]] * 5
NEIGHBOUR = {Neighbours.ADD_REMOVE: [*FIRST, [1, 1]], Neighbours.REPLACE: [*FIRST[:-1], [1, 1]]}


def ratios(neighbours, side, parts):
    """Log-likelihood ratios of each noisy table, right over left, in units of its own noise."""
    sources = [Rows(Dataset((A, B), np.array(rows))) for rows in (FIRST, NEIGHBOUR[neighbours])]
    exact = [[table.values for table in source.counts(FAMILIES)] for source in sources]
    rng = np.random.default_rng([5, side])
    runs = [noisy_tables(sources[side], FAMILIES, parts, neighbours, rng=rng) for _ in range(RUNS)]
    return [
        np.array([(np.abs(run[t][0] - left) - np.abs(run[t][0] - right)).sum() for run in runs])
        for t, (left, right) in enumerate(zip(*exact, strict=True))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
def test_a_table_costs_its_part_and_half_the_noise_would_show(neighbours):
    """A record that is replaced moves two cells: noise for one is half of what it takes."""
    proven = []
    for parts in (PARTS, 2 * PARTS):
        sides = [ratios(neighbours, side, parts) for side in (0, 1)]
        proven.append([epsilon_lower_bound(*both) for both in zip(*sides, strict=True)])
    assert (proven[0] <= PARTS).all()
    assert (proven[1] > PARTS).all()
