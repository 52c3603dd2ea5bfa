"""Rows of a sheet of an Excel workbook."""

import contextlib
import datetime
import itertools
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from xml.etree.ElementTree import ParseError

import pyarrow as pa

from core.errors import EquipoiseError
from sources.columns import TEXT, Stream, named, numbered
from sources.dialect import TYPED, Dialect
from sources.text import Content, check_packed, listed, opened, shown

UNPACKED = 2**29
"""Most bytes of a workbook, unpacked (512 MB)."""

_BATCH = 2**12
_LOOKED_AT = 20
_Row = tuple[object, ...]


_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, ParseError, LookupError, TypeError, ValueError, AttributeError,
    OSError, EOFError, RuntimeError, AssertionError, ArithmeticError,
)  # fmt: skip
"""What openpyxl raises about a workbook that it cannot read."""


def open_excel(name: str, content: Content, stated: Mapping[str, Any]) -> Stream:
    """The columns of a workbook's sheet: the one stated, else the widest, which holds a table."""
    dialect = Dialect.of(stated, (*TYPED, "header", "names", "sheet", "trim"))
    widths = _widths(name, content)
    widest = max(widths, key=widths.__getitem__, default="")
    dialect = replace(dialect, sheet=dialect.sheet or widest)
    rows = _rows(name, content, dialect)
    first = next(rows, None)
    if first is None or (dialect.header and next(rows, None) is None):
        raise EquipoiseError(f"{name} has no rows below its header; add the records")
    header = named(name, dialect, [_text(cell) or "" for cell in first])
    batches = partial(_batches, name, content, dialect, header)
    places = partial(numbered, first=1 + dialect.header)
    return Stream(header, dialect, batches, places, sheets=tuple(widths))


def _widths(name: str, content: Content) -> dict[str, int]:
    """Cells in the fullest of the first rows of each sheet, in the order of the workbook."""
    with _opened(name, content) as book:
        return {
            sheet.title: max(
                (sum(cell is not None for cell in row)
                 for row in sheet.iter_rows(max_row=_LOOKED_AT, values_only=True)), default=0)
            for sheet in book.worksheets
        }  # fmt: skip


@contextlib.contextmanager
def _opened(name: str, content: Content) -> Iterator[Any]:
    """The workbook; whatever is wrong with it is one sentence."""
    try:
        from openpyxl import load_workbook  # only workbooks need it
    except ImportError:
        raise EquipoiseError(
            f"{name} is a workbook, and openpyxl, which reads those, is not installed; install it "
            "or save the sheet as CSV"
        ) from None
    with opened(content) as file:
        try:
            with zipfile.ZipFile(file) as parts:
                check_packed(parts)
                size = sum(part.file_size for part in parts.infolist())
            if size > UNPACKED:
                raise EquipoiseError(
                    f"{name} unpacks to {size:,} bytes; at most {UNPACKED:,} are read, so save "
                    "the sheet as CSV"
                )
            yield load_workbook(file, read_only=True, data_only=True)
        except EquipoiseError:
            raise
        except _UNREADABLE as problem:
            raise EquipoiseError(
                f"{name} is not a workbook that can be read ({type(problem).__name__}); save the "
                "sheet as CSV"
            ) from None


def _rows(name: str, content: Content, dialect: Dialect) -> Iterator[_Row]:
    """Cells of each row that has any."""
    with _opened(name, content) as book:
        names = tuple(sheet.title for sheet in book.worksheets)
        if dialect.sheet not in names:
            raise EquipoiseError(
                f"{name} has no sheet {shown(dialect.sheet)}; it has {listed(names)}"
            )
        for row in book[dialect.sheet].iter_rows(values_only=True):
            if any(cell is not None for cell in row):
                yield row


def _batches(
    name: str, content: Content, dialect: Dialect, header: Sequence[str], kept: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    rows = itertools.islice(_rows(name, content, dialect), int(dialect.header), None)
    places = [header.index(column) for column in kept]
    while piece := list(itertools.islice(rows, _BATCH)):
        columns = [
            pa.array([_text(row[at]) if at < len(row) else None for row in piece], pa.string())
            for at in places
        ]
        yield pa.RecordBatch.from_arrays([c.cast(TEXT) for c in columns], names=list(kept))


def _text(cell: object) -> str | None:
    """A cell as the text that a CSV file would hold."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return str(cell)
