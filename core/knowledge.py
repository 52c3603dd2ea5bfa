"""What is known about a network's conditionals without any record: tables, and impossible cells.

A known conditional (an OR, a code table) is not measured: it costs nothing and has no error. A
cell that cannot occur gets probability zero. Both are statements, never read off the records;
a wrong one makes the model wrong and leaves the guarantee as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.errors import EquipoiseError
from core.network import Network
from core.parameters import ROW_TOLERANCE
from core.table import Array, Variable, cells


@dataclass(frozen=True)
class PublicTable:
    """One number for each cell of a family: its variables, the child last and varying fastest.

    ``source`` is the name of the file that states it; empty for the network's own table.
    """

    family: tuple[Variable, ...]
    cells: tuple[float, ...]
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "family", tuple(self.family))
        object.__setattr__(self, "cells", tuple(map(float, self.cells)))
        if not self.family or len(self.cells) != cells(self.family):
            raise EquipoiseError(
                f"a table over {_listed(self.family)} is stated with {len(self.cells):,} numbers; "
                f"it has {cells(self.family):,} cells"
            )

    @property
    def name(self) -> str:
        """The variable that the table is about."""
        return self.family[-1].name

    @property
    def rows(self) -> Array:
        """``(settings of the parents, states)``."""
        return np.array(self.cells).reshape(-1, self.family[-1].cardinality)

    def checked_rows(self) -> PublicTable:
        """Itself if it is a conditional."""
        wrong = ~(np.abs(self.rows.sum(axis=1) - 1) <= ROW_TOLERANCE) | (self.rows < 0).any(axis=1)
        if wrong.any():
            raise EquipoiseError(
                f"the known table of {self.name!r} is no distribution {self._row(wrong)}; every "
                "row must sum to 1 without negative numbers"
            )
        return self

    def checked_support(self) -> PublicTable:
        """Itself if it marks cells by one and zero and leaves a state for every setting."""
        closed = (self.rows == 0).all(axis=1)
        if closed.any() or not ((self.rows == 0) | (self.rows == 1)).all():
            raise EquipoiseError(
                f"no state of {self.name!r} is left {self._row(closed)}; leave at least one "
                "possible for every setting of the parents"
            )
        return self

    def _row(self, which: Array) -> str:
        """The first row of a kind, in words."""
        shape = [v.cardinality for v in self.family[:-1]]
        codes = np.unravel_index(int(np.argmax(which)), shape) if shape else ()
        given = [f"{v.name}={v.states[int(k)]}" for v, k in zip(self.family, codes, strict=False)]
        return f"given {', '.join(given)}" if given else "of its only row"

    def fits(self, network: Network) -> bool:
        """Whether the network has this family, with these states, in any order of parents."""
        place = network.position.get(self.name, len(network.families))
        return place < len(network.families) and (
            set(network.families[place]) == set(self.family)
            and len(network.families[place]) == len(self.family)
        )

    def on(self, network: Network) -> Array:
        """The numbers in the order of the network's family; refused where that is another."""
        own = network.families[network.index(self.name)]
        if not self.fits(network):
            raise EquipoiseError(
                f"the table stated for {self.name!r} is over {_listed(self.family)}, and the "
                f"network has {_listed(own)}; state it for this family and these states"
            )
        values = np.array(self.cells).reshape([v.cardinality for v in self.family])
        return values.transpose([self.family.index(v) for v in own]).ravel()


def _listed(family: Iterable[Variable]) -> str:
    return ", ".join(f"{v.name} ({v.cardinality} states)" for v in family)


def fitting(stated: Iterable[PublicTable], network: Network) -> tuple[PublicTable, ...]:
    """Those whose family the network has."""
    return tuple(one for one in stated if one.fits(network))


@functools.lru_cache(maxsize=64)
def tabled(network: Network, known: tuple[PublicTable, ...]) -> Network:
    """The network without tables of what is known: what has to be measured, and can tell."""
    for one in known:
        one.on(network)
    return network.without_tables([one.name for one in known]) if known else network


def narrowed(flat: Array, network: Network, part: Network) -> Array:
    """Packed tables of the whole as those of a part."""
    own = [network.position[family[-1].name] for family in part.families]
    return part.layout.pack([network.layout.unpack(flat, i) for i in own])


def widened(flat: Array, part: Network, network: Network) -> Array:
    """Packed tables of a part as those of the whole; zero where a table is known."""
    whole = np.zeros((*flat.shape[:-1], network.layout.size))
    for name, where in zip(part.names, part.layout.slices, strict=False):
        whole[..., network.layout.slices[network.position[name]]] = flat[..., where]
    return whole


def settled(
    values: Array, network: Network, known: Iterable[PublicTable], possible: Iterable[PublicTable]
) -> Array:
    """Packed conditionals with known tables put in and impossible cells at zero, in place.

    A row is conditioned on what is possible, which is its projection on the support by
    Kullback-Leibler divergence; a row without mass there is uniform over it.
    """
    for one in known:
        values[..., network.layout.slices[network.index(one.name)]] = one.on(network)
    for one in possible:
        place = network.index(one.name)
        part = values[..., network.layout.slices[place]]
        rows = part.reshape(*part.shape[:-1], -1, network.variables[place].cardinality)
        support = one.on(network).reshape(rows.shape[-2:])
        kept = rows * support
        kept = np.where(kept.sum(axis=-1, keepdims=True) > 0, kept, support)
        rows[...] = kept / kept.sum(axis=-1, keepdims=True)
        part[...] = rows.reshape(part.shape)
    return values
