"""Black-box check: no event tells neighbouring data apart by more than ε allows."""

import math

import numpy as np
import pytest
from scipy import stats

from core.counts import Rows
from core.dataset import Dataset
from core.methods import METHODS
from core.network import Network
from core.privacy import Neighbours
from core.table import Variable

TRIALS = 100_000
NETWORK = Network((Variable("a", ("0", "1")), Variable("b", ("0", "1"))), ((), ("a",)))
BASE = [[0, 0]] * 3 + [[1, 1]] * 3
NEIGHBOUR = {
    Neighbours.ADD_REMOVE: [*BASE, [0, 0]],
    Neighbours.REPLACE: [[0, 0]] * 4 + [[1, 1]] * 2,
}


def outputs(method, rows, epsilon, neighbours, seed):
    release = METHODS[method].run(
        NETWORK,
        Rows(Dataset(NETWORK.variables, np.array(rows))),
        epsilon=epsilon,
        split=0.1,
        rate=0.1,
        neighbours=neighbours,
        replicates=TRIALS,
        rng=np.random.default_rng(seed),
    )
    return release.noisy


def epsilon_lower_bound(left, right, confidence=0.99):
    """Largest ε that some half-line event proves, with Clopper-Pearson bounds, both ways."""
    best, trials = 0.0, len(left)
    thresholds = np.quantile(np.concatenate([left, right]), np.linspace(0.02, 0.98, 25))
    slip = (1 - confidence) / (4 * len(thresholds))  # every event, both directions, both bounds
    for x, y in ((left, right), (right, left), (-left, -right), (-right, -left)):
        for t in thresholds if x is left or x is right else -thresholds:
            hits, misses = int((x > t).sum()), int((y > t).sum())
            low = stats.beta.ppf(slip, hits, trials - hits + 1) if hits else 0.0
            high = stats.beta.ppf(1 - slip, misses + 1, trials - misses) if misses < trials else 1.0
            if low > 0:
                best = max(best, math.log(low / high))
    return best


def proven_epsilon(method, epsilon, neighbours, claimed=None):
    claimed = claimed or epsilon
    left = outputs(method, BASE, claimed, neighbours, seed=1)
    right = outputs(method, NEIGHBOUR[neighbours], claimed, neighbours, seed=2)
    # the direction in which the two data sets differ most
    direction = right.mean(axis=0) - left.mean(axis=0)
    return epsilon_lower_bound(left @ direction, right @ direction)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", [m for m in METHODS if METHODS[m].guarantee != "none"])
def test_no_event_proves_more_than_the_claimed_epsilon(method, neighbours):
    assert proven_epsilon(method, 1.0, neighbours) <= 1.0


@pytest.mark.slow
def test_the_audit_catches_noise_that_is_far_too_small():
    """The whole release with a tenth of the noise."""
    assert proven_epsilon("uniform", 1.0, Neighbours.ADD_REMOVE, claimed=10.0) > 1.0


@pytest.mark.slow
def test_the_audit_catches_half_the_noise_of_one_table():
    rng = np.random.default_rng(5)
    left, right = rng.laplace(3, 0.5, TRIALS), rng.laplace(4, 0.5, TRIALS)
    assert epsilon_lower_bound(left, right) > 1.0
    left, right = rng.laplace(3, 1, TRIALS), rng.laplace(4, 1, TRIALS)
    assert 0.8 < epsilon_lower_bound(left, right) <= 1.0
