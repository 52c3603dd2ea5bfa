"""Contingency tables, and the one door through which mechanisms see data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.table import Table, Variable, cells


class CountSource(Protocol):
    """Anything that can be asked for contingency tables; a mechanism never sees rows."""

    @property
    def records(self) -> int:
        """Number of records."""

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """One table of counts per family, axes in the family's order."""


def count(dataset: Dataset, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
    """Contingency table of each family. Reads the private rows."""
    position = {v.name: j for j, v in enumerate(dataset.variables)}
    tables = []
    for family in families:
        code = np.zeros(dataset.records, dtype=np.intp)
        for variable in family:
            code = code * variable.cardinality + dataset.codes[:, position[variable.name]]
        found = np.bincount(code, minlength=cells(family))
        tables.append(Table(family, found.reshape([v.cardinality for v in family])))
    return tuple(tables)


@dataclass(frozen=True)
class Rows:
    """A dataset as a source of counts."""

    dataset: Dataset

    @property
    def records(self) -> int:
        """Number of records."""
        return self.dataset.records

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Counted from the rows, one pass for all families."""
        return count(self.dataset, families)


@dataclass(frozen=True)
class Counted:
    """Tables counted before; answers any family contained in one of them."""

    tables: tuple[Table, ...]
    records: int

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Marginals of the held tables; a family that none contains is refused."""
        return tuple(self._one(family) for family in families)

    def _one(self, family: tuple[Variable, ...]) -> Table:
        names = tuple(v.name for v in family)
        for table in self.tables:
            if set(names) <= set(table.names):
                return table.marginal(names)
        raise EquipoiseError(f"no counted table holds {names}; count this family from the rows")
