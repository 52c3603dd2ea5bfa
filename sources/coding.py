"""What the distinct values of a column mean against a variable: a state, missing, or wrong."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.table import Array, Variable
from sources.cuts import ISO, date_words, day_text
from sources.dialect import Dialect
from sources.formulas import restored
from sources.numerals import plain_numbers
from sources.schema import SchemaColumn
from sources.text import listed, shown

ABSENT = -1
"""Code of a missing value."""

WRONG = -2
"""Code of a value that is no state."""


@dataclass(frozen=True, eq=False)
class Coding:
    """How the values of one column become states of ``variable``, which has every further state.

    ``missing`` is what becomes of missing values.
    """

    variable: Variable
    column: SchemaColumn
    dialect: Dialect
    missing: str

    @cached_property
    def outside(self) -> int:
        """Code of values that have no state."""
        further = self.column.outside == "state"
        return self.variable.code_of[self.column.outside_state] if further else WRONG

    @cached_property
    def accepted(self) -> dict[str, int]:
        """Code of each value that the file may hold."""
        code_of = self.variable.code_of
        if self.column.values:
            return {value: code_of[state] for value, state in self.column.values}
        return {s: c for s, c in code_of.items() if s in self.column.variable.code_of}

    def of(self, array: pa.Array) -> NDArray[np.int32]:
        """Codes of the cells, with ``ABSENT`` and ``WRONG`` where there is no state."""
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        codes = np.append(self.meanings(array.dictionary), np.int32(ABSENT))
        indices = array.indices.fill_null(len(codes) - 1) if array.null_count else array.indices
        return np.asarray(codes[indices.to_numpy(zero_copy_only=False)])

    def meanings(self, values: pa.Array) -> NDArray[np.int32]:
        """Code of each value; numbers and dates go to the bins."""
        if self.column.edges:
            return self._binned(values)
        cells = texts(values).to_pylist()
        return np.fromiter(map(self._code, cells), dtype=np.int32, count=len(cells))

    def _code(self, value: str | None) -> int:
        if value is None:
            return ABSENT
        code = self.accepted.get(restored(value, self.accepted))
        text = value.strip() if self.dialect.trim and code is None else value
        code = self.accepted.get(restored(text, self.accepted))
        if code is None:
            return ABSENT if self.dialect.is_missing(text) else self.outside
        return code

    def _binned(self, values: pa.Array) -> NDArray[np.int32]:
        edges, bins = np.array(self.column.edges), len(self.column.edges) - 1
        numbers = quantities(values, self.column.date, self.dialect)
        own = [self.variable.code_of[state] for state in self.column.variable.states]
        places = np.minimum(np.searchsorted(edges, numbers, side="right"), bins) - 1
        codes = np.array(own, dtype=np.int32)[np.maximum(places, 0)]
        last = numbers >= edges[-1] if self.column.date else numbers > edges[-1]
        codes[(numbers < edges[0]) | last] = self.outside
        codes[np.isnan(numbers)] = WRONG
        codes[absent(values, self.dialect)] = ABSENT
        return np.asarray(codes)

    def reason(self, value: str | None) -> str:
        """Why a value is refused, and what to do."""
        if self.dialect.is_missing(value) and value not in self.accepted:
            return "a value is missing; drop such rows or treat missing as a state"
        edges = self.column.edges
        if not edges:
            return (
                f"{shown(value)} is not one of its states ({listed(tuple(self.accepted))}); "
                "correct the value or add the state"
            )
        written = date_words(self.column.date)
        kind = f"a date written as {written}" if self.column.date else "a number"
        if np.isnan(quantities(pa.array([value]), self.column.date, self.dialect)[0]):
            return (
                f"{shown(value)} is not {kind}, and its schema has bins; correct the value, or say "
                "that it stands for nothing ('Stands for nothing' on Data, --na in a shell)"
            )
        tell = day_text if self.column.date else "{:g}".format
        return (
            f"{shown(value)} is outside its bins, {tell(edges[0])} to {tell(edges[-1])}; widen "
            "them or correct the value"
        )


def texts(values: pa.Array) -> pa.Array:
    """Values as texts, whole numbers without a point, zero without a sign."""
    if pa.types.is_float64(values.type) or pa.types.is_float32(values.type):
        values = pc.add(values, pa.scalar(0.0, values.type))
    return values if pa.types.is_string(values.type) else values.cast(pa.string())


def absent(values: pa.Array, dialect: Dialect) -> NDArray[np.bool_]:
    """Which values are a spelling of nothing."""
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(texts(values)))
    markers = pa.array(sorted(dialect.nothing), pa.string())
    nothing = pc.or_kleene(pc.is_in(plain, value_set=markers), pc.is_null(plain))
    return np.asarray(nothing.to_numpy(zero_copy_only=False), dtype=np.bool_)


def quantities(values: pa.Array, date: str, dialect: Dialect) -> Array:
    """Values as finite numbers, or as seconds since 1970 where they are dates; NaN if neither."""
    if date:
        return _moments(values, date)
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        numbers = values.cast(pa.float64(), safe=False)  # beyond 2^53 the nearest
    else:
        plain = pc.utf8_trim_whitespace(texts(values))
        numbers = plain_numbers(plain, dialect.decimal, dialect.thousands).cast(pa.float64())
    finite = np.array(numbers.fill_null(np.nan).to_numpy(zero_copy_only=False), dtype=np.float64)
    finite[~np.isfinite(finite)] = np.nan
    return finite


def _moments(values: pa.Array, date: str) -> Array:
    import pandas as pd  # takes a while, and only dates need it

    written = ISO if pa.types.is_temporal(values.type) else date
    plain = pc.utf8_trim_whitespace(texts(values)).to_numpy(zero_copy_only=False)
    moments = pd.to_datetime(plain, format=written, errors="coerce", utc=True)
    instants = np.array(moments.as_unit("s").asi8, dtype=np.float64)
    instants[np.asarray(moments.isna())] = np.nan
    return instants
