"""Tables of records: CSV or Parquet to a dataset over a given domain, or a domain read off them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.table import Variable
from sources.coding import ABSENT, is_missing
from sources.columns import Column
from sources.examination import counted_notes, examine, read_columns
from sources.formulas import number_of
from sources.schema import Schema
from sources.text import UPLOAD_LIMIT, listed, shown

INFERRED_STATES = 100
"""Most distinct values of a column whose states are read off the records."""


@dataclass(frozen=True)
class Read:
    """The records of a file; ``dropped`` rows had missing values, ``notes`` say what was done."""

    dataset: Dataset
    dropped: int
    notes: tuple[str, ...]

    @property
    def counted(self) -> tuple[str, ...]:
        """What the records say, in numbers: for the keeper of the data only."""
        return counted_notes(self.dataset.records + self.dropped, self.dropped)


def read_table(
    name: str,
    data: bytes,
    domain: Sequence[Variable],
    *,
    schema: Schema | None = None,
    missing: str = "refuse",
    limit: int = UPLOAD_LIMIT,
) -> Read:
    """The records of a file as a dataset over ``domain``, in its order; a problem is raised.

    With ``missing="state"`` every variable of the dataset has the further state ``missing``,
    whether or not it occurs: a domain that followed the records would reveal something of them.
    """
    examined = examine(name, data, domain, schema=schema, missing=missing, limit=limit)
    if examined.problems:
        raise EquipoiseError(examined.problems[0].sentence)
    codes = np.array([column.codes for column in examined.columns]).T
    if examined.dropped:
        codes = codes[(codes != ABSENT).all(axis=1)]
    variables = tuple(column.variable for column in examined.columns)
    return Read(Dataset(variables, codes), examined.dropped, examined.notes)


def infer_domain(
    name: str,
    data: bytes,
    columns: Sequence[str] | None = None,
    *,
    limit: int = UPLOAD_LIMIT,
) -> tuple[Variable, ...]:
    """Variables whose states are the values that occur: not private, so whoever calls must say so.

    States are sorted, as numbers where all are numbers.
    """
    table = read_columns(name, data, columns, limit=limit)
    names = tuple(table.found) if columns is None else tuple(columns)
    for column in names:
        if column not in table.found:
            raise EquipoiseError(
                f"{name} has no column {shown(column)}; it has {listed(table.header)}"
            )
    return tuple(_inferred(name, column, table.found[column]) for column in names)


def _inferred(name: str, column: str, found: Column) -> Variable:
    states = [value for value in found.values if value is not None and not is_missing(value)]
    if not states:
        raise EquipoiseError(f"{name}: column {shown(column)} has no values; supply a schema")
    if len(states) > INFERRED_STATES:
        raise EquipoiseError(
            f"{name}: column {shown(column)} has {len(states):,} distinct values; at most "
            f"{INFERRED_STATES} are taken as states, so supply a schema that gives it bins"
        )
    numbers = [number_of(state) for state in states]
    key = (lambda state: (number_of(state), state)) if None not in numbers else None
    return Variable(column, tuple(sorted(states, key=key)))
