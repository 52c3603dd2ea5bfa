"""Rows of a Parquet file; what its footer says is checked before anything is unpacked.

The footer is read here (Thrift's compact protocol): pyarrow would say it too, but its process ends
where a footer contradicts itself.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from core.errors import EquipoiseError
from sources.columns import Stream, check_header, numbered
from sources.dialect import TYPED, Dialect
from sources.text import Content, opened, shown

DEEPEST = 16
"""Structures within each other; a footer has seven."""

_GROUPS, _COLUMNS, _FACTS, _PATH, _UNPACKED = 4, 1, 3, 3, 6
"""Numbers of the fields that are looked for, as the format's definition has them."""


def unpacked_sizes(name: str, footer: bytes) -> Iterator[tuple[str, int]]:
    """Path and unpacked bytes of every column in every group of rows."""
    try:
        for group in _Compact(footer).struct(0).get(_GROUPS, ()):
            for column in group[_COLUMNS]:
                facts = column[_FACTS]
                yield b".".join(facts[_PATH]).decode("utf-8", "replace"), int(facts[_UNPACKED])
    except (LookupError, TypeError, ValueError, AttributeError):
        raise EquipoiseError(
            f"{name} is not valid Parquet (its footer is damaged); export it again"
        ) from None


class _Compact:
    """A reader of structures whose fields have numbers."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """Fields by number."""
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:  # noqa: ANN401 - whatever stands there
        match kind:
            case 1 | 2 | 3:  # inside a list
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:
                return self._take(8)
            case 8:
                return self._take(self._whole())
            case 9 | 10:
                head = self._byte()
                count = self._whole() if head >> 4 == 15 else head >> 4
                return [self._value(head & 15, depth + 1) for _ in range(count)]
            case 11:
                count = self._whole()
                kinds = self._byte() if count else 0
                return [
                    (self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1))
                    for _ in range(count)
                ]
            case 12:
                return self.struct(depth + 1)
        raise ValueError("no such kind")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _take(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._data):
            raise ValueError("cut off")
        return self._data[self._at - count : self._at]

    def _whole(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError("too large")
        return value | byte << shift

    def _signed(self) -> int:
        value = self._whole()
        return value >> 1 ^ -(value & 1)


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
    dialect = Dialect.of(stated, TYPED)
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
