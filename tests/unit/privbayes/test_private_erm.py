"""PrivateERM: its minimum, its noise, and what it refuses."""

import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.privbayes.private_erm import HUBER, Examples, misclassified_by, private_erm
from core.table import Variable


def people(records=400, seed=0):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 3, records)
    label = (first == 2) ^ (rng.random(records) < 0.1)
    other = rng.integers(0, 2, records)
    variables = (Variable("a", ("x", "y", "z")), Variable("b", ("n", "y")), Variable("c", "01"))
    return Rows(Dataset(variables, np.stack([first, label, other], axis=1)))


def loss(weights, examples, penalty):
    """The objective, example by example."""
    total = 0.0
    for x, y in zip(examples.features, examples.labels, strict=True):
        margin = y * float(x @ weights)
        if margin > 1 + HUBER:
            continue
        total += 1 - margin if margin < 1 - HUBER else (1 + HUBER - margin) ** 2 / (4 * HUBER)
    return total / len(examples.labels) + penalty / 2 * float(weights @ weights)


def test_features_have_norm_at_most_one_and_labels_two_values():
    examples = Examples.of(people(), "b")
    assert np.linalg.norm(examples.features, axis=1).max() <= 1 + 1e-12
    assert set(examples.labels) == {-1.0, 1.0}
    with pytest.raises(EquipoiseError, match="3 states"):
        Examples.of(people(), "a")


def test_without_noise_nothing_nearby_is_better():
    examples = Examples.of(people(), "b")
    rng = np.random.default_rng(0)
    weights = private_erm(examples, epsilon=math.inf, penalty=0.01, rng=rng)
    best = loss(weights, examples, 0.01)
    for _ in range(50):
        assert loss(weights + 0.05 * rng.standard_normal(len(weights)), examples, 0.01) > best
    assert misclassified_by(weights, examples) < 0.15


def test_the_noise_has_its_length():
    """Where margins are small the loss is straight: weights move by -b / nΛ, |b| about 2d/ε'."""
    examples = Examples.of(people(40), "b")
    records, features = examples.features.shape
    penalty, epsilon = 50.0, 1.0
    left = epsilon - 2 * math.log1p(1 / (2 * HUBER) / (records * penalty))
    rng = np.random.default_rng(1)
    still = private_erm(examples, epsilon=math.inf, penalty=penalty, rng=rng)
    lengths = [
        np.linalg.norm(private_erm(examples, epsilon=epsilon, penalty=penalty, rng=rng) - still)
        for _ in range(400)
    ]
    assert np.mean(lengths) * records * penalty == pytest.approx(2 * features / left, rel=0.1)


def test_a_small_budget_raises_the_penalty():
    examples = Examples.of(people(40), "b")
    few = [
        np.linalg.norm(private_erm(examples, epsilon=e, penalty=1e-4, rng=np.random.default_rng(2)))
        for e in (0.01, math.inf)
    ]
    assert np.isfinite(few).all()
