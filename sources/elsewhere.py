"""Counts of records that stay where they are: packed tables, asked for together, checked, kept.

Only the counts come here. A value that is no state is refused by its column, never by its value.
All tables speak of one snapshot: their totals and the counts of each column must agree, in one
statement and from one statement to the next, or nothing is answered.
"""

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.counts import positions
from core.errors import EquipoiseError
from core.membership.leverage import Support, cell_leverages
from core.membership.lookup import Lookup
from core.network import Network
from core.packing import PACKED_CELLS, Family, pack
from core.table import Array, Table, Variable
from sources.coding import Coding
from sources.text import shown
from sources.units import Unit
from sources.watch import Watch

TOGETHER = 64
"""Most packed tables of one statement."""

OCTAVE = 512
"""Groups of leverages for each doubling: finer than any picture."""


@dataclass(frozen=True)
class RowsAsked:
    """What is read off the rows: coded columns, and those whose gaps drop a row."""

    codings: tuple[Coding, ...]
    unit: Unit | None = None
    gaps: frozenset[int] = frozenset()

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """States of each column."""
        return tuple(coding.variable.cardinality for coding in self.codings)

    def needed(self, tables: Sequence[Family]) -> list[int]:
        """Columns that tables and dropping are about; a bound on units looks at all."""
        if self.unit:
            return list(range(len(self.codings)))
        return sorted({*self.gaps}.union(*tables))


@dataclass(frozen=True, eq=False)
class PackedTally:
    """Counts of some packed tables, and which columns have values that are no state or missing."""

    tables: tuple[NDArray[np.int64], ...]
    totals: tuple[int, ...]
    wrong: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()
    nobody: bool = False


@dataclass(frozen=True, eq=False)
class Weights:
    """Members by group of leverage: how many, their sum, and members by rarest cell."""

    members: dict[int, tuple[int, float]]
    rarest: tuple[int, ...]
    most: float


