"""Contingency tables, and the one door through which mechanisms see data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.packing import Family, encode, pack
from core.table import CELL_LIMIT, Array, Table, Variable, cells

CHUNK = 2**17
"""Records encoded at a time: their codes stay in cache until they are counted."""


class CountSource(Protocol):
    """Anything that can be asked for contingency tables; a mechanism never sees rows."""

    @property
    def records(self) -> int:
        """Number of records."""

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """One table of counts per family, axes in the family's order."""


def count(dataset: Dataset, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
    """Contingency table of each family. Reads the private rows."""
    cardinalities = tuple(v.cardinality for v in dataset.variables)
    packing = pack(cardinalities, positions(dataset.variables, families))
    packed = [_counted(dataset, table) for table in packing.tables]
    tables = []
    for family, reading in zip(families, packing.readings, strict=True):
        values = reading.read(packed)
        values.flags.writeable = False  # fresh: no second copy
        tables.append(Table(family, values))
    return tuple(tables)


def positions(
    variables: Sequence[Variable], families: Sequence[tuple[Variable, ...]]
) -> tuple[Family, ...]:
    """Columns of each family, refusing what records over these variables cannot answer."""
    column = {v.name: j for j, v in enumerate(variables)}
    places = []
    for family in families:
        for variable in family:
            if variable.name not in column:
                raise EquipoiseError(
                    f"the data has no column {variable.name!r}; it has "
                    + ", ".join(list(column)[:6])
                    + (", ..." if len(column) > 6 else "")
                )
            if variables[column[variable.name]] != variable:
                raise EquipoiseError(
                    f"column {variable.name!r} has other states than the variable to be counted; "
                    "code the data with the network's states"
                )
        own = tuple(column[v.name] for v in family)
        if len(set(own)) < len(own):
            raise EquipoiseError(
                f"the family {tuple(v.name for v in family)} names a variable twice; "
                "name each variable once"
            )
        if cells(family) > CELL_LIMIT:
            raise EquipoiseError(
                f"the table over {tuple(v.name for v in family)} has {cells(family):,} cells; "
                f"at most {CELL_LIMIT:,} are allowed, so count fewer variables"
            )
        places.append(own)
    return tuple(places)


def _counted(dataset: Dataset, table: Family) -> Array:
    """Counts over the columns of one packed table."""
    shape = tuple(dataset.variables[j].cardinality for j in table)
    columns = [dataset.codes[:, j] for j in table]
    size = cells([dataset.variables[j] for j in table])
    totals = np.zeros(size, dtype=np.int64)
    chunk = max(CHUNK, 2 * size)  # a large table is not worth adding up for a few records
    for start in range(0, dataset.records, chunk):
        stop = min(start + chunk, dataset.records)
        code = encode([column[start:stop] for column in columns], shape, stop - start)
        totals += np.bincount(code, minlength=size)
    return totals.reshape(shape).astype(np.float64)


@dataclass(frozen=True)
class Rows:
    """A dataset as a source of counts."""

    dataset: Dataset

    @property
    def records(self) -> int:
        """Number of records."""
        return self.dataset.records

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Counted from the rows, all families together."""
        return count(self.dataset, families)
