"""How far each way to synthetic records is expected to be off, by public facts alone.

Mean total variation distance of two-way tables. ``DEPENDENCE`` is that of independent columns, a
guess that is the same for all data; noise of a table that is filtered is never worse than it
(d x / (d + x)); every ``REACH`` tables for each column leave 1/e of what was not yet known. Chosen
on Adult, sachs and, in pure ε, three generated tables (docs/methods.md).
"""

import functools
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.synthesis.joint_tables import merged_tables, weight
from core.synthesis.measuring import Columns, Purse
from core.table import Variable

WIDEST = 7
TRIES = 25
"""Greedy coverings of which the smallest is kept, each from a public seed."""


@dataclass(frozen=True)
class Covering:
    """Blocks of ``width`` columns that have about so many ``states`` each."""

    blocks: tuple[Columns, ...]
    width: int
    states: float

    def noise(self, gaussian: bool) -> float:
        """Noise of a pair's cell, up to a factor: more blocks, or more cells in each."""
        blocks = len(self.blocks)
        spent = blocks**0.5 if gaussian else blocks
        return float(spent * self.states ** ((self.width - 2) / 2))


@functools.lru_cache(maxsize=64)
def best_covering(columns: int, states: float, gaussian: bool) -> Covering:
    """The covering with the least noise on a pair."""
    widths = range(2, min(WIDEST, columns) + 1)
    known = [Covering(covering(columns, width), width, states) for width in widths]
    return min(known, key=lambda own: own.noise(gaussian))


@functools.lru_cache(maxsize=256)
def covering(columns: int, width: int) -> tuple[Columns, ...]:
    """Blocks of ``width`` columns that hold every pair; the fewest of some greedy tries."""
    if width == 2:
        return tuple(itertools.combinations(range(columns), 2))
    rng = np.random.default_rng([columns, width])
    return min((_greedy(columns, width, rng=rng) for _ in range(TRIES)), key=len)


def _greedy(columns: int, width: int, *, rng: np.random.Generator) -> tuple[Columns, ...]:
    """Blocks begun at the column with most pairs to cover, then the one that covers most."""
    open_pairs = ~np.eye(columns, dtype=np.bool_)
    blocks = []
    while open_pairs.any():
        lot = rng.permutation(columns) / (2 * columns)
        block = [int(np.argmax(open_pairs.sum(axis=1) + lot))]
        while len(block) < width:
            gain = 10.0 * columns * open_pairs[block].sum(axis=0) + open_pairs.sum(axis=1) + lot
            gain[block] = -1
            block.append(int(np.argmax(gain)))
        open_pairs[np.ix_(block, block)] = False
        blocks.append(tuple(sorted(block)))
    return tuple(blocks)


DEPENDENCE = 0.07

REACH = 0.8
"""Tables for each column after which 1/e is not yet known."""

TOLD = 0.9
"""Part of the noise on single columns that tables take away where they are believed; pure ε."""

SMALL, GROWTH = 9, 0.7
"""In pure ε filtering leaves noise that grows by this power of the cells in tables of more than so
many."""


def choosing(purse: Purse) -> float:
    """Part of what is spent on a table that goes to choosing it."""
    return 0.06 if purse.gaussian else 0.15


FIRST = (0.05, 0.07, 0.1, 0.15, 0.2, 0.3)
"""Parts for tables of single columns that are looked at."""

MOST_TABLES = 3.5
"""Tables for each column that are looked at, at most."""

FEW_STATES, FEW_COLUMNS = 2, 40
"""Views are for columns of at most so many states, and so many of them: on sachs, which has three,
hidden classes lose to pairs."""


@dataclass(frozen=True)
class WayForecast:
    """One way: the error expected, the part for single columns, how many tables come after."""

    way: str
    error: float
    first: float
    tables: int


