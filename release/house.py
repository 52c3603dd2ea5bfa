"""What reproducing the papers needs from the rest of the house, as :mod:`core.reproduce` asks."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from core.counts import Rows
from core.parameters import Model
from core.scenario import Scenario
from core.undirected.sample import Accountant
from release.audit.auditing import Ask, auditing
from sources.accounting import noise_multiplier
from sources.adult import read_adult
from sources.classifier import misclassified
from sources.networks import sample

FOLDER = "EQUIPOISE_DATA"
"""The environment variable that names the folder of tables which are not ours to ship."""


@functools.cache
def _model(name: str) -> Model:
    model = sample(name).model
    assert model is not None
    return model


@functools.lru_cache(maxsize=1)
def _adult(folder: str) -> Rows | None:
    return read_adult(Path(folder))


class House:
    """The laboratory of this house."""

    @property
    def accountant(self) -> Accountant:
        """Google's accountant."""
        return noise_multiplier

    def model(self, name: str) -> Model:
        """A sample network with its parameters."""
        return _model(name)

    def rows(self, name: str) -> Rows | None:
        """A table of the folder that ``EQUIPOISE_DATA`` names, if it is there."""
        folder = os.environ.get(FOLDER)
        return _adult(folder) if folder and name == "adult" else None

    def proven(self, method: str, epsilon: float, trials: int, seed: int) -> float:
        """The ε that an audit proves a method to have at least."""
        scenario = Scenario(epsilon=epsilon, seed=seed)
        ask = Ask(method=method, scenario=scenario, trials=trials, power=False)
        return max(audit.lower_bound for audit in auditing(ask))

    def misclassified(self, training: Rows, testing: Rows, target: str) -> float:
        """Share of test records that a linear support vector machine gets wrong."""
        return misclassified(training, testing, target)
