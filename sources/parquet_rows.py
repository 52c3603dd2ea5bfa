"""Rows of a Parquet file; what its footer says is checked before anything is unpacked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from core.errors import EquipoiseError
from sources.columns import Stream, check_header, numbered
from sources.dialect import Dialect
from sources.parquet_footer import unpacked_sizes
from sources.text import Content, opened, shown

FOOTER = 2**23
"""Most bytes of a file's own description (8 MB)."""

UNPACKED = 2**29
"""Most bytes of one column in one group of rows, unpacked (512 MB)."""

PLAUSIBLE = 2**24
"""Rows that any file may have; a file of more has at least a byte for each 256."""

_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_BATCH = 2**16


def open_parquet(name: str, content: Content, stated: Mapping[str, Any]) -> Stream:
    """The columns of the file, typed as it declares."""
    with _refusing(name), opened(content) as file:
        size, footer = _footer(name, file)
        metadata = pa.parquet.read_metadata(file)
        fields = metadata.schema.to_arrow_schema()
        check_header(name, fields.names)
    if not metadata.num_rows:
        raise EquipoiseError(f"{name} has columns and no rows; add the records")
    if metadata.num_rows > max(PLAUSIBLE, 2**8 * size):
        raise EquipoiseError(
            f"{name} has {metadata.num_rows:,} rows in {size:,} bytes, which no table of people "
            "has; export it again"
        )
    dialect = Dialect(
        **{key: stated[key] for key in ("missing", "decimal", "thousands") if key in stated}
    )
    types = {field.name: field.type for field in fields}
    batches = partial(_batches, name, content, footer, types)
    return Stream(tuple(fields.names), dialect, batches, numbered, types)


@contextlib.contextmanager
def _refusing(name: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError) as problem:
        reason = str(problem).splitlines()[0][:200]
        raise EquipoiseError(f"{name} is not valid Parquet ({reason}); export it again") from None


def _footer(name: str, file: Any) -> tuple[int, bytes]:  # noqa: ANN401 - a binary file
    """Bytes of the file, and its description; refuses one that alone would fill memory."""
    size: int = file.seek(0, 2)
    file.seek(max(0, size - 8))
    length = int.from_bytes(file.read(8)[:4], "little")
    if size > FOOTER and length > FOOTER:
        raise EquipoiseError(
            f"{name} describes itself in {length:,} bytes; at most {FOOTER:,} are read, so use "
            "fewer columns or larger groups of rows"
        )
    file.seek(max(0, size - 8 - length))
    footer = file.read(length)
    file.seek(0)
    return size, footer


def _batches(
    name: str,
    content: Content,
    footer: bytes,
    types: Mapping[str, pa.DataType],
    kept: Sequence[str],
) -> Iterator[pa.RecordBatch]:
    """The kept columns; texts stay dictionaries, for a file may repeat a long one for ever."""
    _check_types(name, types, kept)
    _check_unpacked(name, footer, set(kept))
    texts = [column for column in kept if any(is_kind(types[column]) for is_kind in _TEXTS)]
    with _refusing(name), opened(content) as file:
        table = pa.parquet.ParquetFile(file, read_dictionary=texts)
        for batch in table.iter_batches(_BATCH, columns=list(kept), use_threads=False):
            batch.validate(full=True)  # a text may be no UTF-8
            yield batch


def _check_types(name: str, types: Mapping[str, pa.DataType], kept: Sequence[str]) -> None:
    for column in kept:
        kind = types[column]
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        plain = pa.types.is_primitive(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind)
        if not plain and not any(is_kind(kind) for is_kind in _TEXTS):
            raise EquipoiseError(
                f"{name}: column {shown(column)} holds {str(kind)[:80]} values; only texts, "
                "numbers, dates and truth values are read"
            )


def _check_unpacked(name: str, footer: bytes, kept: set[str]) -> None:
    for column, size in unpacked_sizes(name, footer):
        if column in kept and not 0 <= size <= UNPACKED:
            raise EquipoiseError(
                f"{name}: column {shown(column)} unpacks to {size:,} bytes in one group of rows; "
                f"at most {UNPACKED:,} are read, so write smaller groups"
            )
