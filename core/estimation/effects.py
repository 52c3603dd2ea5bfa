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
) -> tuple[Index, Index, Array]:
    """For each coordinate of a table its subset of axes, its place there and its scale.

    Subsets are masks over the order, which has all axes of several states; the place is among the
    contrasts of that effect.
    """
    cells = math.prod(cardinalities)
    codes = np.indices(cardinalities, sparse=True)
    subset = np.zeros(cardinalities, dtype=np.intp)
    offset = np.zeros(cardinalities, dtype=np.intp)
    inside = np.ones(cardinalities)
    for bit, a in enumerate(order):
        held, cardinality = codes[a] > 0, cardinalities[a]
        subset |= held.astype(np.intp) << bit
        offset = np.where(held, offset * (cardinality - 1) + codes[a] - 1, offset)
        inside = np.where(held, inside * cardinality, inside)
    return subset.ravel(), offset.ravel(), np.sqrt(cells / inside.ravel())


_known_coordinates = functools.lru_cache(maxsize=4096)(_coordinates)


class Numbering:
    """Gives every effect (a set of variables and a contrast of each) one number.

    Sets are places in a tree: below each hang the sets with one later variable more. A table of
    many axes has so many subsets that a mapping of them would be many times its size.
    """

    def __init__(self) -> None:
        self.size = 0
        self._places = 1
        self._first = np.full(1, -1, dtype=np.intp)
        """First number of each set; below zero where no table has had it."""
        self._below: dict[int, tuple[Index, Index]] = {}
        """By last variable: sets, ascending, and those that they are with it."""

    def table(self, axes: Axes) -> tuple[Index, Array]:
        """Numbers and scales of one table's coordinates."""
        several = (a for a, (_, cardinality) in enumerate(axes) if cardinality > 1)
        order = tuple(sorted(several, key=lambda a: axes[a][0]))
        coordinates = _known_coordinates if cells_of(axes) <= DENSE else _coordinates
        subset, offset, scale = coordinates(tuple(r for _, r in axes), order)
        places, widths = np.zeros(1, dtype=np.intp), np.ones(1, dtype=np.intp)
        for variable, cardinality in (axes[a] for a in order):
            places = np.concatenate([places, self._with(places, variable)])
            widths = np.concatenate([widths, widths * (cardinality - 1)])
        fresh = self._first[places] < 0
        ends = self.size + np.cumsum(widths[fresh])
        if len(ends):
            self._first[places[fresh]] = ends - widths[fresh]
            self.size = int(ends[-1])
        numbers = self._first[places].take(subset)
        numbers += offset
        return numbers, scale

    def _with(self, sets: Index, variable: int) -> Index:
        """The same sets with a variable that comes after all of theirs."""
        none = np.empty(0, dtype=np.intp)
        held, below = self._below.get(variable, (none, none))
        at = np.searchsorted(held, sets)
        known = at < len(held)
        known[known] = held[at[known]] == sets[known]
        longer = np.empty(len(sets), dtype=np.intp)
        longer[known] = below[at[known]]
        fresh = sets[~known]
        if len(fresh):
            longer[~known] = new = self._places + np.arange(len(fresh))
            self._places += len(fresh)
            if self._places > len(self._first):
                more = np.full(self._places, -1, dtype=np.intp)
                self._first = np.concatenate([self._first, more])
            held, below = np.concatenate([held, fresh]), np.concatenate([below, new])
            order = np.argsort(held)
            self._below[variable] = held[order], below[order]
        return longer

    def tables(self, axes: Sequence[Axes], slices: Sequence[slice]) -> Tables:
        """Tables that lie at ``slices`` of a flat array, numbered."""
        size = sum(cells_of(a) for a in axes)
        effect, scale = np.empty(size, dtype=np.intp), np.empty(size)
        for table, where in zip(axes, slices, strict=True):
            effect[where], scale[where] = self.table(table)
        return Tables(tuple(axes), tuple(slices), effect, scale)
