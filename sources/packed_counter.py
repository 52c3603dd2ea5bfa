"""Counts of packed tables from batches of columns, coded by cell of the answer and not by row.

A column comes as small numbers and what each stands for: a Parquet file's dictionary, positions in
a list. The numbers are counted as they are; only the few cells of a packed table are then put where
their states belong. A batch is all that is here at a time.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.packing import Family, encode
from sources.elsewhere import PackedTally

WIDER = 16
"""How many times more cells than states a table may have before its columns are coded by row."""

Codes = NDArray[np.unsignedinteger]


class CodedColumn(NamedTuple):
    """Small numbers, and the state that each of them stands for."""

    places: Codes
    states: Codes

    @property
    def by_row(self) -> Codes:
        """The states, by row."""
        return self.states.take(self.places)


class PackedCounter:
    """Adds batches up; every number must stand for a state."""

    def __init__(self, tables: Sequence[Family], cardinalities: Sequence[int]) -> None:
        self._tables, self._cards = tables, cardinalities
        self._plain = [np.arange(card, dtype=np.min_scalar_type(card)) for card in cardinalities]
        sizes = [math.prod(cardinalities[j] for j in table) for table in tables]
        self._totals = [np.zeros(size, dtype=np.int64) for size in sizes]
        self._waiting: dict[int, tuple[list[Codes], NDArray[np.int64]]] = {}

    def add(self, columns: Mapping[int, CodedColumn], rows: int) -> None:
        """Count one batch."""
        for at, (table, total) in enumerate(zip(self._tables, self._totals, strict=True)):
            own = [columns[j] for j in table]
            sizes = [len(column.states) for column in own]
            if math.prod(sizes) > WIDER * total.size:
                own = [CodedColumn(columns[j].by_row, self._plain[j]) for j in table]
                sizes = [self._cards[j] for j in table]
            code = encode([column.places for column in own], sizes, rows)
            counts = np.bincount(code, minlength=math.prod(sizes))
            states = [column.states for column in own]
            before, waiting = self._waiting.get(at, ((), counts))
            if before and all(map(_equal, before, states)):
                waiting += counts
            else:
                self._settle(at)
                self._waiting[at] = (states, counts)

    def _settle(self, at: int) -> None:
        """Put the counts of a table's numbers where the states that they stand for belong."""
        if at not in self._waiting:
            return
        states, counts = self._waiting.pop(at)
        cells = np.zeros(1, dtype=np.int64)
        for j, own in zip(self._tables[at], states, strict=True):
            cells = (cells[:, None] * self._cards[j] + own).ravel()
        np.add.at(self._totals[at], cells, counts)

    def tally(self, wrong: set[int], missing: set[int]) -> PackedTally:
        """What was counted."""
        for at in range(len(self._tables)):
            self._settle(at)
        shaped = (
            total.reshape([self._cards[j] for j in table])
            for total, table in zip(self._totals, self._tables, strict=True)
        )
        sums = tuple(int(total.sum()) for total in self._totals)
        return PackedTally(tuple(shaped), sums, frozenset(wrong), frozenset(missing))


def _equal(one: Codes, other: Codes) -> bool:
    """Whether two columns' numbers stand for the same; mostly they are one array."""
    return one is other or np.array_equal(one, other)
