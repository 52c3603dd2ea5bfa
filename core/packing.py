"""Records as numbers, and which tables to count so that every family can be read off one.

Counting costs one pass over the records per table, and a table of a few thousand cells costs no
more than a small one. So families are packed into few tables of at most ``PACKED_CELLS`` cells,
each counted once and summed afterwards.
"""

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.table import Array

PACKED_CELLS = 4096
"""Most cells of a packed table (32 KiB stay in the fastest cache), unless one family has more."""

Family = tuple[int, ...]
"""Positions of a family's variables, in the family's order."""


def encode(
    columns: Sequence[NDArray[np.unsignedinteger]], cardinalities: Sequence[int], records: int
) -> NDArray[np.unsignedinteger]:
    """One mixed-radix code per record, last column fastest; zeros without columns.

    Each step works in the smallest integer type that holds its codes: one byte as long as
    possible, because numpy handles many bytes at a time.
    """
    code: NDArray[np.unsignedinteger] = np.zeros(records, dtype=np.uint8)
    size = 1
    for column, cardinality in zip(columns, cardinalities, strict=True):
        size *= cardinality
        kind = np.min_scalar_type(size - 1)
        if size == cardinality:  # all before had one state
            code = column.astype(kind)
            continue
        code = code.astype(kind, copy=False)
        code *= kind.type(cardinality)
        code += column
    return code


class Reading(NamedTuple):
    """How one family is read from a packed table: sum some axes, reorder the rest."""

    table: int
    summed: tuple[int, ...]
    order: tuple[int, ...]

    def read(self, tables: Sequence[Array]) -> Array:
        """The family's table."""
        summed: Array = np.asarray(tables[self.table].sum(axis=self.summed))
        return summed.transpose(self.order)


class Packing(NamedTuple):
    """Packed tables, as positions of variables in ascending order, and a reading per family."""

    tables: tuple[Family, ...]
    readings: tuple[Reading, ...]


@functools.lru_cache(maxsize=256)
def pack(
    cardinalities: tuple[int, ...], families: tuple[Family, ...], limit: int = PACKED_CELLS
) -> Packing:
    """The packing of families over variables with these cardinalities; compiled once."""
    tables = _packed([frozenset(f) for f in families], cardinalities, limit)
    home: dict[frozenset[int], int] = {}
    readings = []
    for family in families:
        held = frozenset(family)
        if held not in home:
            home[held] = next(i for i, t in enumerate(tables) if held <= t)
        axes = sorted(tables[home[held]])
        kept = sorted(family)
        readings.append(
            Reading(
                home[held],
                tuple(a for a, variable in enumerate(axes) if variable not in held),
                tuple(kept.index(variable) for variable in family),
            )
        )
    return Packing(tuple(tuple(sorted(t)) for t in tables), tuple(readings))


def _packed(
    families: list[frozenset[int]], cardinalities: Sequence[int], limit: int
) -> list[frozenset[int]]:
    """Few sets of variables such that each family lies inside one.

    Greedy: the largest family left opens a table; then, while the table stays small enough, the
    family that enlarges it least for its own size joins.
    """
    rest = sorted(dict.fromkeys(families), key=lambda f: -math.prod(cardinalities[v] for v in f))
    inside = np.zeros((len(rest), len(cardinalities)))
    for row, family in enumerate(rest):
        inside[row, list(family)] = 1
    logs = np.log(cardinalities) if cardinalities else np.zeros(0)
    sizes = inside @ logs
    waiting = np.ones(len(rest), dtype=bool)
    tables = []
    while waiting.any():
        chosen = int(np.argmax(waiting))
        table: frozenset[int] = frozenset()
        growth = sizes.copy()
        while True:
            waiting[chosen] = False
            added = list(rest[chosen] - table)
            table |= rest[chosen]
            growth -= inside[:, added] @ logs[added]
            room = math.log(limit) - math.fsum(logs[list(table)])
            fits = waiting & (growth <= room + 1e-9)
            if not fits.any():
                break
            share = np.where(fits, growth / np.maximum(sizes, 1e-9), np.inf)
            chosen = int(np.argmin(share))
        tables.append(table)
    return tables
