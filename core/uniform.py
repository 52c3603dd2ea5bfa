"""The two references: the exact model, and the uniform split of the budget."""

from __future__ import annotations

import functools

import numpy as np

from core.allocation import even_plan
from core.consistency import ConsistencyPlan, compile_plan
from core.counts import CountSource
from core.network import Network
from core.noise import standard_laplace
from core.parameters import Model, fit
from core.privacy import Neighbours, laplace_scale
from core.release import Release, packed_counts


def exact(
    network: Network,
    counts: CountSource,
    *,
    epsilon: float,
    split: float,
    rate: float,
    neighbours: Neighbours,
    replicates: int,
    rng: np.random.Generator,
) -> Release:
    """The maximum-likelihood model: no noise, no privacy. All replicates are equal."""
    flat = packed_counts(network, counts)
    flat.flags.writeable = False
    model = fit(network, flat.copy())
    values = np.broadcast_to(model.values, (replicates, *model.values.shape))
    return Release("exact", None, "none", flat, Model(network, values))


@functools.lru_cache(maxsize=64)
def _even_consistency(network: Network) -> ConsistencyPlan:
    layout = network.layout
    axes = tuple(
        tuple((network.position[v.name], v.cardinality) for v in family)
        for family in network.families
    )
    return compile_plan(axes, layout.slices, [1.0] * len(axes))


def uniform(
    network: Network,
    counts: CountSource,
    *,
    epsilon: float,
    split: float,
    rate: float,
    neighbours: Neighbours,
    replicates: int,
    rng: np.random.Generator,
) -> Release:
    """Every family and its parent table get half of ε/n: the baseline D-Ind.

    Neighbours as given; each table is one histogram of L1 sensitivity 1 (add-remove) or 2
    (replace), measured with Laplace noise of scale sensitivity / (ε/2n); 2n tables compose to ε.
    Public: graph, states. Source: Chowdhury et al. 2020 (ICML), Procedure 1 and section 5.

    Deviation: the printed conversion to a marginal table cancels the parents' table; it is
    merged in by inverse variance instead, in counts, and normalising comes last.
    """
    plan = even_plan(network, epsilon, neighbours)  # checked before a count is read
    layout = network.layout
    scale = laplace_scale(plan.measurements[0].epsilon, neighbours)
    noise = standard_laplace((replicates, layout.size + layout.row_count), rng=rng)
    noise *= scale
    flat = noise[:, : layout.size] + packed_counts(network, counts)
    # The parents' noisy count of a row estimates the same number as the row's own noisy sum.
    # With equal scales the sum of k cells has k times the variance: weights k and 1.
    # Both carry the same true count, so only their noises differ.
    surplus = noise[:, layout.size :] - layout.row_totals(noise[:, : layout.size])
    for block in layout.blocks:
        rows = layout.rows(flat, block)
        rows += surplus[:, block.rows, None] / (block.cardinality + 1)
    flat = _even_consistency(network).apply(flat)
    noisy = flat.copy()
    noisy.flags.writeable = False
    return Release("uniform", plan, "laplace", noisy, fit(network, flat))
