"""Model: a network with its conditionals; from tables of counts to conditionals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.layout import Layout
from core.network import Network
from core.table import Array, Table

ROW_TOLERANCE = 1e-6
"""How far a conditional row may be from summing to one."""

ROUNDING = 1e-12
"""A row this close to one is kept as it is, so that a model written and read again is equal."""


@dataclass(frozen=True, eq=False)
class Model:
    """A network and its conditionals, packed: ``values.shape == (*replicates, cells)``.

    ``network.layout`` says where each family lies. Packed, because errors, noise and normalising
    then touch one array; ``conditional(i)`` is the named view of one family.
    """

    network: Network
    values: Array

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64)
        if values.shape[-1:] != (self.network.layout.size,):
            raise EquipoiseError(
                f"conditionals of shape {values.shape} do not fit a network of "
                f"{self.network.layout.size} cells"
            )
        if values.flags.writeable:
            values = values.copy()
            values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return (Model, (self.network, self.values))

    @classmethod
    def from_conditionals(cls, network: Network, arrays: Sequence[Array]) -> Model:
        """A model from one array per variable (parents in order, child last); rows are checked."""
        layout = network.layout
        values = layout.pack([np.asarray(a, dtype=np.float64) for a in arrays])
        with np.errstate(over="ignore"):  # a sum beyond a float is wrong as well
            totals = layout.row_totals(values)
        wrong = ~(np.abs(totals - 1) <= ROW_TOLERANCE) | ~np.isfinite(totals)
        low = values.min(axis=-1) if values.size else np.zeros(())
        if wrong.any():
            row = int(np.argwhere(wrong.reshape(-1, layout.row_count))[0, 1])
            raise EquipoiseError(_row_message(network, row, float(totals[..., row].flat[0])))
        if np.any(low < 0):
            cell = int(np.argmin(values.reshape(-1, layout.size).min(axis=0)))
            owner = next(i for i, s in enumerate(layout.slices) if s.start <= cell < s.stop)
            raise EquipoiseError(
                f"the conditional of {network.names[owner]!r} has a negative probability; "
                "probabilities lie between 0 and 1"
            )
        totals[np.abs(totals - 1) <= ROUNDING] = 1.0
        return cls(network, _normalised(values, totals, layout))

    @property
    def replicates(self) -> tuple[int, ...]:
        """Shape of the leading axes."""
        return self.values.shape[:-1]

    def conditional(self, variable: int) -> Table:
        """P(variable | parents): parents first, the variable last."""
        family = self.network.families[variable]
        return Table(family, self.network.layout.unpack(self.values, variable))

    @cached_property
    def conditionals(self) -> tuple[Table, ...]:
        """All conditionals, in the network's order."""
        return tuple(self.conditional(i) for i in range(len(self.network.variables)))


def _row_message(network: Network, row: int, total: float) -> str:
    layout = network.layout
    owner = int(layout.row_owner[row])
    shape = layout.shapes[owner][:-1]
    setting = np.unravel_index(row - layout.row_slices[owner].start, shape) if shape else ()
    given = ", ".join(
        f"{v.name}={v.states[int(code)]}"
        for v, code in zip(network.families[owner][:-1], setting, strict=True)
    )
    where = f" given {given}" if given else ""
    return (
        f"the probabilities of {network.names[owner]!r}{where} sum to {total:g}; "
        "every row must sum to 1"
    )


def _normalised(values: Array, totals: Array, layout: Layout) -> Array:
    """Rows divided by their totals, in place where possible."""
    for block in layout.blocks:
        rows = layout.rows(values, block)
        rows /= totals[..., block.rows, None]
    return values


def fit(network: Network, flat: Array, prior: float = 0.0) -> Model:
    """Conditionals from packed tables of counts, noisy or exact.

    Negative cells become zero, rows are normalised; a row without mass takes the variable's own
    marginal over all rows, and uniform where that has no mass either. ``prior`` is a Dirichlet
    pseudo-count added to every cell. ``flat`` is overwritten.
    """
    layout = network.layout
    np.maximum(flat, 0, out=flat)
    if prior:
        flat += prior
    totals = layout.row_totals(flat)
    empty = totals <= 0
    if empty.any():
        _fill_empty(flat, totals, empty, network)
    flat = _normalised(flat, totals, layout)
    flat.flags.writeable = False
    return Model(network, flat)


def _fill_empty(flat: Array, totals: Array, empty: NDArray[np.bool_], network: Network) -> None:
    layout = network.layout
    for family in np.unique(layout.row_owner[empty.reshape(-1, layout.row_count).any(axis=0)]):
        where = layout.row_slices[family]
        table = flat[..., layout.slices[family]]
        rows = table.reshape(*table.shape[:-1], -1, layout.shapes[family][-1])
        own = rows.sum(axis=-2)
        own[own.sum(axis=-1) <= 0] = 1.0
        hole = empty[..., where]
        np.copyto(rows, own[..., None, :], where=hole[..., None])
        np.copyto(totals[..., where], own.sum(axis=-1)[..., None], where=hole)
