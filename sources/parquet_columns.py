"""Columns of a Parquet file."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa
import pyarrow.parquet

from core.errors import EquipoiseError
from sources.columns import Columns, check_cells, kept_positions, text_column
from sources.text import shown


def read_parquet(name: str, data: bytes, wanted: Collection[str] | None) -> Columns:
    """The columns ``wanted`` (all when None); numbers and truth values become texts."""
    try:
        fields = pa.parquet.read_schema(pa.BufferReader(data))
        kept = [fields.field(at) for at in kept_positions(name, fields.names, wanted)]
        _refuse_nested(name, kept)
        # texts stay dictionaries: a short file may repeat one long text a million times
        texts = [field.name for field in kept if pa.types.is_string(field.type)]
        file = pa.parquet.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        records = file.metadata.num_rows
        check_cells(name, records, len(kept))
        table = file.read(columns=[field.name for field in kept])
        found = {field.name: text_column(_texts(table.column(field.name))) for field in kept}
    except (pa.ArrowException, OSError) as problem:
        reason = str(problem).splitlines()[0]
        raise EquipoiseError(f"{name} is not valid Parquet ({reason}); export it again") from None
    if not records:
        raise EquipoiseError(f"{name} has columns and no rows; add the records")
    return Columns(tuple(fields.names), found, records, _places)


def _refuse_nested(name: str, fields: Sequence[pa.Field]) -> None:
    for field in fields:
        if pa.types.is_nested(field.type):
            raise EquipoiseError(
                f"{name}: column {shown(field.name)} holds {field.type} values; only texts, "
                "numbers and truth values are read"
            )


def _places(rows: Collection[int]) -> dict[int, str]:
    return {row: f"row {row + 1}" for row in rows}


def _texts(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as dictionary-encoded texts, whole numbers without a point."""
    if pa.types.is_dictionary(chunks.type) and pa.types.is_string(chunks.type.value_type):
        return chunks
    if pa.types.is_dictionary(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    return chunks.cast(pa.string()).dictionary_encode()
