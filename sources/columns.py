"""A table as a stream of columns, whatever file it comes in: nothing is held but one piece."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from core.errors import EquipoiseError
from sources.dialect import COLUMN_LIMIT, Dialect
from sources.text import shown

CODE_BYTES = 2**30
"""Most bytes that the codes of one table may take: a small Parquet file can hold billions."""

TEXT = pa.dictionary(pa.int32(), pa.string())
"""Texts as they are read: each distinct one once."""


@dataclass(frozen=True, eq=False)
class Stream:
    """The columns of a file; ``batches`` reads some of them from the beginning, piece by piece.

    ``places`` says in words where some rows stand. ``types`` are those that the file declares,
    ``sheets`` the names of a workbook's.
    """

    header: tuple[str, ...]
    dialect: Dialect
    batches: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
    places: Callable[[Collection[int]], dict[int, str]]
    types: Mapping[str, pa.DataType] = field(default_factory=dict)
    sheets: tuple[str, ...] = ()


def numbered(rows: Collection[int], first: int = 1) -> dict[int, str]:
    """Where rows stand in a file without lines."""
    return {row: f"row {row + first}" for row in rows}


def check_header(name: str, header: Sequence[str]) -> None:
    """Refuse a header with too many names, or with one name twice."""
    if len(header) > COLUMN_LIMIT:
        raise EquipoiseError(
            f"{name} has {len(header):,} columns; at most {COLUMN_LIMIT:,} are read, so drop some"
        )
    seen: set[str] = set()
    for column in filter(None, header):
        if column in seen:
            raise EquipoiseError(f"{name} has two columns named {shown(column)}; rename one")
        seen.add(column)


def named(name: str, dialect: Dialect, first: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns: stated, in the first row, or by position where it has none."""
    row = first if dialect.header else [""] * len(first)
    own = tuple(name or f"column_{at}" for at, name in enumerate(row, start=1))
    header = dialect.names or own
    if len(header) != len(first):
        raise EquipoiseError(
            f"{name} has {len(first):,} columns and {len(header):,} names are stated; give one each"
        )
    check_header(name, header)
    return header


def check_codes(name: str, records: int, width: int) -> None:
    """Refuse a table of more codes than memory should hold; ``width`` bytes stand for a row."""
    if records * width > CODE_BYTES:
        raise EquipoiseError(
            f"{name} has {records:,} rows or more, {width:,} bytes each as codes; at most "
            f"{CODE_BYTES // 2**20:,} MB are kept, so use fewer rows or columns"
        )
