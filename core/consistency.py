"""Mutual consistency of overlapping noisy tables, all replicates in one pass.

A table over variables t splits orthogonally into effects, one part for each subset B of t (the
total, the main effects, the interactions ...). Two tables agree on their common variables exactly
when they agree on every effect they share. So: rotate each measured table to its effects, replace
each shared effect by its weighted mean over the tables that hold it, rotate back to the tables
that are wanted: the same ones, or any others whose effects were measured.

With weights ε_t this is the pass over all intersections in topological order of Chowdhury et al.
2019 (arXiv), section 8.2.1, Eqs. 17 and 18; with weights 1 / (variance_t · cells_t) it is the
generalised least-squares estimate. Both are tested against slow twins.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.table import Array

Axes = tuple[tuple[int, int], ...]
"""One table: (variable index, cardinality) for each axis."""

Index = NDArray[np.intp]


@functools.cache
def contrasts(cardinality: int) -> Array:
    """Orthonormal matrix with a constant first row (Helmert)."""
    matrix = np.zeros((cardinality, cardinality))
    matrix[0] = 1 / math.sqrt(cardinality)
    for k in range(1, cardinality):
        matrix[k, :k] = 1 / math.sqrt(k * (k + 1))
        matrix[k, k] = -k / math.sqrt(k * (k + 1))
    return matrix


def cells_of(table: Axes) -> int:
    """Number of cells of a table."""
    return math.prod(r for _, r in table)


def side_by_side(tables: Sequence[Axes]) -> tuple[slice, ...]:
    """Slices of a flat array that holds the tables one after the other."""
    ends = np.cumsum([cells_of(t) for t in tables]).tolist()
    return tuple(slice(end - cells_of(t), end) for end, t in zip(ends, tables, strict=True))


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables packed in a flat array, and which effect each rotated coordinate is."""

    axes: tuple[Axes, ...]
    slices: tuple[slice, ...]
    effect: Index
    """Number of the effect of each coordinate."""
    scale: Array
    """A coordinate times its scale is the effect of the sums over everything else."""

    @property
    def size(self) -> int:
        """Cells of all tables together."""
        return len(self.effect)

    def rotate(self, cells: Array, *, inverse: bool) -> Array:
        """Every table to its effects, or back: ``(cells, replicates)``."""
        out = np.empty(cells.shape)
        for where, axes in zip(self.slices, self.axes, strict=True):
            _rotate(cells[where], axes, out[where], inverse=inverse)
        return out


@dataclass(frozen=True, eq=False)
class ConsistencyPlan:
    """Compiled once for tables measured with given weights, and tables wanted."""

    measured: Tables
    wanted: Tables
    gather: Index
    starts: Index
    share: Array
    owner: Index
    """Measured table of each gathered coordinate."""

    def apply(self, flat: Array, weights: Array | None = None) -> Array:
        """The wanted tables, consistent: ``(*replicates, cells)``.

        ``weights`` ``(*replicates, tables)`` replace the compiled ones. Inside, replicates come
        last: then whole rows are gathered, and every table is one matrix product.
        """
        lead = flat.shape[:-1]
        effects = self.measured.rotate(_replicates_last(flat), inverse=False)
        shared = effects.take(self.gather, axis=0)
        shared *= self.share[:, None] if weights is None else self._shares(weights)
        means = np.add.reduceat(shared, self.starts, axis=0)
        found = means.take(self.wanted.effect, axis=0)
        found /= self.wanted.scale[:, None]
        return self.wanted.rotate(found, inverse=True).T.reshape(*lead, self.wanted.size)

    def _shares(self, weights: Array) -> Array:
        own = _replicates_last(weights).take(self.owner, axis=0)
        total = np.add.reduceat(own, self.starts, axis=0)
        spread = np.repeat(total, np.diff(self.starts, append=len(self.gather)), axis=0)
        own *= self.measured.scale[self.gather, None]
        own /= spread
        return own

    def variances(self, measured: Sequence[float]) -> Array:
        """Mean noise variance of a cell of each wanted table.

        ``measured[t]`` is the variance of each cell of measured table t. Orthonormal rotations
        keep variances, so this is bookkeeping over effects.
        """
        each = np.concatenate(
            [np.full(cells_of(a), v) for a, v in zip(self.measured.axes, measured, strict=True)]
        )
        means = np.add.reduceat(self.share**2 * each[self.gather], self.starts)
        wanted = means[self.wanted.effect] / self.wanted.scale**2
        return np.array([wanted[where].mean() for where in self.wanted.slices])


