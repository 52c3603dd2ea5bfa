"""One column of a file without a domain: its values and how often each occurs. Private."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.errors import EquipoiseError
from core.table import Array
from sources.coding import texts
from sources.dialect import stated_dialect, unstated
from sources.formulas import number_of
from sources.opening import open_table
from sources.text import Content, listed, read_json, shown

OTHER = "other"
"""The state of every value that is no state of its own."""

File = tuple[str, bytes]


@dataclass(frozen=True, eq=False)
class ColumnCounts:
    """The values of a column and the records of each; ``guessed`` is how the file is read. Private.

    Missing values are none.
    """

    values: tuple[str, ...]
    records: Array
    guessed: tuple[str, ...]


def column_counts(
    name: str, content: Content, column: str, schema: File | None = None
) -> ColumnCounts:
    """The values of a column, in a file that is written as the schema says."""
    file = None if schema is None else read_json(*schema).get("file")
    stated = stated_dialect(file) if isinstance(file, dict) else {}
    stream = open_table(name, content, {column}, stated=stated)
    if column not in stream.header:
        raise EquipoiseError(
            f"{name} has no column {shown(column)}; it has {listed(stream.header)}"
        )
    records: Counter[str] = Counter()
    for batch in stream.batches([column]):
        array = batch.column(column)
        array = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
        counts = np.bincount(array.indices.drop_null(), minlength=len(array.dictionary))
        for value, count in zip(texts(array.dictionary).to_pylist(), counts.tolist(), strict=True):
            if count and not stream.dialect.is_missing(value):
                records[value.strip() if stream.dialect.trim else value] += count
    total = np.array(list(records.values()), dtype=np.float64)
    return ColumnCounts(tuple(records), total, unstated(stream.dialect, stated, stream.sheets))


def ordered(states: Sequence[str]) -> tuple[str, ...]:
    """States in an order that their texts alone decide, the rest last: numbers by size."""
    own = [state for state in states if state != OTHER]
    numbers = [number_of(state) for state in own]
    pairs = sorted(zip(numbers, own, strict=True)) if None not in numbers else []
    return (*([state for _, state in pairs] if pairs else sorted(own)), OTHER)


def with_domain(schema: File | None, column: str, states: Sequence[str], source: str) -> bytes:
    """A schema file in which this column has these states; its other columns are kept."""
    document = {"columns": []} if schema is None else read_json(*schema)
    columns = document.get("columns")
    if not isinstance(columns, list) or not all(isinstance(entry, dict) for entry in columns):
        raise EquipoiseError(
            f"{schema[0] if schema else 'the schema'} has no list 'columns'; give a schema file"
        )
    entry = {"name": column, "states": list(states), "outside": "state", "source": source}
    kept = [one for one in columns if one.get("name") != column]
    document = {**document, "columns": [*kept, entry]}
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        raise EquipoiseError(
            f"{schema[0] if schema else repr(column)} holds {text[problem.start]!a}, which is no "
            "character that a file can hold; write it in UTF-8"
        ) from None
