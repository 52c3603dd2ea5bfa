"""Variables and tables: arrays whose trailing axes have names, replicates in front."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError, repeated

Array = NDArray[np.float64]

CELL_LIMIT = 2**22
"""Most cells any one table, family or clique may have (32 MiB of float64 for one replicate)."""


@dataclass(frozen=True)
class Variable:
    """A named quantity with a public, ordered list of states."""

    name: str
    states: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", tuple(self.states))
        if not self.name:
            raise EquipoiseError("a variable has an empty name; give every variable a name")
        if not self.states:
            raise EquipoiseError(f"variable {self.name!r} has no states; list at least one")
        if len(set(self.states)) < len(self.states):
            twice = repeated(self.states)
            raise EquipoiseError(
                f"variable {self.name!r} lists the state {twice!r} twice; state names must differ"
            )

    @property
    def cardinality(self) -> int:
        """Number of states."""
        return len(self.states)

    @cached_property
    def code_of(self) -> dict[str, int]:
        """Position of each state."""
        return {state: code for code, state in enumerate(self.states)}

    def code(self, state: str) -> int:
        """Position of a state, refusing one the domain lacks."""
        try:
            return self.code_of[state]
        except KeyError:
            known = ", ".join(self.states[:6]) + (", ..." if self.cardinality > 6 else "")
            raise EquipoiseError(
                f"variable {self.name!r} has no state {state!r}; it has {known}"
            ) from None


def cells(variables: Sequence[Variable]) -> int:
    """Number of cells of a table over these variables (exact, no overflow)."""
    return math.prod(v.cardinality for v in variables)


def replicates_last(values: Array) -> Array:
    """``(*replicates, cells)`` as ``(cells, all replicates)``: numpy's inner loops are longest."""
    return np.ascontiguousarray(values.reshape(-1, values.shape[-1]).T)


@dataclass(frozen=True, eq=False)
class Table:
    """Values over named variables: ``values.shape == (*replicates, *cardinalities)``."""

    variables: tuple[Variable, ...]
    values: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(self.variables))
        values = np.asarray(self.values, dtype=np.float64)
        if values.flags.writeable:
            values = values.copy()
            values.flags.writeable = False
        object.__setattr__(self, "values", values)
        shape = tuple(v.cardinality for v in self.variables)
        if values.shape[values.ndim - len(shape) :] != shape or values.ndim < len(shape):
            raise EquipoiseError(
                f"a table over {self.names} needs trailing shape {shape}; its values have "
                f"shape {values.shape}"
            )

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return (Table, (self.variables, self.values))  # keeps arrays read-only through pickling

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the axes, in order."""
        return tuple(v.name for v in self.variables)

    @property
    def replicates(self) -> tuple[int, ...]:
        """Shape of the leading axes."""
        return self.values.shape[: self.values.ndim - len(self.variables)]

    def _axis(self, name: str) -> int:
        if name not in self.names:
            raise EquipoiseError(f"no variable {name!r} in a table over {self.names}")
        return self.names.index(name) - len(self.variables)

    def marginal(self, names: Sequence[str]) -> Table:
        """Table over ``names`` (in that order), everything else summed out."""
        kept = [self._axis(name) for name in names]
        gone = tuple(a for a in range(-len(self.variables), 0) if a not in kept)
        summed = np.asarray(self.values.sum(axis=gone) if gone else self.values)
        summed.flags.writeable = False  # fresh or already read-only: no second copy
        order = [sorted(kept).index(a) for a in kept]
        lead = summed.ndim - len(kept)
        axes = (*range(lead), *(lead + o for o in order))
        return Table(tuple(self.variables[a] for a in kept), summed.transpose(axes))

    def multiply(self, other: Table) -> Table:
        """Product over the union of both sets of variables, replicates broadcast."""
        union = self.variables + tuple(v for v in other.variables if v not in self.variables)
        if cells(union) > CELL_LIMIT:
            raise EquipoiseError(
                f"the product over {tuple(v.name for v in union)} has {cells(union):,} cells; "
                f"at most {CELL_LIMIT:,} are allowed"
            )
        values = np.asarray(self._spread(union) * other._spread(union))
        values.flags.writeable = False
        return Table(union, values)

    def _spread(self, union: Sequence[Variable]) -> Array:
        own = [v for v in union if v in self.variables]
        values = self.marginal([v.name for v in own]).values
        shape = self.replicates + tuple(v.cardinality if v in own else 1 for v in union)
        return values.reshape(shape)

    def given(self, evidence: Mapping[str, str]) -> Table:
        """Slice at the given states; the named variables leave the table."""
        index: list[slice | int] = [slice(None)] * len(self.variables)
        for name, state in evidence.items():
            axis = self._axis(name)
            index[axis] = self.variables[axis].code(state)
        rest = tuple(v for v in self.variables if v.name not in evidence)
        return Table(rest, self.values[(..., *index)])
