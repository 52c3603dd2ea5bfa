"""What the records show of each column: not private, for proposals that somebody confirms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from sources.coding import ISO, absent, quantities, texts
from sources.columns import Stream
from sources.dialect import Dialect
from sources.formulas import number_of

INFERRED_STATES = 100
"""Most distinct values of a column whose states are read off the records."""

DATES = (ISO, "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y%m%d")
"""Ways to write dates that are known without being stated, the likelier first."""


@dataclass(eq=False)
class Seen:
    """One column: its ``values`` while they are few, whether all are numbers or dates, its range.

    ``alone`` says that no piece of the file repeats a value. ``dates`` are the ways to write dates
    that fit every value.
    """

    values: set[str] = field(default_factory=set)
    numeric: bool = True
    whole: bool = True
    dates: tuple[str, ...] = DATES
    low: float = np.inf
    high: float = -np.inf
    alone: bool = True
    rows: int = 0

    @property
    def many(self) -> bool:
        """Whether there are too many values to be states."""
        return len(self.values) > INFERRED_STATES

    @property
    def states(self) -> tuple[str, ...]:
        """The values sorted, as numbers where all are."""
        numbers = [number_of(value) for value in self.values]
        key = (lambda value: (number_of(value), value)) if None not in numbers else None
        return tuple(sorted(self.values, key=key))

    def add(self, array: pa.Array, dialect: Dialect) -> None:
        """One more piece of the column."""
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        present = array.dictionary.filter(pa.array(~absent(array.dictionary, dialect)))
        self.rows += len(array)
        self.alone = self.alone and len(array.dictionary) == len(array)
        if not len(present):
            return
        if not self.many:
            own = (v.strip() if dialect.trim else v for v in texts(present).to_pylist())
            self.values.update(own)
        if self.numeric:
            self._measure(quantities(present, "", dialect.decimal))
        if self.dates and not pa.types.is_integer(present.type):
            self.dates = tuple(d for d in self.dates
                               if not np.isnan(quantities(present, d, "")).any())  # fmt: skip
            self._span(present)

    def _measure(self, numbers: np.ndarray) -> None:
        self.numeric = not np.isnan(numbers).any()
        if self.numeric:
            self.whole = self.whole and bool((numbers == np.floor(numbers)).all())
            self.low, self.high = min(self.low, numbers.min()), max(self.high, numbers.max())

    def _span(self, present: pa.Array) -> None:
        if self.dates and not self.numeric:
            moments = quantities(present, self.dates[0], "")
            self.low, self.high = min(self.low, moments.min()), max(self.high, moments.max())


def look(stream: Stream, names: Sequence[str]) -> dict[str, Seen]:
    """What the records show of these columns, in one pass. Looks at private rows."""
    seen = {name: Seen() for name in names}
    for batch in stream.batches(names):
        for name, column in seen.items():
            column.add(batch.column(name), stream.dialect)
    return seen
