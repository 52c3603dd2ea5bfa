"""Mutual consistency of overlapping noisy tables, all replicates in one pass.

Two tables agree on their common variables exactly when they agree on every effect they share
(see :mod:`core.estimation.effects`). So: rotate each measured table to its effects, replace each
shared effect by its weighted mean over the tables that hold it, rotate back to the tables that are
wanted: the same ones, or any others whose effects were measured.

With weights ε_t this is the pass over all intersections in topological order of Chowdhury et al.
2019 (arXiv), section 8.2.1, Eqs. 17 and 18; with weights 1 / (variance_t · cells_t) it is the
generalised least-squares estimate. Both are tested against slow twins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import EquipoiseError
from core.estimation.effects import (
    DENSE,
    Axes,
    Index,
    Numbering,
    Tables,
    cells_of,
    kronecker,
    rotated,
)
from core.table import Array, replicates_last

ROUNDING = 1e-13
"""A change this small beside the largest effect is none: empty rows of exact tables stay empty."""


@dataclass(frozen=True, eq=False)
class Averaging:
    """Weighted means of effects: which coordinates hold the same one, and their shares."""

    coordinates: Index
    """Coordinates of the packed effects, those of one effect side by side."""
    starts: Index
    """Where each effect begins."""
    owner: Index
    """Table of each coordinate."""
    scale: Array
    share: Array
    """Scale times compiled weight, over the effect's total weight."""

    def means(self, held: Array, weights: Array | None) -> Array:
        """Mean of each effect, ``(effects, replicates)``; ``held`` is overwritten."""
        held *= self.shares(weights)
        return np.asarray(np.add.reduceat(held, self.starts, axis=0))

    def shares(self, weights: Array | None) -> Array:
        """What each coordinate counts in the mean of its effect: ``(coordinates, replicates)``."""
        if weights is None:
            return self.share[:, None]
        own = replicates_last(weights).take(self.owner, axis=0)
        total = np.add.reduceat(own, self.starts, axis=0)
        own *= self.scale[:, None]
        own /= np.repeat(total, self.sizes, axis=0)
        return own

    @cached_property
    def sizes(self) -> Index:
        """How many coordinates each effect has."""
        return np.diff(self.starts, append=len(self.coordinates))

    def where_shared(self) -> Averaging:
        """The same for effects that several tables hold."""
        sizes = self.sizes[self.sizes > 1]
        kept = np.repeat(self.sizes > 1, self.sizes)
        return Averaging(
            self.coordinates[kept],
            np.cumsum(sizes) - sizes,
            self.owner[kept],
            self.scale[kept],
            self.share[kept],
        )


@dataclass(frozen=True, eq=False)
class Overlap:
    """The shared coordinates of one table: ``rows`` of all of them, in ascending order."""

    cells: slice
    rows: slice
    axes: Axes
    coordinates: Index

    @cached_property
    def matrix(self) -> Array | None:
        """Contrasts of these coordinates, for a table small enough."""
        if cells_of(self.axes) > DENSE:
            return None
        return np.ascontiguousarray(kronecker(tuple(r for _, r in self.axes))[self.coordinates])

    def read(self, part: Array, out: Array) -> None:
        """The shared effects of a table."""
        if self.matrix is None:
            whole = np.empty(part.shape)
            rotated(part, self.axes, whole, inverse=False)
            out[:] = whole[self.coordinates]
        else:
            np.matmul(self.matrix, part, out=out)

    def add(self, change: Array, out: Array) -> None:
        """Adds a change of the shared effects to a table."""
        if self.matrix is None:
            spread = np.zeros(out.shape)
            spread[self.coordinates] = change
            whole = np.empty(out.shape)
            rotated(spread, self.axes, whole, inverse=True)
            out += whole
        else:
            out += self.matrix.T @ change


