"""Our method: a public plan, one pass, pure ε-differential privacy.

What is measured, and with which budget, follows from the graph and the numbers of states alone,
so nothing is spent on deciding. Each measured table is one histogram (sensitivity 1, or 2 when a
record is replaced) with discrete Laplace noise; the budgets add up to ε.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.allocation import BudgetPlan
from core.backoff import Ladder, build_ladder
from core.consistency import ConsistencyPlan, compile_plan
from core.counts import CountSource
from core.effects import Axes, cells_of, side_by_side
from core.merging import MergePlan, merge_families
from core.network import Network
from core.noise import discrete_laplace, discrete_laplace_variance
from core.options import PLAIN, Options
from core.parameters import Model
from core.privacy import Neighbours, check_epsilon
from core.release import Release
from core.table import Array

STRENGTH = 0.1
"""How much a row leans on the rung below, in noise standard deviations of a cell."""


@dataclass(frozen=True, eq=False)
class Design:
    """Everything that depends on the public graph alone, compiled once."""

    merged: MergePlan
    shares: Array
    """Part of the budget of each table."""
    tables: tuple[Axes, ...]
    slices: tuple[slice, ...]
    consistency: ConsistencyPlan
    ladder: Ladder
    order: NDArray[np.intp]
    """Where each cell of the network's layout stands among the ladder's tops."""


def design(network: Network, options: Options = PLAIN) -> Design:
    """The compiled plan of a network; the prior has no part in it."""
    return _design(network, Options(floors=options.floors, weights=options.weights))


@functools.lru_cache(maxsize=64)
def _design(network: Network, options: Options) -> Design:
    merged = merge_families(network, options.weights_of(network))
    shares = merged.shares(options.floors_of(network))
    sizes = [v.cardinality for v in network.variables]
    tables = tuple(tuple((j, sizes[j]) for j in t) for t in merged.tables)
    ladder = build_ladder(
        [tuple((network.position[v.name], v.cardinality) for v in f) for f in network.families]
    )
    slices = side_by_side(tables)
    weights = [s**2 / cells_of(t) for s, t in zip(shares, tables, strict=True)]
    plan = compile_plan(tables, slices, weights, (ladder.tables, ladder.slices))
    order = np.empty(network.layout.size, dtype=np.intp)
    start = 0
    for where in network.layout.slices:
        order[where] = ladder.tops[start : start + where.stop - where.start]
        start += where.stop - where.start
    return Design(merged, shares, tables, slices, plan, ladder, order)


def equipoise_plan(
    network: Network, epsilon: float, neighbours: Neighbours, options: Options = PLAIN
) -> BudgetPlan:
    """ε_t ∝ sqrt(a_t) over the merged tables; a node shows the ε of the table that serves it."""
    check_epsilon(epsilon)
    made = design(network, options)
    parts = epsilon * made.shares
    tables = made.merged.table_of(len(network.names))
    return BudgetPlan(
        epsilon,
        neighbours,
        tuple(tuple(network.names[j] for j in t) for t in made.merged.tables),
        tuple(cells_of(a) for a in made.tables),
        parts,
        parts[list(tables)],
        serving=tables,
    )


def forecast(network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
    """Noise standard deviation of a cell of each family's table, in records; needs no data.

    Var_i = Σ_{B ⊆ family i} Π_{j ∈ B} (r_j - 1) / (d_i² S_B), S_B = Σ_{t ⊇ B} 1 / (sd_t² d_t).
    """
    made = design(network, options)
    variances = made.consistency.variances([discrete_laplace_variance(b) for b in plan.scales])
    return np.sqrt(variances[list(made.ladder.families)])


def equipoise(
    network: Network,
    counts: CountSource,
    *,
    epsilon: float,
    split: float,
    rate: float,
    neighbours: Neighbours,
    replicates: int,
    rng: np.random.Generator,
    options: Options = PLAIN,
) -> Release:
    """Merged tables, one histogram each, exact least squares, projection and back-off.

    Neighbours as given; each table has L1 sensitivity 1 (add-remove) or 2 (replace), discrete
    Laplace noise of scale sensitivity / ε_t, Σ ε_t = ε by sequential composition. Public: graph,
    states.
    """
    plan = equipoise_plan(network, epsilon, neighbours, options)  # checked before a count is read
    made = design(network, options)
    flat = np.empty((replicates, made.slices[-1].stop))
    tables = [tuple(network.variables[j] for j in t) for t in made.merged.tables]
    # every table's noise comes from its own child generator: a change elsewhere leaves it alone
    streams = rng.spawn(len(tables))
    found = counts.counts(tables)
    for where, scale, stream, table in zip(made.slices, plan.scales, streams, found, strict=True):
        shape = (replicates, where.stop - where.start)
        flat[:, where] = discrete_laplace(shape, scale, rng=stream)
        flat[:, where] += table.values.ravel()
    rungs = made.consistency.apply(flat)
    deviations = np.sqrt(
        made.consistency.variances([discrete_laplace_variance(b) for b in plan.scales])
    )
    priors = made.ladder.on_top(options.prior) if options.prior else None
    conditionals = made.ladder.climb(rungs, np.maximum(STRENGTH * deviations, 1e-12), priors)
    values = conditionals[:, made.order]
    values.flags.writeable = False
    noisy = rungs[:, made.order]
    return Release("equipoise", plan, "discrete laplace", noisy, Model(network, values))
