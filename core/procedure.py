"""Procedure 1 of Chowdhury et al.: every family measured together with its parents' table.

Deviations: the printed conversion to a marginal table cancels the parents' table; it is merged in
by inverse variance instead, in counts. Negative cells are clipped and rows normalised last, after
consistency.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from core.consistency import ConsistencyPlan, compile_plan
from core.network import Network
from core.noise import standard_laplace
from core.table import Array


@dataclass(frozen=True, eq=False)
class Measured:
    """Packed noisy tables of all families: as drawn, their parents', and consistent."""

    tables: Array
    parents: Array
    consistent: Array


@functools.lru_cache(maxsize=64)
def _plan(network: Network) -> ConsistencyPlan:
    """Consistency of the family tables, equal weights unless others are given."""
    axes = tuple(
        tuple((network.position[v.name], v.cardinality) for v in family)
        for family in network.families
    )
    return compile_plan(axes, network.layout.slices, [1.0] * len(axes))


def measure_families(
    network: Network,
    counts: Array,
    scales: Array,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Measured:
    """Noisy family and parent tables of every node, made mutually consistent.

    ``counts`` are packed family tables, with or without replicates; ``scales`` are the nodes'
    Laplace scales, ``(nodes,)`` or ``(replicates, nodes)``. Consistency weights tables by their
    ε, that is by 1 / scale, as printed (Eq. 17 of the arXiv version).
    """
    layout = network.layout
    noise = standard_laplace((replicates, layout.size + layout.row_count), rng=rng)
    noise = np.asfortranarray(noise)  # from here on numpy works along all replicates of a cell
    tables, parents = noise[:, : layout.size], noise[:, layout.size :]
    tables *= scales[..., layout.cell_owner]
    parents *= scales[..., layout.row_owner]
    # A row's own noisy sum and the parents' noisy count estimate the same number. With equal
    # scales the sum of k cells has k times the variance: weights 1 and k. Both hold the same true
    # count, so their difference is noise alone.
    surplus = parents - layout.row_totals(tables)
    tables += counts
    parents += layout.row_totals(counts)
    merged = tables.copy(order="K")
    for block in layout.blocks:
        share = surplus[:, block.rows]
        share /= block.cardinality + 1
        rows = layout.rows(merged, block)
        rows += share[..., None]
    even = (scales == scales.flat[0]).all()  # also no noise at all, where weights mean nothing
    consistent = _plan(network).apply(merged, None if even else 1 / scales)
    return Measured(tables, parents, consistent)