def _replicates_last(flat: Array) -> Array:
    return np.ascontiguousarray(flat.reshape(-1, flat.shape[-1]).T)


def _rotate(part: Array, axes: Axes, out: Array, *, inverse: bool) -> None:
    """One table to its effects or back, by the contrast matrix of each axis."""
    if cells_of(axes) <= 256:  # one small matrix product beats one per axis
        matrix = _kronecker(tuple(r for _, r in axes))
        np.matmul(matrix.T if inverse else matrix, part, out=out)
        return
    shaped = part.reshape(*(r for _, r in axes), -1)
    for axis, (_, cardinality) in enumerate(axes):
        matrix = contrasts(cardinality).T if inverse else contrasts(cardinality)
        shaped = np.moveaxis(np.tensordot(matrix, shaped, axes=(1, axis)), 0, axis)
    out[:] = shaped.reshape(part.shape)


@functools.lru_cache(maxsize=4096)
def _kronecker(cardinalities: tuple[int, ...]) -> Array:
    matrix: Array = np.ones((1, 1))
    for cardinality in cardinalities:
        matrix = np.asarray(np.kron(matrix, contrasts(cardinality)), dtype=np.float64)
    return matrix


class _Numbering:
    """Gives every effect (a set of variables and a contrast of each) one number."""

    def __init__(self) -> None:
        self.first: dict[tuple[int, ...], int] = {}
        self.size = 0

    def table(self, axes: Axes) -> tuple[Index, Array]:
        """Numbers and scales of one table's coordinates."""
        codes = np.indices([r for _, r in axes]).reshape(len(axes), cells_of(axes))
        order = sorted(range(len(axes)), key=lambda a: axes[a][0])
        subset = np.zeros(cells_of(axes), dtype=np.int64)
        offset = np.zeros(cells_of(axes), dtype=np.int64)
        inside = np.ones(cells_of(axes))
        for bit, a in enumerate(order):
            held, cardinality = codes[a] > 0, axes[a][1]
            subset |= held.astype(np.int64) << bit
            offset = np.where(held, offset * (cardinality - 1) + codes[a] - 1, offset)
            inside = np.where(held, inside * cardinality, inside)
        found, which = np.unique(subset, return_inverse=True)
        members = [[axes[a] for bit, a in enumerate(order) if s >> bit & 1] for s in found.tolist()]
        base = np.array([self._base(m) for m in members], dtype=np.intp)
        return base[which] + offset, np.sqrt(cells_of(axes) / inside)

    def _base(self, members: list[tuple[int, int]]) -> int:
        key = tuple(v for v, _ in members)
        if key not in self.first:
            self.first[key] = self.size
            self.size += math.prod(r - 1 for _, r in members)
        return self.first[key]

    def tables(self, axes: Sequence[Axes], slices: Sequence[slice]) -> Tables:
        size = sum(cells_of(a) for a in axes)
        effect, scale = np.empty(size, dtype=np.intp), np.empty(size)
        for table, where in zip(axes, slices, strict=True):
            effect[where], scale[where] = self.table(table)
        return Tables(tuple(axes), tuple(slices), effect, scale)


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
    numbering = _Numbering()
    measured = numbering.tables(axes, slices)
    known = numbering.size
    result = measured if wanted is None else numbering.tables(*wanted)
    if numbering.size > known:
        raise EquipoiseError("a wanted table holds an interaction that no measured table holds")
    owner = np.empty(measured.size, dtype=np.intp)
    for t, where in enumerate(slices):
        owner[where] = t
    weight = np.asarray(weights, dtype=np.float64)[owner]
    gather = np.argsort(measured.effect, kind="stable")
    starts = np.flatnonzero(np.diff(measured.effect[gather], prepend=-1))
    total = np.bincount(measured.effect, weights=weight, minlength=known)
    share = (weight * measured.scale / total[measured.effect])[gather]
    return ConsistencyPlan(measured, result, gather, starts, share, owner[gather])
