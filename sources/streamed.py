"""Counts of a DuckDB table that is in this process: it hands over positions, numpy counts them.

DuckDB looks a text up once for each entry of a Parquet file's dictionary, as long as one function
does it whole, and makes a byte of the position there too, as long as that cannot fail
(``TRY_CAST``). A plain cast or a sum of columns is computed row by row, at a third to twice the
price of reading. The list of states ends with NULL, because a column without NULL is handed over
without a bit for each row. States that are small whole numbers in a row are handed over as such.
Any value that is not written like a state ends this; the statement of :mod:`sources.warehouse`
then says what it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from core.packing import Family
from sources.elsewhere import PackedTally, RowsAsked
from sources.engines import DuckDB, Ibis, ibis
from sources.packed_counter import CodedColumn, Codes, PackedCounter
from sources.pushed import accepted, is_text, kind_of, spelt
from sources.schema import MISSING_STATE

MOST = 254
"""Most ways of writing the states of a column that is counted as bytes."""


class ByteColumn(NamedTuple):
    """A column as bytes, what the first of its states has, and the states from there on."""

    expression: Ibis
    first: int
    states: Codes


def streamed(engine: DuckDB, tables: Sequence[Family], asked: RowsAsked) -> PackedTally | None:
    """The counts, or none where a bound, bins or a value of another form need the statement."""
    rows = engine.expression()
    columns: dict[int, ByteColumn] = {}
    for j in asked.needed(tables):
        column = None if asked.unit else _column(rows, j, asked)
        if column is None:
            return None
        columns[j] = column
    counter = PackedCounter(tables, asked.cardinalities)
    handed = rows.select(**{f"c{j}": column.expression for j, column in columns.items()})
    for batch in engine.stream(handed):
        coded: dict[int, CodedColumn] = {}
        for (j, column), array in zip(columns.items(), batch.columns, strict=True):
            if array.null_count:
                return None
            places = array.to_numpy()
            places = places - np.uint8(column.first) if column.first else places
            if places.max(initial=0) >= len(column.states):
                return None
            coded[j] = CodedColumn(places, column.states)
        counter.add(coded, batch.num_rows)
        engine.watch.add(batch.num_rows)
    return counter.tally(set(), set())


def _column(rows: Ibis, j: int, asked: RowsAsked) -> ByteColumn | None:
    """Positions in the list of all that is taken for a state; none where there is no such list."""
    coding = asked.codings[j]
    column = rows[coding.variable.name]
    kind = kind_of(column)
    known = accepted(coding)
    if coding.column.edges or not (is_text(kind) or pa.types.is_integer(kind)):
        return None
    values = {t: t for t in known} if is_text(kind) else spelt(kind, tuple(known))
    if not 0 < len(values) <= MOST:
        return None
    if not is_text(kind) and coding.missing != "state":
        ordered = sorted(values, key=lambda text: values[text])
        low, high = int(values[ordered[0]]), int(values[ordered[-1]])
        if high - low == len(ordered) - 1 and low >= 0 and high <= MOST:
            return _bytes(column, low, [known[text] for text in ordered])

    def list_position(values: Ibis, value: Ibis) -> int:
        """From 1 on; nothing where it is none of them."""
        raise NotImplementedError

    taken = ibis.literal([*values.values(), None], f"array<{column.type().copy(nullable=True)}>")
    place = ibis.udf.scalar.builtin(
        list_position, signature=((taken.type(), column.type()), "int32")
    )(taken, column)
    states = [known[text] for text in values]
    if coding.missing == "state":
        states.append(coding.variable.code_of[MISSING_STATE])
    return _bytes(place, 1, states)


def _bytes(column: Ibis, first: int, states: Sequence[int]) -> ByteColumn:
    return ByteColumn(
        column.try_cast("uint8"), first, np.array(states, dtype=np.min_scalar_type(max(states)))
    )