@dataclass(frozen=True, eq=False)
class ConsistencyPlan:
    """Compiled once for tables measured with given weights, and tables wanted."""

    measured: Tables
    wanted: Tables
    averaging: Averaging

    def apply(self, flat: Array, weights: Array | None = None) -> Array:
        """The wanted tables, consistent: ``(*replicates, cells)``.

        ``weights`` ``(*replicates, tables)`` replace the compiled ones. Inside, replicates come
        last: then whole rows are gathered, and every table is one matrix product.
        """
        cells = replicates_last(flat)
        change = self._adjusted if self.wanted is self.measured else self._rebuilt
        return change(cells, weights).T.reshape(*flat.shape[:-1], self.wanted.size)

    def read(self, tables: Array, variances: Array) -> Array:
        """The wanted tables of measured ones, ``(cells, replicates)``, of these noise variances.

        Without noise what rounding left is no record: empty rows stay empty in any order.
        """
        wanted: Array = self.apply(tables.T).T
        if not variances.any():
            wanted[np.abs(wanted) <= ROUNDING * np.abs(wanted).max(axis=0, initial=0)] = 0
        return wanted

    def _rebuilt(self, cells: Array, weights: Array | None) -> Array:
        """The wanted tables from the means of all effects."""
        return self.wanted.rebuild(self._means(cells, weights))

    def _means(self, cells: Array, weights: Array | None) -> Array:
        """Mean of every effect; on its own, so that what it needs is free before the rest."""
        held = self.measured.rotate(cells).take(self.averaging.coordinates, axis=0)
        return self.averaging.means(held, weights)

    def _adjusted(self, cells: Array, weights: Array | None) -> Array:
        """The measured tables again: only effects that several of them hold have to change."""
        shared, overlaps, order, effect = self._overlaps
        held = np.empty((len(order), cells.shape[1]))
        for overlap in overlaps:
            overlap.read(cells[overlap.cells], held[overlap.rows])
        means = shared.means(held.take(order, axis=0), weights)
        change = means.take(effect, axis=0)
        change /= self.measured.scale[np.sort(shared.coordinates), None]
        change -= held
        change[np.abs(change) <= ROUNDING * np.abs(held).max(axis=0, initial=0)] = 0
        adjusted = cells.copy()
        for overlap in overlaps:
            overlap.add(change[overlap.rows], adjusted[overlap.cells])
        return adjusted

    @cached_property
    def _overlaps(self) -> tuple[Averaging, tuple[Overlap, ...], Index, Index]:
        """Shared effects, their tables, the place of each coordinate and its effect."""
        shared = self.averaging.where_shared()
        ascending = np.sort(shared.coordinates)
        order = np.searchsorted(ascending, shared.coordinates)
        effect = np.empty(len(order), dtype=np.intp)
        effect[order] = np.repeat(np.arange(len(shared.starts)), shared.sizes)
        overlaps = []
        for cells, axes in zip(self.measured.slices, self.measured.axes, strict=True):
            first, last = np.searchsorted(ascending, [cells.start, cells.stop]).tolist()
            inside = ascending[first:last] - cells.start
            overlaps.append(Overlap(cells, slice(first, last), axes, inside))
        return shared, tuple(overlaps), order, effect

    def coordinate_variances(
        self, measured: Array, weights: Array | None = None, factors: Array | None = None
    ) -> Array:
        """Noise variance of each effect in each wanted table: ``(coordinates, replicates)``."""
        use = self.averaging
        held = replicates_last(measured).take(use.owner, axis=0)
        if factors is not None:
            held *= factors[use.coordinates, None]
        held = held * use.shares(weights) ** 2
        means = np.add.reduceat(held, use.starts, axis=0)
        wanted: Array = means.take(self.wanted.effect, axis=0)
        wanted /= self.wanted.scale[:, None] ** 2
        return wanted

    def variances(
        self, measured: Array, weights: Array | None = None, factors: Array | None = None
    ) -> Array:
        """Mean noise variance of a cell of each wanted table: ``(*replicates, tables)``.

        ``measured[..., t]`` is the variance of each cell of measured table t, ``factors`` what it
        is multiplied by at each coordinate. Orthonormal rotations keep variances, so this is
        bookkeeping over effects.
        """
        wanted = self.coordinate_variances(measured, weights, factors)
        starts = np.array([where.start for where in self.wanted.slices])
        order = np.argsort(starts)
        variances_of_sums = np.empty((len(starts), wanted.shape[1]))
        variances_of_sums[order] = np.add.reduceat(wanted, starts[order], axis=0)
        variances_of_sums /= np.array([[where.stop - where.start] for where in self.wanted.slices])
        return np.asarray(variances_of_sums.T.reshape(*measured.shape[:-1], len(starts)))


def compile_plan(
    axes: Sequence[Axes],
    slices: Sequence[slice],
    weights: Sequence[float],
    wanted: tuple[Sequence[Axes], Sequence[slice]] | None = None,
) -> ConsistencyPlan:
    """A plan for tables that lie at ``slices`` of a flat array, weighted by ``weights``.

    ``weights[t]`` multiplies table t's sum over everything but the shared variables. ``wanted``
    are the tables to give back, with their slices; by default the measured ones.
    """
    numbering = Numbering()
    measured = numbering.tables(axes, slices)
    known = numbering.size
    result = measured if wanted is None else numbering.tables(*wanted)
    if numbering.size > known:
        raise EquipoiseError("a wanted table holds an interaction that no measured table holds")
    owner = np.empty(measured.size, dtype=np.intp)
    for t, where in enumerate(slices):
        owner[where] = t
    weight = np.asarray(weights, dtype=np.float64)[owner]
    sides = np.argsort(measured.effect, kind="stable")
    starts = np.flatnonzero(np.diff(measured.effect[sides], prepend=-1))
    total = np.bincount(measured.effect, weights=weight, minlength=known)
    share = (weight * measured.scale / total[measured.effect])[sides]
    averaging = Averaging(sides, starts, owner[sides], measured.scale[sides], share)
    return ConsistencyPlan(measured, result, averaging)
