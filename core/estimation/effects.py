"""Tables as sums of effects: one part for each subset of a table's variables.

A table over variables t splits orthogonally into effects (the total, the main effects, the
interactions ...), each a coordinate for every contrast of its variables. Rotating keeps variances;
the effect of a subset is the same number in every table that holds it, up to a known scale.
Arrays are ``(cells, replicates)``.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.table import Array

Axes = tuple[tuple[int, int], ...]
"""One table: (variable index, cardinality) for each axis."""

Index = NDArray[np.intp]

DENSE = 256
"""Most cells of a table for which one matrix product beats one per axis."""


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

    def rotate(self, cells: Array, *, inverse: bool = False) -> Array:
        """Every table to its effects, or back: ``(cells, replicates)``."""
        out = np.empty(cells.shape)
        for where, axes in zip(self.slices, self.axes, strict=True):
            rotated(cells[where], axes, out[where], inverse=inverse)
        return out

    def rebuild(self, effects: Array) -> Array:
        """Every table from the effects of sums: ``(cells, replicates)``."""
        out = np.empty((self.size, effects.shape[1]))
        for where, axes in zip(self.slices, self.axes, strict=True):
            part = effects.take(self.effect[where], axis=0)
            part /= self.scale[where, None]
            rotated(part, axes, out[where], inverse=True)
        return out


def rotated(part: Array, axes: Axes, out: Array, *, inverse: bool) -> None:
    """One table to its effects or back, by the contrast matrix of each axis."""
    if cells_of(axes) <= DENSE:
        matrix = kronecker(tuple(r for _, r in axes))
        np.matmul(matrix.T if inverse else matrix, part, out=out)
        return
    shaped = part.reshape(*(r for _, r in axes), -1)
    for axis, (_, cardinality) in enumerate(axes):
        matrix = contrasts(cardinality).T if inverse else contrasts(cardinality)
        shaped = np.moveaxis(np.tensordot(matrix, shaped, axes=(1, axis)), 0, axis)
    out[:] = shaped.reshape(part.shape)


@functools.lru_cache(maxsize=4096)
def kronecker(cardinalities: tuple[int, ...]) -> Array:
    """Contrasts of all axes together: one row for each coordinate."""
    matrix: Array = np.ones((1, 1))
    for cardinality in cardinalities:
        matrix = np.asarray(np.kron(matrix, contrasts(cardinality)), dtype=np.float64)
    return matrix


def _coordinates(
    cardinalities: tuple[int, ...], order: tuple[int, ...]
) -> tuple[list[int], Index, Index, Array]:
    """Subsets of a table's axes; for each coordinate its subset, its place there and its scale.

    Subsets are masks over the order; the place is among the contrasts of that effect.
    """
    cells = math.prod(cardinalities)
    codes = np.indices(cardinalities).reshape(len(cardinalities), cells)
    subset = np.zeros(cells, dtype=np.int64)
    offset = np.zeros(cells, dtype=np.int64)
    inside = np.ones(cells)
    for bit, a in enumerate(order):
        held, cardinality = codes[a] > 0, cardinalities[a]
        subset |= held.astype(np.int64) << bit
        offset = np.where(held, offset * (cardinality - 1) + codes[a] - 1, offset)
        inside = np.where(held, inside * cardinality, inside)
    subsets, which = np.unique(subset, return_inverse=True)
    return subsets.tolist(), which, offset, np.sqrt(cells / inside)


_known_coordinates = functools.lru_cache(maxsize=4096)(_coordinates)


class Numbering:
    """Gives every effect (a set of variables and a contrast of each) one number."""

    def __init__(self) -> None:
        self.first: dict[tuple[int, ...], int] = {}
        self.size = 0

    def table(self, axes: Axes) -> tuple[Index, Array]:
        """Numbers and scales of one table's coordinates."""
        order = sorted(range(len(axes)), key=lambda a: axes[a][0])
        coordinates = _known_coordinates if cells_of(axes) <= DENSE else _coordinates
        subsets, which, offset, scale = coordinates(tuple(r for _, r in axes), tuple(order))
        members = [[axes[a] for bit, a in enumerate(order) if s >> bit & 1] for s in subsets]
        base = np.array([self._base(m) for m in members], dtype=np.intp)
        return base[which] + offset, scale

    def _base(self, members: list[tuple[int, int]]) -> int:
        key = tuple(v for v, _ in members)
        if key not in self.first:
            self.first[key] = self.size
            self.size += math.prod(r - 1 for _, r in members)
        return self.first[key]

    def tables(self, axes: Sequence[Axes], slices: Sequence[slice]) -> Tables:
        """Tables that lie at ``slices`` of a flat array, numbered."""
        size = sum(cells_of(a) for a in axes)
        effect, scale = np.empty(size, dtype=np.intp), np.empty(size)
        for table, where in zip(axes, slices, strict=True):
            effect[where], scale[where] = self.table(table)
        return Tables(tuple(axes), tuple(slices), effect, scale)
