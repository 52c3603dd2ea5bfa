"""Black-box check of the whole synthesis on neighbouring tables: bugs of code people use."""

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.methods.noise import discrete_laplace
from core.privacy import Neighbours
from core.privbayes import conditionals
from core.privbayes.encoding import encoding
from core.privbayes.settings import PRIVBAYES, Settings
from core.privbayes.synthesis import synthesise
from core.table import Variable
from tests.statistical.test_audit import epsilon_lower_bound

TRIALS = 1_000
"""Runs of each side. Planted bugs prove an ε of 2.0 or more in each of three disjoint 800."""

VARIABLES = tuple(Variable(name, ("0", "1")) for name in "abc")
BASE = [[0, 0, 0]] * 4 + [[1, 1, 1]] * 4 + [[0, 1, 0]] * 4
RARE = [1, 0, 1]


def outputs(rows, settings, seed):
    """For each run: the probability of the record that differs, and a number of the structure."""
    source = Rows(Dataset(VARIABLES, np.array(rows)))
    how = encoding("vanilla", VARIABLES)
    rng = np.random.default_rng(seed)
    found = np.empty((TRIALS, 2))
    for trial in range(TRIALS):
        made = synthesise(source, how, settings, rng=rng)
        network, probability = made.model.network, 1.0
        for i, parents in enumerate(network.parent_indices):
            setting = tuple(RARE[j] for j in parents)
            probability *= made.model.conditional(i).values[(*setting, RARE[i])]
        found[trial] = probability, hash(network.parents) % 10_007
    return found


def proven_epsilon(settings):
    """The largest ε that an event of either output proves."""
    left = outputs(BASE, settings, seed=1)
    right = outputs([*BASE[:-1], RARE], settings, seed=2)
    best = epsilon_lower_bound(left[:, 0], right[:, 0])
    for graph in np.unique(np.concatenate([left[:, 1], right[:, 1]])):
        same = [(side[:, 1] == graph).astype(float) for side in (left, right)]
        best = max(best, epsilon_lower_bound(*same))
    return best


PUBLISHED = Settings(
    epsilon=1.0, recipe=PRIVBAYES, neighbours=Neighbours.REPLACE, theta=0.05, split=0.5
)


def planted(monkeypatch, noise):
    """The pipeline with another function in place of its noise."""

    def tables(source, families, parts, neighbours, *, rng, replicates):
        scale = neighbours.l1_sensitivity / parts
        return [
            noise(table.values, b, source.records, rng)[None]
            for table, b in zip(source.counts(families), scale.tolist(), strict=True)
        ]

    monkeypatch.setattr(conditionals, "noisy_tables", tables)


@pytest.mark.slow
def test_the_audit_catches_noise_of_the_scale_of_probabilities(monkeypatch):
    def noise(counts, scale, records, rng):
        return counts + rng.laplace(0, scale / records, counts.shape)

    planted(monkeypatch, noise)
    assert proven_epsilon(PUBLISHED) > 1.0


@pytest.mark.slow
def test_the_audit_catches_noise_on_observed_cells_only(monkeypatch):
    def noise(counts, scale, records, rng):
        return counts + np.where(counts > 0, discrete_laplace(counts.shape, scale, rng=rng), 0)

    planted(monkeypatch, noise)
    assert proven_epsilon(PUBLISHED) > 1.0