@dataclass(eq=False)
class Elsewhere(ABC):
    """A ``CountSource`` whose rows are not here; ``name`` is what people call it.

    ``identity`` is where the table is, without user and password; ``limit`` the most cells of a
    packed table; ``watch`` hears how far a count is, and can stop it.
    """

    name: str
    identity: str = field(repr=False)
    asked: RowsAsked
    limit: int = PACKED_CELLS
    watch: Watch = field(default_factory=Watch, repr=False)
    _held: dict[Family, NDArray[np.int64]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @abstractmethod
    def _counted(self, tables: Sequence[Family], asked: RowsAsked) -> PackedTally:
        """Count these packed tables, in one statement."""

    @abstractmethod
    def _weighed(self, tables: Sequence[Family], values: Sequence[tuple[Array, Array]]) -> Weights:
        """Sum for each record the first value of its cell in each table; the least of the second.

        Grouped by leverage (:func:`group_of`); records are given back in no other way.
        """

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The columns, with every further state."""
        return tuple(coding.variable for coding in self.asked.codings)

    @property
    def records(self) -> int:
        """Number of records."""
        return int(next(iter(self._held.values())).sum())

    def open(self, families: Sequence[tuple[Variable, ...]]) -> None:
        """Count these families and every column, and keep them: later counts must agree."""
        with self._lock:
            columns = [(variable,) for variable in self.variables]
            wanted = positions(self.variables, [*families, *columns])
            packing = pack(self.asked.cardinalities, wanted, self.limit)
            counted = [t for part in _parts(packing.tables) for t in self._checked(part).tables]
            self._held = dict(zip(packing.tables, counted, strict=True))
            self._agree(packing.tables, counted)
            if not self.records:
                raise EquipoiseError(f"{self.name} has no rows to count; add the records")

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Read off what was counted first, or counted there and then, many tables at a time."""
        wanted = positions(self.variables, families)
        with self._lock:
            tables = dict(self._held)
            new = tuple(f for f in wanted if not any(set(f) <= set(t) for t in tables))
            if new:
                packed = pack(self.asked.cardinalities, new, self.limit).tables
                for part in _parts(packed):
                    counted = self._checked(part).tables
                    self._agree(part, counted)
                    tables |= dict(zip(part, counted, strict=True))
        return tuple(
            Table(family, _read(place, tables))
            for family, place in zip(families, wanted, strict=True)
        )

    def support(self, network: Network) -> Support:
        """Leverages and rarest cells of all records, added up where the rows are."""
        counts = self.counts(network.families)
        packed = network.layout.pack([table.values for table in counts])
        leverages = cell_leverages(network, packed)
        places = positions(self.variables, network.families)
        sizes = self.asked.cardinalities
        packing = pack(sizes, places, self.limit)
        own = [network.layout.unpack(leverages, i) for i in range(len(places))]
        sums = Lookup(places, sizes, packing, (), 1).merged(own)
        least = [np.full([sizes[j] for j in table], 5.0) for table in packing.tables]
        for place, reading, table in zip(places, packing.readings, counts, strict=True):
            axes = packing.tables[reading.table]
            spread = np.clip(table.values, 1, 5).transpose(np.argsort(place))
            shape = [sizes[j] if j in place else 1 for j in axes]
            np.minimum(least[reading.table], spread.reshape(shape), out=least[reading.table])
        pairs = [(s.ravel(), few.ravel()) for s, few in zip(sums, least, strict=True)]
        with self._lock:
            weights = self._weighed(packing.tables, pairs)
        groups = sorted(weights.members.values(), key=lambda group: group[1] / group[0])
        members = np.array([float(n) for n, _ in groups])
        if int(members.sum()) != self.records:
            raise self.changed
        means = np.array([total / n for n, total in groups])
        return Support(means, weights.rarest, weights.most, members)

    @property
    def fingerprint(self) -> str:
        """Of the place and the counts of every column; keyed ones are the ledger's."""
        digest = hashlib.sha256(repr((self.identity, self.variables)).encode())
        for table in self.margins:
            digest.update(np.ascontiguousarray(table.values).tobytes())
        return digest.hexdigest()

    @property
    def margins(self) -> tuple[Table, ...]:
        """The counts of every column."""
        return tuple(
            Table((variable,), _read((j,), self._held)) for j, variable in enumerate(self.variables)
        )

    @property
    def changed(self) -> EquipoiseError:
        """What is said where two counts cannot both be true."""
        return EquipoiseError(
            f"{self.name} changed while it was counted, so its tables do not agree; nothing was "
            "used, so count again when nobody writes to it"
        )

    def _checked(self, tables: Sequence[Family]) -> PackedTally:
        """The counts, where every value is a state or is to be dropped."""
        tally = self._counted(tables, self.asked)
        drop = {j for j, c in enumerate(self.asked.codings) if c.missing == "drop"}
        gaps = tally.missing & drop
        if gaps - self.asked.gaps and not self._held:  # rows are dropped for what other tables lack
            self.asked = RowsAsked(self.asked.codings, self.asked.unit, self.asked.gaps | gaps)
            return self._checked(tables)
        self._refuse(tally, tally.missing - drop)
        if gaps or len(set(tally.totals)) > 1:
            raise self.changed
        return tally

    def _refuse(self, tally: PackedTally, missing: frozenset[int]) -> None:
        for j in sorted(tally.wrong | missing):
            column = shown(self.variables[j].name)
            if j in tally.wrong:
                raise EquipoiseError(
                    f"{self.name}: column {column} has values that are none of its states; "
                    "correct them or give the column those states, bins or an outside state"
                )
            raise EquipoiseError(
                f"{self.name}: column {column} has missing values; drop such rows or treat "
                "missing as a state"
            )
        if tally.nobody and self.asked.unit:
            raise EquipoiseError(
                f"{self.name}: a row names no unit in column {shown(self.asked.unit.column)}, so "
                "it cannot be bounded; fill it or leave such rows out"
            )

    def _agree(self, tables: Sequence[Family], counted: Sequence[NDArray[np.int64]]) -> None:
        """Refuse tables that are not of the records counted first, by total and by column."""
        for place, table in zip(tables, counted, strict=True):
            for axis, j in enumerate(place):
                others = tuple(a for a in range(len(place)) if a != axis)
                if not np.array_equal(table.sum(axis=others), _read((j,), self._held)):
                    raise self.changed
            if table.sum() != self.records:
                raise self.changed


def _parts(tables: Sequence[Family]) -> Iterator[tuple[Family, ...]]:
    for start in range(0, len(tables), TOGETHER):
        yield tuple(tables[start : start + TOGETHER])


def _read(place: Family, tables: dict[Family, NDArray[np.int64]]) -> Array:
    """The counts of some columns, from the first table that has them."""
    home = next(table for table in tables if set(place) <= set(table))
    kept = [j for j in home if j in place]
    summed = np.asarray(
        tables[home].sum(axis=tuple(a for a, j in enumerate(home) if j not in place)),
        dtype=np.float64,
    )
    return summed.transpose([kept.index(j) for j in place])


def grouped(
    leverages: Array, rarest: Array, add: Callable[[int, int, float], None]
) -> tuple[NDArray[np.int64], float]:
    """Members by rarest cell, and the largest leverage; ``add`` takes each group."""
    floor = np.maximum(leverages, 2.0**-40)
    groups = np.floor(np.log2(floor) * OCTAVE).astype(np.int64)
    low = int(groups.min())
    members = np.bincount(groups - low)
    sums = np.bincount(groups - low, weights=leverages)
    for at in np.flatnonzero(members).tolist():
        add(at + low, int(members[at]), float(sums[at]))
    fewest = np.bincount(rarest.astype(np.int64), minlength=6).astype(np.int64)
    return fewest, float(leverages.max())
