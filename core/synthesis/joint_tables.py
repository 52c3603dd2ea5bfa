"""Tables that are measured as one, where that leaves less noise in pure ε.

T tables of Laplace noise cost T. Two pairs that share a column of r states are told by one table
over three columns as well: its noise is half as large, and r of its cells make one of a pair's, so
a pair's noise is sqrt(r) / 2 of what it was. With Gaussian noise T tables cost sqrt(T), and nothing
is gained.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.synthesis.measuring import Columns
from core.table import Array

MOST_CELLS, MOST_COLUMNS = 128, 3
"""Of one table; four columns were no better."""

RAKED = 12
"""Passes over the pairs of an expected table."""


def weight(table: Columns, wanted: Sequence[Columns], sizes: Sequence[int]) -> float:
    """Noise that a table for a unit of ε leaves in those wanted tables that it holds.

    The least total over tables that share ε is the square of the sum of these numbers' roots.
    """
    cells, own = math.prod(sizes[c] for c in table), set(table)
    held = (columns for columns in wanted if own.issuperset(columns))
    return sum(math.sqrt(cells * math.prod(sizes[c] for c in columns)) for columns in held)


def merged_tables(
    wanted: Sequence[Columns], sizes: Sequence[int], fits: Callable[[list[Columns]], bool]
) -> list[Columns]:
    """Tables that hold all that are wanted: merged while that leaves less noise and they fit."""
    tables = list(wanted)
    while True:
        for together in _merges(tables, wanted, sizes):
            kept = [t for t in tables if not set(t).issubset(together)] + [together]
            if fits(kept):
                tables = kept
                break
        else:
            return tables


def _merges(
    tables: Sequence[Columns], wanted: Sequence[Columns], sizes: Sequence[int]
) -> list[Columns]:
    """Unions of two tables that leave less noise, the best first."""
    roots = {table: math.sqrt(weight(table, wanted, sizes)) for table in tables}
    gains: dict[Columns, float] = {}
    for one, other in itertools.combinations(tables, 2):
        union = tuple(sorted({*one, *other}))
        small = math.prod(sizes[c] for c in union) <= MOST_CELLS and len(union) <= MOST_COLUMNS
        if small and union not in gains:
            before = sum(root for table, root in roots.items() if set(table).issubset(union))
            gains[union] = before - math.sqrt(weight(union, wanted, sizes))
    return sorted((u for u, gain in gains.items() if gain > 1e-9), key=lambda u: (-gains[u], u))


def expected_table(columns: Columns, pairs: Mapping[tuple[int, int], Array]) -> Array:
    """The distribution of maximum entropy with a model's pairs of these columns."""
    if len(columns) == 2:
        return pairs[columns[0], columns[1]]
    inside = list(itertools.combinations(range(len(columns)), 2))
    own: dict[Columns, Array] = {(a, b): pairs[columns[a], columns[b]] for a, b in inside}
    shape = [own[0, 1].shape[0], *(own[0, b].shape[1] for b in range(1, len(columns)))]
    return proportional(np.full(shape, 1 / math.prod(shape)), own, RAKED)


def proportional(table: Array, margins: Mapping[Columns, Array], passes: int) -> Array:
    """Proportional fitting: a table scaled to its sums over all but these axes, one by one."""
    for _ in range(passes):
        for kept, wanted in margins.items():
            gone = tuple(axis for axis in range(table.ndim) if axis not in kept)
            ratio = wanted / np.maximum(table.sum(axis=gone), 1e-300)
            table = table * np.expand_dims(ratio, gone)
    return table
