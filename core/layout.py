"""Where every family of a network lies in one flat array.

All families are packed side by side, ordered by the child's cardinality, child axis last. A row
(the child's states for one setting of the parents) is contiguous, and all rows of one length form
one dense block, so that noise, clipping and normalising a whole network with hundreds of
replicates is a handful of numpy calls instead of a loop over families.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.table import Array


@dataclass(frozen=True)
class Block:
    """All rows of one length: ``cells`` of the flat array, ``rows`` of the array of row totals."""

    cells: slice
    rows: slice
    cardinality: int


@dataclass(frozen=True)
class Layout:
    """Flat positions of families; ``shapes[i]`` is family i's shape, child axis last."""

    shapes: tuple[tuple[int, ...], ...]

    @cached_property
    def memory_order(self) -> tuple[int, ...]:
        """Families in the order in which they lie in memory."""
        return tuple(sorted(range(len(self.shapes)), key=lambda i: self.shapes[i][-1]))

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Cells of each family."""
        return self._slices([math.prod(shape) for shape in self.shapes])

    @cached_property
    def row_slices(self) -> tuple[slice, ...]:
        """Rows of each family (one for a root)."""
        return self._slices([math.prod(shape[:-1]) for shape in self.shapes])

    def _slices(self, sizes: Sequence[int]) -> tuple[slice, ...]:
        ends = itertools.accumulate(sizes[i] for i in self.memory_order)
        slices = dict(zip(self.memory_order, ends, strict=True))
        return tuple(slice(slices[i] - sizes[i], slices[i]) for i in range(len(sizes)))

    @property
    def size(self) -> int:
        """Number of cells of all families together."""
        return sum(math.prod(shape) for shape in self.shapes)

    @property
    def row_count(self) -> int:
        """Number of rows of all families together."""
        return sum(math.prod(shape[:-1]) for shape in self.shapes)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """One dense block for each row length."""
        alike = []
        for cardinality, group in itertools.groupby(
            self.memory_order, key=lambda i: self.shapes[i][-1]
        ):
            members = list(group)
            first, last = members[0], members[-1]
            alike.append(
                Block(
                    slice(self.slices[first].start, self.slices[last].stop),
                    slice(self.row_slices[first].start, self.row_slices[last].stop),
                    cardinality,
                )
            )
        return tuple(alike)

    @cached_property
    def row_owner(self) -> NDArray[np.intp]:
        """Family of each row."""
        lengths = [math.prod(self.shapes[i][:-1]) for i in self.memory_order]
        return np.repeat(np.array(self.memory_order, dtype=np.intp), lengths)

    @cached_property
    def cell_owner(self) -> NDArray[np.intp]:
        """Family of each cell."""
        lengths = [math.prod(self.shapes[i]) for i in self.memory_order]
        return np.repeat(np.array(self.memory_order, dtype=np.intp), lengths)

    def rows(self, flat: Array, block: Block) -> Array:
        """View of one block as ``(*replicates, rows, cardinality)``."""
        part = flat[..., block.cells]
        return part.reshape(*part.shape[:-1], -1, block.cardinality)

    def row_totals(self, flat: Array) -> Array:
        """Sum over the child of every row: ``(*replicates, row_count)``."""
        totals = np.empty_like(flat, shape=(*flat.shape[:-1], self.row_count))
        for block in self.blocks:
            # one add per state beats a reduction over a short last axis
            rows = self.rows(flat, block)
            out = totals[..., block.rows]
            np.copyto(out, rows[..., 0])
            for state in range(1, block.cardinality):
                out += rows[..., state]
        return totals

    def pack(self, arrays: Sequence[Array]) -> Array:
        """One flat array from one array per family (replicates broadcast)."""
        lead = np.broadcast_shapes(
            *(a.shape[: a.ndim - len(s)] for a, s in zip(arrays, self.shapes, strict=True))
        )
        flat = np.empty((*lead, self.size))
        for array, shape, where in zip(arrays, self.shapes, self.slices, strict=True):
            flat[..., where] = array.reshape(*array.shape[: array.ndim - len(shape)], -1)
        return flat

    def unpack(self, flat: Array, family: int) -> Array:
        """View of one family as ``(*replicates, *shape)``."""
        part = flat[..., self.slices[family]]
        return part.reshape(*flat.shape[:-1], *self.shapes[family])
