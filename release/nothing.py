"""Nothing: a source without records, on which a method shows what it plans before it has looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import EquipoiseError
from core.table import Array, Table, Variable


@dataclass(frozen=True)
class Nothing:
    """Tables of zeros; ``asked`` remembers the families, ``known`` a public number of records.

    The table of no variable holds that number: a method that learns its graph begins with it.
    """

    known: int | None = None
    asked: list[tuple[tuple[Variable, ...], ...]] = field(default_factory=list)

    @property
    def records(self) -> int:
        """The public number of records; without one there is none to be had."""
        if self.known is None:
            raise EquipoiseError("a release may not use the number of records; it is private")
        return self.known

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Tables of zeros."""
        self.asked.append(tuple(families))
        return tuple(Table(f, self._zeros(f)) for f in families)

    def _zeros(self, family: tuple[Variable, ...]) -> Array:
        return np.zeros([v.cardinality for v in family]) if family else np.array(self.known or 0.0)
