"""Rows of a CSV file: fields quoted as in RFC 4180, letters and separators as its dialect says.

pyarrow reads the values piece by piece, because it is fast; Python's reader finds the lines that a
message names.
"""

import codecs
import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.csv

from core.errors import EquipoiseError
from sources.columns import TEXT, Stream, check_header, named, numbered
from sources.dialect import COLUMN_LIMIT, Dialect, guessed, text_encoding
from sources.formulas import restored
from sources.text import BLOCK, UPLOAD_LIMIT, Content, opened

_Row = tuple[int, list[str]]


def open_csv(
    name: str, content: Content, wanted: Collection[str] | None, stated: Mapping[str, Any]
) -> Stream:
    """The columns of the file; those ``wanted`` get their own names back."""
    dialect = guessed(content, stated)
    rows = _rows(name, content, dialect)
    first, known = next(rows, None), wanted or ()
    if first is None or (
        len(first[1]) == 1 and not first[1][0].strip() and first[1][0] not in known
    ):
        raise EquipoiseError(f"{name} is empty; choose a file that has content")
    cells = [h.strip() if dialect.trim and h not in known else h for h in first[1]]
    if "header" not in stated and not set(cells).isdisjoint(known):
        dialect = replace(dialect, header=True)
    header = named(name, dialect, cells)
    start = next(rows, None) if dialect.header else first
    if start is None:
        raise EquipoiseError(f"{name} has a header and no rows; add the records")
    if wanted is not None:
        header = tuple(h if (own := restored(h, wanted)) in header else own for h in header)
        check_header(name, header)
    _check_text(name, content, dialect)
    batches = partial(_batches, name, content, dialect, header, start[0] - 1)
    return Stream(header, dialect, batches, partial(_places, name, content, dialect))


def _check_text(name: str, content: Content, dialect: Dialect) -> None:
    """Refuse what the fast reader would misunderstand: other letters, NUL, an open quote."""
    lines, quotes = 1, 0
    decoder = codecs.getincrementaldecoder(text_encoding(dialect.encoding))()
    with opened(content) as file:
        while True:
            block = file.read(BLOCK)
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as problem:
                line = lines + problem.object.count(b"\n", 0, problem.start)
                raise EquipoiseError(
                    f"{name}, line {line}: byte 0x{problem.object[problem.start]:02x} is not "
                    f"{dialect.encoding}; state another encoding"
                ) from None
            except UnicodeError:  # of a codec that does not say where
                raise EquipoiseError(
                    f"{name} is not {dialect.encoding}; state another encoding"
                ) from None
            if (nul := text.find("\0")) >= 0:
                raise EquipoiseError(
                    f"{name}, line {lines + text.count(chr(10), 0, nul)}: there is a NUL "
                    "character; this is not a text file, choose another"
                )
            if len(block) == BLOCK and "\n" not in text and "\r" not in text:
                _explain(name, content, dialect)  # a line this long ends here, not at its end
            lines, quotes = lines + text.count("\n"), quotes + text.count('"')
            if not block:
                break
    if quotes % 2:
        _explain(name, content, dialect)
        raise EquipoiseError(
            f"{name} has an odd number of double quotes; double those inside a field and close "
            "each one"
        )


def _places(name: str, content: Content, dialect: Dialect, rows: Collection[int]) -> dict[int, str]:
    """Line of each of these rows, in one pass that ends at the last of them.

    In a large file the pass would take long: there the rows are counted.
    """
    if not isinstance(content, bytes) and content.stat().st_size > UPLOAD_LIMIT:
        return numbered(rows)
    lines: dict[int, str] = {}
    for row, (line, _) in enumerate(_rows(name, content, dialect), start=-int(dialect.header)):
        if row in rows:
            lines[row] = f"line {line}"
        if len(lines) == len(rows):
            break
    return lines


def _lines(name: str, content: Content, dialect: Dialect) -> Iterator[str]:
    encoding = text_encoding(dialect.encoding)
    with io.TextIOWrapper(opened(content), encoding, errors="replace", newline="") as text:
        number = 0
        while line := text.readline(BLOCK):
            number += 1
            if len(line) == BLOCK and line[-1] not in "\r\n":
                wide = line.count(dialect.delimiter) > COLUMN_LIMIT
                raise EquipoiseError(
                    f"{name}, line {number}: it has more than "
                    + (f"{COLUMN_LIMIT:,} columns; drop some" if wide else
                       f"{BLOCK:,} characters; no line may have more, so shorten it")
                )  # fmt: skip
            yield line


def _rows(name: str, content: Content, dialect: Dialect) -> Iterator[_Row]:
    """First line and fields of each row, by Python's own reader: slow, but it knows the lines."""
    lines = _lines(name, content, dialect)
    reader = csv.reader(lines, delimiter=dialect.delimiter, strict=True)
    width = 0
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as problem:
            reason = f'{problem}; quote fields as in "a, b" and close each quote'
            if "field larger" in str(problem):
                most = csv.field_size_limit()
                reason = (
                    f"a value has more than {most:,} characters; shorten it, or close its quote"
                )
            raise EquipoiseError(f"{name}, line {start}: {reason}") from None
        if row is None:
            return
        if row or width == 1:  # an empty line of a single column is a missing value
            width = width or len(row)
            yield start, row


def _batches(
    name: str,
    content: Content,
    dialect: Dialect,
    header: Sequence[str],
    skip: int,
    kept: Sequence[str],
) -> Iterator[pa.RecordBatch]:
    """The kept columns by pyarrow's reader: fast, but it forgets the lines."""
    at = {column: str(position) for position, column in enumerate(header)}
    names = [str(position) for position in range(len(header))]
    try:
        with opened(content) as file:
            reader = pa.csv.open_csv(
                file,
                pa.csv.ReadOptions(
                    column_names=names, skip_rows=skip, encoding=dialect.encoding, block_size=BLOCK
                ),
                pa.csv.ParseOptions(
                    delimiter=dialect.delimiter,
                    newlines_in_values=True,
                    ignore_empty_lines=len(header) > 1,
                ),
                pa.csv.ConvertOptions(
                    include_columns=[at[column] for column in kept] or names[:1],
                    column_types=dict.fromkeys(names, TEXT),
                    null_values=[],
                    check_utf8=False,
                ),
            )
            for batch in reader:
                yield batch.rename_columns(list(kept) or ["0"])
    except pa.ArrowInvalid as problem:
        _explain(name, content, dialect, len(header))
        reason = str(problem).splitlines()[0][:200]
        raise EquipoiseError(f"{name} is not valid CSV ({reason}); export it again") from None


def _explain(name: str, content: Content, dialect: Dialect, width: int = 0) -> None:
    """Refuse the first row that cannot be read, or has not ``width`` fields where that is given."""
    for line, row in _rows(name, content, dialect):
        if width and len(row) != width:
            raise EquipoiseError(
                f"{name}, line {line}: the number of fields is {len(row)} where the header has "
                f"{width}; quote fields that hold the separator"
            )
