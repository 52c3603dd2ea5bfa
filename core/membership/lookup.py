"""Where each record of each pool falls in every table; sums over tables of looked-up numbers.

Scoring an attack, counting a pool and finding a record's leverage are all the same walk: a
record's cell in each family's table. Families are packed into few tables (:mod:`core.packing`), so
the walk is one code and one gather for each packed table instead of one for each family.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.packing import Family, Packing, encode, pack
from core.table import Array, Variable

CHUNK = 2**15
"""Records looked up at a time: their codes and sums stay in cache."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """Codes of ``pools`` groups of equally many records in the packed tables of some families."""

    families: tuple[Family, ...]
    cardinalities: tuple[int, ...]
    packing: Packing
    codes: tuple[NDArray[np.unsignedinteger], ...]
    pools: int

    @classmethod
    def of(
        cls, dataset: Dataset, families: Sequence[tuple[Variable, ...]], pools: int = 1
    ) -> Lookup:
        """The records of a dataset, pool after pool. Reads the private rows."""
        if dataset.records % pools:
            raise EquipoiseError(
                f"{dataset.records:,} records do not make {pools} pools of equal size"
            )
        position = {v.name: j for j, v in enumerate(dataset.variables)}
        places = tuple(tuple(position[v.name] for v in family) for family in families)
        sizes = tuple(v.cardinality for v in dataset.variables)
        columns = tuple(dataset.codes[:, j] for j in range(len(sizes)))
        return cls(places, sizes, pack(sizes, places), columns, pools)

    @property
    def records(self) -> int:
        """Records of each pool."""
        return self.codes[0].size // self.pools

    def _shape(self, table: int) -> tuple[int, ...]:
        return tuple(self.cardinalities[j] for j in self.packing.tables[table])

    def _codes(self, table: int, start: int, stop: int) -> NDArray[np.unsignedinteger]:
        picked = [self.codes[j][start:stop] for j in self.packing.tables[table]]
        return encode(picked, self._shape(table), stop - start)

    def counts(self) -> tuple[Array, ...]:
        """Contingency table of each family in each pool: ``(pools, *shape)``."""
        packed = []
        for table in range(len(self.packing.tables)):
            shape = self._shape(table)
            table_counts = np.empty((self.pools, math.prod(shape)))
            for pool in range(self.pools):
                start = pool * self.records
                code = self._codes(table, start, start + self.records)
                table_counts[pool] = np.bincount(code, minlength=table_counts.shape[1])
            packed.append(table_counts.reshape(self.pools, *shape))
        tables = []
        for reading in self.packing.readings:
            summed = packed[reading.table].sum(axis=tuple(a + 1 for a in reading.summed))
            tables.append(summed.transpose(0, *(a + 1 for a in reading.order)))
        return tuple(tables)

    def sums(self, tables: Sequence[Array]) -> Array:
        """Sum over families of the record's entry: ``(pools, records)``.

        ``tables[i]`` is ``(pools, *shape)`` of family i, or without the pools where they share it.
        """
        merged = self.merged(tables)
        totals = np.zeros((self.pools, self.records))
        for pool in range(self.pools):
            offset = pool * self.records
            for start in range(0, self.records, CHUNK):
                stop = min(start + CHUNK, self.records)
                out = totals[pool, start:stop]
                for table, values in enumerate(merged):
                    code = self._codes(table, offset + start, offset + stop)
                    out += values[pool if len(values) > 1 else 0].take(code)
        return totals

    def merged(self, tables: Sequence[Array]) -> list[Array]:
        """One table ``(pools or 1, cells)`` for each packed table: its families' entries added."""
        merged = [np.zeros((1, *self._shape(t))) for t in range(len(self.packing.tables))]
        for family, reading, values in zip(
            self.families, self.packing.readings, tables, strict=True
        ):
            lead = values.ndim - len(family)
            order = np.argsort(family)  # packed axes are in ascending order of position
            axes = self.packing.tables[reading.table]
            shape = tuple(self.cardinalities[j] if j in family else 1 for j in axes)
            spread = values.transpose(*range(lead), *(lead + int(a) for a in order))
            part = spread.reshape(-1, *shape)
            if len(part) > len(merged[reading.table]):
                merged[reading.table] = merged[reading.table] + part
            else:
                merged[reading.table] += part
        return [table.reshape(len(table), -1) for table in merged]
