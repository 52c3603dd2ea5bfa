"""Columns of a table as distinct texts and codes, before any domain is known."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import EquipoiseError
from sources.text import shown

COLUMN_LIMIT = 10_000
"""Most columns a table may have."""

TABLE_CELLS = 2**27
"""Most values that may be read from one table: a small Parquet file can hold billions."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: ``values[codes[r]]`` stands in row r; None is a missing value."""

    values: tuple[str | None, ...]
    codes: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Columns:
    """The wanted columns that a file has; ``places`` says in words where some rows stand."""

    header: tuple[str, ...]
    found: dict[str, Column]
    records: int
    places: Callable[[Collection[int]], dict[int, str]]


def kept_positions(name: str, header: list[str], wanted: Collection[str] | None) -> list[int]:
    """Positions of the wanted columns; a header with repeated names is refused."""
    if len(header) > COLUMN_LIMIT:
        raise EquipoiseError(
            f"{name} has {len(header):,} columns; at most {COLUMN_LIMIT:,} are read, so drop some"
        )
    seen: set[str] = set()
    for column in filter(None, header):
        if column in seen:
            raise EquipoiseError(f"{name} has two columns named {shown(column)}; rename one")
        seen.add(column)
    return [at for at, c in enumerate(header) if c and (wanted is None or c in wanted)]


def check_cells(name: str, records: int, columns: int) -> None:
    """Refuse a table of more values than memory should hold."""
    if records * columns > TABLE_CELLS:
        raise EquipoiseError(
            f"{name} has {records:,} rows of {columns} columns; at most {TABLE_CELLS:,} values are "
            "read, so use fewer rows or columns"
        )


def text_column(chunks: pa.ChunkedArray) -> Column:
    """Distinct texts and codes of a dictionary-encoded column; nulls become one more value."""
    array = chunks.unify_dictionaries().combine_chunks()
    values = tuple(array.dictionary.to_pylist())
    if array.null_count:
        return Column((*values, None), array.indices.fill_null(len(values)).to_numpy())
    return Column(values, array.indices.to_numpy())
