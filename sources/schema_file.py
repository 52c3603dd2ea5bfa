"""A schema as a file: the same for shell and page, and read back as the same schema."""

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from core.errors import EquipoiseError
from sources.cuts import bin_labels, day_text
from sources.schema import Schema, SchemaColumn
from sources.text import shown


def schema_bytes(schema: Schema) -> bytes:
    """The JSON file of a schema."""
    columns = ",\n  ".join(_json(_entry(column)) for column in schema.columns)
    left_out = f',\n "left_out": {_json(schema.left_out)}' if schema.left_out else ""
    file = f',\n "file": {_json(schema.file)}' if schema.file else ""
    return f'{{"columns": [\n  {columns}]{left_out}{file}}}\n'.encode()


def _json(item: object) -> str:
    return json.dumps(item, ensure_ascii=False)


def _entry(column: SchemaColumn) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": column.variable.name}
    if column.edges:
        dates = bool(column.date)
        entry |= {"date": column.date} if dates else {}
        entry["bins"] = [day_text(e) if dates else e for e in column.edges]
        if column.variable.states != bin_labels(column.edges, dates=dates):
            entry["labels"] = list(column.variable.states)
    else:
        entry["states"] = list(column.variable.states)
        entry |= {"values": dict(column.values)} if column.values else {}
    entry |= {"missing": column.missing} if column.missing else {}
    entry |= {"outside": column.outside} if column.outside != "refuse" else {}
    entry |= {"source": column.source} if column.source else {}
    return entry | ({"seen": True} if column.seen else {})


def confirmed(schema: Schema, names: Collection[str], source: str) -> Schema:
    """The schema with these columns known from ``source``, in the steward's own words."""
    if not any(letter.isalpha() for letter in source):
        raise EquipoiseError("the source of public knowledge is blank; name a document or a law")
    for name in names:
        if name not in schema.by_name:
            raise EquipoiseError(f"{schema.name} does not describe {shown(name)}; check the name")
    wanted = set(names)
    columns = (
        replace(column, source=source.strip()) if column.variable.name in wanted else column
        for column in schema.columns
    )
    return replace(schema, columns=tuple(columns))
