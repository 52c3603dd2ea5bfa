"""Attribute: a variable of the search, at every level at which it may be a parent."""

from dataclasses import dataclass

import numpy as np

from core.table import Array, Variable


@dataclass(frozen=True)
class Attribute:
    """``levels[0]`` is the variable itself; ``maps[i][code]`` is its state at level i + 1."""

    levels: tuple[Variable, ...]
    maps: tuple[tuple[int, ...], ...] = ()

    @property
    def variable(self) -> Variable:
        """The variable at its finest level, the only one that is ever a child."""
        return self.levels[0]

    def generalisation(self, level: int) -> Array:
        """P(level | variable), zeros and ones: which coarser state each state belongs to."""
        table = np.zeros((self.variable.cardinality, self.levels[level].cardinality))
        table[np.arange(len(table)), list(self.maps[level - 1])] = 1
        return table
