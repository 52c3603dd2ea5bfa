"""The printed conversion of Procedure 1, kept to show what it does. Not one of the methods."""

from __future__ import annotations

import numpy as np

from core.counts import CountSource
from core.methods.method import packed_counts
from core.methods.plans import even_shares, paired_plan
from core.methods.procedure import consistent, draw_families
from core.network import Network
from core.parameters import Model, fit
from core.privacy import Neighbours


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
