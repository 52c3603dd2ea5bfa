"""What the records show of each column: not private, for proposals that somebody confirms."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sources.coding import absent, quantities, texts
from sources.columns import Stream
from sources.cuts import ISO
from sources.dialect import Dialect
from sources.formulas import number_of

INFERRED_STATES = 100
"""Most distinct values of a column whose states are read off the records."""

DATES = (
    ISO, "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y%m%d", "%d.%m.%y",
    "%d/%m/%y", "%m/%d/%y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%m/%d/%Y %H:%M",
)  # fmt: skip
"""Ways to write dates that are known without being stated, the likelier first."""

NEARLY = 0.95
"""Share of different values that make a column one of numbers or dates; the others are slips,
which whoever reads the column then refuses by their line."""

FEW = 20
"""Most distinct values of a column that are states in spite of what they look like."""

LONGEST = 200
"""Most characters of a value that may be a state; longer ones are a text that people read."""

_NUMBER = ""
_TRIED = 64

SHAPES = {
    way: re.compile(re.sub("%.", r"[-\\s]*\\d+", way.split(" ")[0].replace(".", "[.]")))
    for way in DATES
} | {ISO: re.compile(r"-?\d\d")}
"""How such a date begins; to look takes a tenth of reading it, for each of very many columns."""


@dataclass(eq=False)
class Seen:
    """One column: its ``values`` while they are few, and how they may be read.

    ``long`` says that there are texts too long to be states, ``alone`` that no piece of the file
    repeats a value. ``fits`` counts, for numbers and each way to write dates that is not out of
    question, the values that can be read so; ``spans`` are the lowest and highest of those.
    """

    values: set[str] = field(default_factory=set)
    long: bool = False
    whole: bool = True
    alone: bool = True
    rows: int = 0
    distinct: int = 0
    fits: dict[str, int] = field(default_factory=lambda: dict.fromkeys((_NUMBER, *DATES), 0))
    spans: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers."""
        return self._holds(_NUMBER)

    @property
    def dates(self) -> tuple[str, ...]:
        """The ways to write dates that it may have, those of most values first."""
        held = [written for written in DATES if self._holds(written)]
        return tuple(sorted(held, key=lambda written: -self.fits[written]))

    @property
    def span(self) -> tuple[float, float]:
        """Lowest and highest value, dates in seconds since 1970."""
        return self.spans[_NUMBER if self.numeric else self.dates[0]]

    def _holds(self, written: str) -> bool:
        fits = self.fits.get(written, 0)
        least = NEARLY * self.distinct if len(self.values) > FEW else self.distinct
        return fits > 0 and fits >= least

    @property
    def many(self) -> bool:
        """Whether there are too many values, or too long ones, to be states."""
        return self.long or len(self.values) > INFERRED_STATES

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
        written = texts(present)
        self.long = self.long or pc.max(pc.utf8_length(written)).as_py() > LONGEST
        if self.long:
            self.fits.clear()
            return
        if not self.many:
            own = (v.strip() if dialect.trim else v for v in written.to_pylist())
            self.values.update(own)
        self.distinct += len(present)
        typed = pa.types.is_integer(present.type) * (_NUMBER,)
        typed += pa.types.is_temporal(present.type) * (ISO,)
        for written in typed or tuple(self.fits):
            self._measure(written, present, dialect)

    def _measure(self, written: str, present: pa.Array, dialect: Dialect) -> None:
        """How many of the values can be read so; a way that few can be read by is given up."""
        few = present.slice(0, _TRIED)
        known = written in self.fits and _may_be(few, written)
        if not known or np.isnan(quantities(few, written, dialect)).mean() > 0.5:
            self.fits.pop(written, None)
            return
        read = quantities(present, written, dialect)
        read = read[~np.isnan(read)]
        self.fits[written] += len(read)
        if len(read):
            low, high = self.spans.get(written, (np.inf, -np.inf))
            self.spans[written] = min(low, float(read.min())), max(high, float(read.max()))
            if written == _NUMBER:
                self.whole = self.whole and bool((read == np.floor(read)).all())


def _may_be(few: pa.Array, written: str) -> bool:
    """Whether half of these values look as if they could be read so."""
    if written not in SHAPES or not pa.types.is_string(few.type):
        return True
    fit = [SHAPES[written].match(value.strip()) for value in few.to_pylist()]
    return 2 * sum(map(bool, fit)) >= len(fit)


def look(stream: Stream, names: Sequence[str]) -> dict[str, Seen]:
    """What the records show of these columns, in one pass. Looks at private rows."""
    seen = {name: Seen() for name in names}
    for batch in stream.batches(names):
        for name, column in seen.items():
            column.add(batch.column(name), stream.dialect)
    return seen