def forecasts(variables: Sequence[Variable], purse: Purse, records: float) -> list[WayForecast]:
    """The best plan of every way that can be gone, as it was expected before spending."""
    sizes = [v.cardinality for v in variables]
    amount, count = purse.total, len(sizes)
    only = _singles(sizes, purse, amount, records)
    plans = [WayForecast("independent", only + DEPENDENCE, 1.0, 0)]
    most = round(min(math.comb(count, 2), MOST_TABLES * count))
    grown: list[WayForecast] = []
    for first in FIRST:
        for tables in sorted({count - 1, *range(count, most + 1, max(1, count // 5))}):
            way = "tree" if tables == count - 1 else "adaptive"
            alone = _singles(sizes, purse, first * amount, records)
            off = _grown(sizes, purse, (1 - first) * amount, records, tables, alone)
            grown.append(WayForecast(way, off, first, tables))
    for way in ("tree", "adaptive"):
        own = [plan for plan in grown if plan.way == way]
        plans += [min(own, key=lambda plan: plan.error)] if own else []
    covering = view_covering(variables, purse)
    if covering is not None:
        plans.append(
            WayForecast("views", _viewed(covering, purse, records), 0.0, len(covering.blocks))
        )
    return plans


def view_covering(variables: Sequence[Variable], purse: Purse) -> Covering | None:
    """The covering of all pairs with the least noise; none where columns have too many states."""
    sizes = [v.cardinality for v in variables]
    if max(sizes) > FEW_STATES or not 3 <= len(sizes) <= FEW_COLUMNS:
        return None
    return best_covering(
        len(sizes), math.exp(statistics.fmean(map(math.log, sizes))), purse.gaussian
    )


@dataclass(frozen=True)
class Merging:
    """What measuring tables together does: their noise over what it was, pairs held by a table."""

    singles: float = 1.0
    pairs: float = 1.0
    held: float = 1.0


@functools.lru_cache(maxsize=64)
def merging(sizes: tuple[int, ...], gaussian: bool) -> Merging:
    """The same for some columns, as if the pairs chosen were a path through all of them.

    Nothing with Gaussian noise, and nothing where views may be taken: those are held against pairs
    that are measured alone, since neither forecast knows whether hidden classes fit.
    """
    if gaussian or len(sizes) < 2 or max(sizes) <= FEW_STATES:
        return Merging()
    columns = range(len(sizes))
    alone: list[Columns] = [(column,) for column in columns]
    path: list[Columns] = list(itertools.pairwise(columns))
    left = []
    for wanted in (alone, path):
        tables = merged_tables(wanted, sizes, lambda _: True)
        roots = [sum(weight(t, wanted, sizes) ** 0.5 for t in own) for own in (wanted, tables)]
        left.append((roots[1] / roots[0]) ** 2)
    held = sum(math.comb(len(table), 2) for table in tables)
    return Merging(left[0], left[1], held / len(path))


def _off(cells: float, deviation: float, records: float) -> float:
    """Half the expected L1 distance of a table of so many cells of Gaussian noise."""
    return 0.5 * math.sqrt(2 / math.pi) * cells * deviation / max(records, 1.0)


def _singles(sizes: Sequence[int], purse: Purse, amount: float, records: float) -> float:
    """What noise on single columns adds to pairs."""
    deviation = purse.deviation(amount / len(sizes)) * merging(tuple(sizes), purse.gaussian).singles
    return 0.5 * _off(statistics.fmean(sizes), deviation, records)


def _grown(
    sizes: Sequence[int], purse: Purse, amount: float, records: float, tables: int, alone: float
) -> float:
    """Pairs measured one after the other: their noise, what is not yet known, and single columns.

    ``alone`` is what noise on single columns adds. In pure ε tables as far as they are believed,
    d / (d + x), tell most of single columns too.
    """
    cells = statistics.median(a * b for i, a in enumerate(sizes) for b in sizes[:i])
    if not purse.gaussian and cells > SMALL:
        cells = SMALL * (cells / SMALL) ** GROWTH
    together = merging(tuple(sizes), purse.gaussian)
    deviation = purse.deviation((1 - choosing(purse)) * amount / tables) * together.pairs
    noise = _off(cells, deviation, records)
    believed = DEPENDENCE / (DEPENDENCE + noise)
    left = believed * noise
    told = 1.0 if purse.gaussian else 1 - TOLD * believed
    unknown = (DEPENDENCE - left) * math.exp(-tables * together.held / (REACH * len(sizes)))
    return told * alone + left + unknown


def _viewed(covering: Covering, purse: Purse, records: float) -> float:
    """Pairs as sums of views."""
    deviation = purse.deviation(purse.total / len(covering.blocks))
    cells = covering.states**2
    noise = _off(cells, deviation * covering.states ** ((covering.width - 2) / 2), records)
    return DEPENDENCE * noise / (DEPENDENCE + noise)
