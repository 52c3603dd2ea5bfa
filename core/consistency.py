"""Mutual consistency of overlapping noisy tables, all replicates in one pass.

A table over variables t splits orthogonally into effects, one part for each subset B of t (the
total, the main effects, the interactions ...). Two tables agree on their common variables exactly
when they agree on every effect they share. So: rotate each table to its effects, replace each
shared effect by its weighted mean over the tables that hold it, rotate back.

With weights ε_t this is the pass over all intersections in topological order of Chowdhury et al.
2019 (arXiv), section 8.2.1, Eqs. 17 and 18; with weights ε_t² / cells_t it is the generalised
least-squares estimate. Both are tested against slow twins.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.table import Array

Axes = tuple[tuple[int, int], ...]
"""One table: (variable index, cardinality) for each axis."""


@functools.cache
def contrasts(cardinality: int) -> Array:
    """Orthonormal matrix with a constant first row (Helmert)."""
    matrix = np.zeros((cardinality, cardinality))
    matrix[0] = 1 / math.sqrt(cardinality)
    for k in range(1, cardinality):
        matrix[k, :k] = 1 / math.sqrt(k * (k + 1))
        matrix[k, k] = -k / math.sqrt(k * (k + 1))
    return matrix


@dataclass(frozen=True, eq=False)
class ConsistencyPlan:
    """Compiled once for a list of tables and their weights."""

    slices: tuple[slice, ...]
    axes: tuple[Axes, ...]
    gather: NDArray[np.intp]
    starts: NDArray[np.intp]
    weight: Array
    scatter: NDArray[np.intp]
    back: Array

    def apply(self, flat: Array) -> Array:
        """Consistent tables, packed as the input: ``(*replicates, cells)``."""
        effects = np.empty_like(flat)
        for where, axes in zip(self.slices, self.axes, strict=True):
            effects[..., where] = _rotate(flat[..., where], axes, inverse=False)
        shared = effects[..., self.gather]
        shared *= self.weight
        means = np.add.reduceat(shared, self.starts, axis=-1)
        np.take(means, self.scatter, axis=-1, out=effects)
        effects *= self.back
        for where, axes in zip(self.slices, self.axes, strict=True):
            effects[..., where] = _rotate(effects[..., where], axes, inverse=True)
        return effects


def _rotate(part: Array, axes: Axes, *, inverse: bool) -> Array:
    """One table to its effects or back, by the contrast matrix of each axis."""
    if math.prod(r for _, r in axes) <= 256:  # one small matrix product beats one per axis
        matrix = _kronecker(tuple(r for _, r in axes))
        return part @ (matrix if inverse else matrix.T)
    lead = part.shape[:-1]
    shaped = part.reshape(*lead, *(r for _, r in axes))
    for axis, (_, cardinality) in enumerate(axes, start=len(lead)):
        matrix = contrasts(cardinality).T if inverse else contrasts(cardinality)
        shaped = np.moveaxis(np.tensordot(shaped, matrix, axes=(axis, 1)), -1, axis)
    return shaped.reshape(part.shape)


@functools.lru_cache(maxsize=4096)
def _kronecker(cardinalities: tuple[int, ...]) -> Array:
    matrix = np.ones((1, 1))
    for cardinality in cardinalities:
        matrix = np.kron(matrix, contrasts(cardinality))
    return matrix


def compile_plan(
    axes: Sequence[Axes], slices: Sequence[slice], weights: Sequence[float]
) -> ConsistencyPlan:
    """A plan for tables that lie at ``slices`` of a flat array, weighted by ``weights``.

    ``weights[t]`` multiplies table t's sum over everything but the shared variables.
    """
    size = max(where.stop for where in slices)
    keys: dict[tuple[tuple[int, int], ...], int] = {}
    effect = np.empty(size, dtype=np.intp)
    scale, weight = np.empty(size), np.empty(size)
    for table, where, own in zip(axes, slices, weights, strict=True):
        cells = math.prod(r for _, r in table)
        for offset, code in enumerate(np.ndindex(*(r for _, r in table))):
            held = [(v, k) for (v, _), k in zip(table, code, strict=True) if k]
            effect[where.start + offset] = keys.setdefault(tuple(sorted(held)), len(keys))
            inside = math.prod(r for (_, r), k in zip(table, code, strict=True) if k)
            # an orthonormal effect of a d-cell table is its marginal's, shrunk by sqrt(d_B / d)
            scale[where.start + offset] = math.sqrt(cells / inside)
            weight[where.start + offset] = own
    gather = np.argsort(effect, kind="stable")
    starts = np.flatnonzero(np.diff(effect[gather], prepend=-1))
    total = np.bincount(effect, weights=weight)
    share = (weight * scale / total[effect])[gather]
    return ConsistencyPlan(
        tuple(slices), tuple(axes), gather, starts, share, effect, 1 / scale
    )
