"""What items need that numpy alone does not give: networks, tables, accountants, audits."""

from __future__ import annotations

from typing import Protocol

from core.counts import Rows
from core.parameters import Model
from core.undirected.sample import Accountant


class Laboratory(Protocol):
    """Made by :mod:`release.house`."""

    @property
    def accountant(self) -> Accountant:
        """The noise multiplier for (ε, δ)."""

    def model(self, name: str) -> Model:
        """A sample network with its parameters."""

    def rows(self, name: str) -> Rows | None:
        """A table that the user has supplied, or none."""

    def proven(self, method: str, epsilon: float, trials: int, seed: int) -> float:
        """The ε that an audit proves a method to have at least."""

    def misclassified(self, training: Rows, testing: Rows, target: str) -> float:
        """Share of test records that a linear support vector machine gets wrong."""
