"""A table against a domain, looked at as a whole: every column, every problem, nothing refused.

The domain is public and given, by a network file or a schema. A value counts as missing when it is
empty, ``NA``, ``NaN`` or ``null`` in any case, or ``?``, unless the domain has a state spelt so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.table import Variable
from sources.coding import ABSENT, MISSING_STATE, meanings, reason, with_missing
from sources.columns import Column, Columns
from sources.csv_columns import read_csv
from sources.parquet_columns import read_parquet
from sources.schema import Schema
from sources.text import UPLOAD_LIMIT, check_size, listed, shown

TABLE_EXTENSIONS = (".csv", ".tsv", ".txt", ".parquet")
"""Kinds of table file that are read, by the end of their names."""

MISSING_CHOICES = ("refuse", "drop", "state")
"""What may be done with missing values."""


@dataclass(frozen=True)
class Problem:
    """One reason to refuse a table, as a sentence; ``column`` is empty when it is about no one."""

    sentence: str
    column: str = ""


@dataclass(frozen=True, eq=False)
class Coded:
    """One column against its variable, ``missing`` cells and ``distinct`` other values."""

    variable: Variable
    codes: NDArray[np.int32]
    distinct: int
    missing: int


@dataclass(frozen=True, eq=False)
class Examined:
    """Everything found out about a table, with every problem; nothing is refused yet."""

    columns: tuple[Coded, ...]
    records: int
    dropped: int
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def read_columns(
    name: str, data: bytes, wanted: Collection[str] | None = None, *, limit: int = UPLOAD_LIMIT
) -> Columns:
    """The columns ``wanted`` (all when None) of a file, chosen by the end of its name."""
    check_size(name, data, limit)
    match PurePath(name).suffix.lower():
        case ".parquet":
            return read_parquet(name, data, wanted)
        case ".csv" | ".tsv" | ".txt":
            return read_csv(name, data, wanted, limit=limit)
        case other:
            raise EquipoiseError(
                f"{name} has the unknown ending {other!r}; tables end in "
                f"{', '.join(TABLE_EXTENSIONS)}"
            )


def examine(
    name: str,
    data: bytes,
    domain: Sequence[Variable],
    *,
    schema: Schema | None = None,
    missing: str = "refuse",
    limit: int = UPLOAD_LIMIT,
) -> Examined:
    """Every column of a file against a domain; only a file that cannot be read at all raises."""
    if missing not in MISSING_CHOICES:
        raise EquipoiseError(
            f"missing values: {shown(missing)} is not known; choose {', '.join(MISSING_CHOICES)}"
        )
    columns = read_columns(name, data, {v.name for v in domain}, limit=limit)
    problems = [
        Problem(
            f"{name} has no column {shown(v.name)}, which the network needs; it has "
            f"{listed(columns.header)}",
            v.name,
        )
        for v in domain
        if v.name not in columns.found
    ]
    problems += _disagreements(domain, schema) if schema else []
    present = [v for v in domain if v.name in columns.found]
    coded = [_coded(columns.found[v.name], v, schema, missing) for v in present]
    problems += _refused(name, columns, coded, schema, missing)
    dropped = _incomplete(coded) if missing == "drop" else 0
    if dropped and dropped == columns.records:
        problems.append(
            Problem(f"{name}: every row has a missing value; treat missing as a state instead")
        )
    return Examined(tuple(coded), columns.records, dropped, tuple(problems), _ignored(columns))


def _coded(column: Column, variable: Variable, schema: Schema | None, missing: str) -> Coded:
    binned = schema.by_name.get(variable.name) if schema else None
    found = meanings(column.values, variable, binned)
    codes = found[column.codes]
    absent = codes == ABSENT
    if missing == "state":
        variable = with_missing(variable)
        codes[absent] = variable.code_of[MISSING_STATE]
    return Coded(variable, codes, int((found != ABSENT).sum()), int(absent.sum()))


def _disagreements(domain: Sequence[Variable], schema: Schema) -> list[Problem]:
    """Columns whose states the network file and the schema give differently."""
    problems = []
    for variable in domain:
        column = schema.by_name.get(variable.name)
        if column and set(column.variable.states) != set(variable.states):
            problems.append(
                Problem(
                    f"column {shown(variable.name)} has the states {listed(variable.states)} in "
                    f"the network and {listed(column.variable.states)} in {schema.name}; make them "
                    "equal",
                    variable.name,
                )
            )
    return problems


def _refused(
    name: str, columns: Columns, coded: Sequence[Coded], schema: Schema | None, missing: str
) -> list[Problem]:
    """For each column with values that cannot be used, the first one and how many there are."""
    rows = {}
    for column in coded:
        wrong = column.codes < (0 if missing == "refuse" else ABSENT)
        if wrong.any():
            rows[column.variable.name] = int(wrong.argmax()), int(wrong.sum()) - 1, column.variable
    places = columns.places({row for row, _, _ in rows.values()})
    problems = []
    for own, (row, more, variable) in rows.items():
        found = columns.found[own]
        binned = schema.by_name.get(own) if schema else None
        others = f" ({more:,} more rows like it)" * bool(more)
        why = reason(found.values[found.codes[row]], variable, binned)
        problems.append(Problem(f"{name}, {places[row]}, column {shown(own)}: {why}{others}", own))
    return problems


def _incomplete(coded: Sequence[Coded]) -> int:
    """Number of rows with a missing value."""
    return int(np.logical_or.reduce([column.codes == ABSENT for column in coded]).sum())


def _ignored(columns: Columns) -> tuple[str, ...]:
    ignored = tuple(c or "(no name)" for c in columns.header if c not in columns.found)
    if not ignored:
        return ()
    return (f"Columns that the network does not have are ignored: {listed(ignored)}.",)


def counted_notes(records: int, dropped: int) -> tuple[str, ...]:
    """How many records were left out, where any was: for the keeper of the data only."""
    if not dropped:
        return ()
    return (f"{dropped:,} of {records:,} rows have a missing value: dropped.",)
