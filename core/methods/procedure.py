"""Procedure 1 of Chowdhury et al.: every family measured together with its parents' table.

Deviations: the printed conversion to a marginal table cancels the parents' table; it is merged in
by inverse variance instead, in counts. Negative cells are clipped and rows normalised last, after
consistency.
"""

import functools
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.estimation.consistency import ConsistencyPlan, compile_plan
from core.methods.method import packed_counts
from core.methods.plans import even_shares, paired_plan
from core.methods.randomness import Histograms, Randomness, laplace, noted
from core.network import Network
from core.parameters import Model, fit
from core.privacy import Neighbours
from core.table import Array


@dataclass(frozen=True, eq=False)
class NoisyFamilies:
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
    rng: Randomness,
    replicates: int,
    rate: float = 1.0,
) -> NoisyFamilies:
    """Noisy family and parent tables of every node, and both made mutually consistent."""
    tables, parents, surplus = draw_families(
        network, counts, scales, replicates=replicates, rng=rng, rate=rate
    )
    merged = merge(network, tables.copy(order="K"), surplus)
    return NoisyFamilies(tables, parents, consistent(network, merged, scales))


@functools.lru_cache(maxsize=64)
def _histograms(network: Network) -> Histograms:
    """Every family's table, then every family's parent table."""
    layout, names = network.layout, [tuple(v.name for v in f) for f in network.families]
    owner = np.concatenate([layout.cell_owner, layout.row_owner + len(names)])
    return Histograms((*names, *(n[:-1] for n in names)), owner)


def draw_families(
    network: Network,
    counts: Array,
    scales: Array,
    *,
    replicates: int,
    rng: Randomness,
    rate: float = 1.0,
) -> tuple[Array, Array, Array]:
    """Noisy family tables, noisy parent tables, and by how much the latter exceed the former.

    ``counts`` are packed family tables, with or without replicates, or a Poisson sample of them
    of that ``rate``; ``scales`` are the nodes' Laplace scales, ``(nodes,)`` or
    ``(replicates, nodes)``.
    """
    layout = network.layout
    both = np.concatenate([scales, scales], axis=-1)
    histograms = _histograms(network)
    noise = laplace(histograms, both, replicates=replicates, rng=rng, rate=rate)
    tables, parents = noise[:, : layout.size], noise[:, layout.size :]
    # Both hold the same true count, so their difference is noise alone.
    surplus = layout.row_totals(tables)
    np.subtract(parents, surplus, out=surplus)
    tables += counts
    parents += layout.row_totals(counts)
    noted(histograms, noise, rng=rng)  # counts were added in its place
    return tables, parents, surplus


def merge(network: Network, tables: Array, surplus: Array) -> Array:
    """Family tables with their parents' tables merged in, in place; ``surplus`` is used up.

    A row's own noisy sum and the parents' noisy count estimate the same number. With equal scales
    the sum of k cells has k times the variance: weights 1 and k.
    """
    layout = network.layout
    for block in layout.blocks:
        share = surplus[:, block.rows]
        share /= block.cardinality + 1
        rows = layout.rows(tables, block)
        rows += share[..., None]
    return tables


def consistent(network: Network, merged: Array, scales: Array) -> Array:
    """Tables made mutually consistent, weighted by ε, that is by 1 / scale, as printed.

    Source: Eq. 17 of the arXiv version.
    """
    even = (scales == scales.flat[0]).all()  # also no noise at all, where weights mean nothing
    return _plan(network).apply(merged, None if even else 1 / scales)


def forecast_families(network: Network, scales: Array) -> Array:
    """Noise standard deviation of a cell of each consistent family table, from Laplace scales.

    Merging the parents' table leaves contrasts of the child as they are; what does not depend on
    the child has its variance divided by the child's states plus one.
    """
    layout = network.layout
    factors = np.ones(layout.size)
    for block in layout.blocks:
        layout.rows(factors, block)[:, 0] = 1 / (block.cardinality + 1)
    even = (scales == scales.flat[0]).all()
    return np.sqrt(_plan(network).variances(2 * scales**2, None if even else 1 / scales, factors))


def literal(
    network: Network,
    counts: CountSource,
    *,
    epsilon: float,
    neighbours: Neighbours,
    replicates: int,
    rng: np.random.Generator,
) -> Model:
    """The uniform split with line 4 of Procedure 1 as printed.

    M[x, pa] = (T[x, pa] / T_pa[pa]) / Σ_v (T[v, pa] / T_pa[pa]). T_pa cancels: M is a conditional,
    in which a rare setting of the parents weighs as much as a common one. Making such tables agree
    on what they share mixes numbers that are not marginals of one distribution. Source: Chowdhury
    et al. 2020 (ICML), Procedure 1, lines 4 to 8. Private as ``uniform`` is, with the same noise.
    """
    plan = paired_plan(network, epsilon, neighbours, even_shares(network, epsilon))
    scales = plan.scales[::2]
    tables, _, _ = draw_families(
        network, packed_counts(network, counts), scales, replicates=replicates, rng=rng
    )
    marginal = fit(network, tables).values.copy()
    return fit(network, consistent(network, marginal, scales))
