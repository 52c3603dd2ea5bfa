"""Counts of packed tables from batches of columns, coded by cell of the answer and not by row.

A column comes as small numbers and what each stands for: a Parquet file's dictionary, positions in
a list. The numbers are counted as they are; only the few cells of a packed table are then put where
their states belong. A batch is all that is here at a time.
"""

from __future__ import annotations

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

    def add(self, columns: Mapping[int, CodedColumn], rows: int) -> None:
        """Count one batch."""
        for table, total in zip(self._tables, self._totals, strict=True):
            own = [columns[j] for j in table]
            sizes = [len(column.states) for column in own]
            if math.prod(sizes) > WIDER * total.size:
                own = [CodedColumn(columns[j].by_row, self._plain[j]) for j in table]
                sizes = [self._cards[j] for j in table]
            code = encode([column.places for column in own], sizes, rows)
            counts = np.bincount(code, minlength=math.prod(sizes))
            cells = np.zeros(1, dtype=np.int64)
            for j, column in zip(table, own, strict=True):
                cells = (cells[:, None] * self._cards[j] + column.states).ravel()
            np.add.at(total, cells, counts)

    def tally(self, wrong: set[int], missing: set[int]) -> PackedTally:
        """What was counted."""
        shaped = (
            total.reshape([self._cards[j] for j in table])
            for total, table in zip(self._totals, self._tables, strict=True)
        )
        sums = tuple(int(total.sum()) for total in self._totals)
        return PackedTally(tuple(shaped), sums, frozenset(wrong), frozenset(missing))
