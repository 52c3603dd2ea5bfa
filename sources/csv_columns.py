"""Columns of a CSV file: UTF-8, one header line, fields quoted as in RFC 4180.

The separator is a comma, semicolon or tab, whichever splits the header most. pyarrow reads the
values, because it is fast; Python's reader finds the lines that a message names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from functools import partial

import pyarrow as pa
import pyarrow.csv

from core.errors import EquipoiseError
from sources.columns import Columns, check_cells, kept_positions, text_column
from sources.formulas import restored
from sources.text import UPLOAD_LIMIT, decode

_TEXT = pa.dictionary(pa.int32(), pa.string())


def read_csv(
    name: str, data: bytes, wanted: Collection[str] | None, *, limit: int = UPLOAD_LIMIT
) -> Columns:
    """The columns ``wanted`` (all when None)."""
    decode(name, data, limit=limit)  # refuses other encodings, by place
    delimiter = max(",;\t", key=partial(_header_width, data))
    rows = _rows(name, data, delimiter)
    _, header = next(rows)
    following = next(rows, None)
    if following is None:
        raise EquipoiseError(f"{name} has a header and no rows; add the records")
    if wanted is not None:
        header = [h if (own := restored(h, wanted)) in header else own for h in header]
    kept = kept_positions(name, header, wanted)
    if data.count(b'"') % 2:
        _refuse_quote(name, data, delimiter)
    table = _parsed(name, data, delimiter, header=header, skip=following[0] - 1, kept=kept)
    check_cells(name, table.num_rows, len(kept))
    found = {header[at]: text_column(table.column(str(at))) for at in kept}
    return Columns(tuple(header), found, table.num_rows, partial(_places, name, data, delimiter))


def _places(name: str, data: bytes, delimiter: str, rows: Collection[int]) -> dict[int, str]:
    """Line of each of these rows, in one pass that ends at the last of them."""
    found: dict[int, str] = {}
    for row, (line, _) in enumerate(_rows(name, data, delimiter), start=-1):
        if row in rows:
            found[row] = f"line {line}"
        if len(found) == len(rows):
            break
    return found


def _text(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")


def _header_width(data: bytes, delimiter: str) -> int:
    """Number of names the header has when split by this separator."""
    reader = csv.reader(_text(data), delimiter=delimiter, strict=True)
    try:
        return len(next(filter(None, reader)))
    except csv.Error:  # quotes do not fit this separator; if they fit none, the rows will say so
        return 0


def _rows(name: str, data: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """First line and fields of each row, by Python's own reader: slow, but it knows the lines."""
    reader = csv.reader(_text(data), delimiter=delimiter, strict=True)
    width = 0
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as problem:
            raise EquipoiseError(
                f'{name}, line {start}: {problem}; quote fields as in "a, b" and close each quote'
            ) from None
        if row is None:
            return
        if row or width == 1:  # an empty line of a single column is a missing value
            width = width or len(row)
            yield start, row


def _parsed(
    name: str, data: bytes, delimiter: str, *, header: list[str], skip: int, kept: list[int]
) -> pa.Table:
    """The kept columns, named by position, by pyarrow's reader: fast, but it forgets the lines."""
    names = [str(at) for at in range(len(header))]
    try:
        return pa.csv.read_csv(
            pa.BufferReader(data),
            pa.csv.ReadOptions(column_names=names, skip_rows=skip),
            pa.csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=len(header) > 1
            ),
            pa.csv.ConvertOptions(
                include_columns=[names[at] for at in kept] or names[:1],
                column_types=dict.fromkeys(names, _TEXT),
                null_values=[],
                check_utf8=False,
            ),
        )
    except pa.ArrowInvalid as problem:
        for line, row in _rows(name, data, delimiter):
            if len(row) != len(header):
                raise EquipoiseError(
                    f"{name}, line {line}: the number of fields is {len(row)} where the header has "
                    f"{len(header)}; quote fields that hold the separator"
                ) from None
        reason = str(problem).splitlines()[0]
        raise EquipoiseError(f"{name} is not valid CSV ({reason}); export it again") from None


def _refuse_quote(name: str, data: bytes, delimiter: str) -> None:
    for _ in _rows(name, data, delimiter):
        pass
    raise EquipoiseError(
        f"{name} has an odd number of double quotes; double those inside a field and close each one"
    )
