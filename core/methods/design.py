"""Design: what is measured and how it is read, compiled once from the public graph.

Nothing here sees a record: tables, budgets and the whole computation that follows the measurement
are functions of the graph, the numbers of states and public options.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from core.counts import CountSource
from core.estimation.backoff import Ladder, build_ladder
from core.estimation.consistency import ConsistencyPlan, compile_plan
from core.estimation.effects import Axes, Index, cells_of, side_by_side
from core.gaussian_noise import gaussian_budget
from core.methods.dividing import divided_families
from core.methods.factors import Factors, Scope, factorise
from core.methods.merging import SUMS, Costing, MergePlan, merge_families
from core.methods.plans import BudgetPlan
from core.methods.randomness import Histograms, Randomness, noted, whole_gaussian, whole_laplace
from core.network import Network
from core.options import PLAIN, Options
from core.scenario import Scenario
from core.table import Array

FILTERED = Costing(filtered=True)


@dataclass(frozen=True, eq=False)
class Design:
    """Measured tables, their shares of the budget, and how families are read off them."""

    merged: MergePlan
    shares: Array
    """Part of the budget of each table."""
    tables: tuple[Axes, ...]
    slices: tuple[slice, ...]
    consistency: ConsistencyPlan
    """From the measured tables to the rungs of the ladder, by least squares."""
    ladder: Ladder
    order: Index
    """Where each cell of the network's layout stands among the ladder's cells."""


@dataclass(frozen=True, eq=False)
class FilterDesign(Design):
    """A design whose tables are read through the graph's factors."""

    factors: Factors
    pooling: ConsistencyPlan
    """From the parts of the factors to the rungs."""


@dataclass(frozen=True, eq=False)
class AgreedDesign(Design):
    """A design whose tables are made to agree first, those of the largest families alone kept."""

    factors: Factors
    """Of the tables that are kept."""
    agreement: ConsistencyPlan
    """From the measured tables to those that are kept."""
    reading: ConsistencyPlan
    """From those that are kept to the rungs."""
    holder: Index
    """A kept table for each rung that has its variables."""


def design(network: Network, options: Options = PLAIN) -> Design:
    """Tables merged for plain sums."""
    return _design(network, _deciding(options), SUMS)


def filter_design(network: Network, options: Options = PLAIN) -> FilterDesign:
    """Tables merged for filtered sums."""
    return _filter_design(network, _deciding(options))


def agreed_design(network: Network, options: Options = PLAIN) -> AgreedDesign:
    """Families' tables, for Gaussian noise."""
    return _agreed_design(network, _deciding(options))


def _deciding(options: Options) -> Options:
    """The options that decide what is measured: a prior or δ has no part in it."""
    return Options(floors=options.floors, weights=options.weights)


@functools.lru_cache(maxsize=64)
def _design(network: Network, options: Options, costing: Costing) -> Design:
    merged = merge_families(network, options.weights_of(network), costing)
    return _compiled(network, merged, options, network.scopes)


@functools.lru_cache(maxsize=64)
def _filter_design(network: Network, options: Options) -> FilterDesign:
    merged = merge_families(network, options.weights_of(network), FILTERED)
    factors = factorise(network, merged.tables)
    compiled = _compiled(network, merged, options, factors.scopes)
    rungs = (compiled.ladder.tables, compiled.ladder.slices)
    pooling = compile_plan(factors.axes, factors.slices, [1.0] * len(factors.axes), rungs)
    return FilterDesign(
        **{f.name: getattr(compiled, f.name) for f in fields(compiled)},
        factors=factors,
        pooling=pooling,
    )


@functools.lru_cache(maxsize=64)
def _agreed_design(network: Network, options: Options) -> AgreedDesign:
    divided = divided_families(network, options.weights_of(network))
    every = [set(table) for table in divided.tables]
    kept = [
        t for t, own in zip(divided.tables, every, strict=True) if not any(map(own.__lt__, every))
    ]
    factors = factorise(network, kept)
    compiled = _compiled(network, divided, options, factors.scopes)
    sizes = [v.cardinality for v in network.variables]
    axes = [tuple((j, sizes[j]) for j in t) for t in kept]
    places = side_by_side(axes)
    rungs = (compiled.ladder.tables, compiled.ladder.slices)
    measured = compiled.consistency.measured
    weights = _weights(divided, compiled.shares, compiled.tables)
    holders = [
        next(k for k, t in enumerate(kept) if {j for j, _ in rung} <= set(t))
        for rung in compiled.ladder.tables
    ]
    return AgreedDesign(
        **{f.name: getattr(compiled, f.name) for f in fields(compiled)},
        factors=factors,
        agreement=compile_plan(measured.axes, measured.slices, weights, (axes, places)),
        reading=compile_plan(axes, places, [1.0] * len(axes), rungs),
        holder=np.array(holders),
    )


def _compiled(
    network: Network, merged: MergePlan, options: Options, scopes: Sequence[Scope]
) -> Design:
    """A design that reads conditionals over ``scopes``, the network's families first."""
    shares = merged.shares(options.floors_of(network))
    sizes = [v.cardinality for v in network.variables]
    tables = tuple(tuple((j, sizes[j]) for j in t) for t in merged.tables)
    ladder = build_ladder([tuple((j, sizes[j]) for j in scope) for scope in scopes])
    slices = side_by_side(tables)
    weights = _weights(merged, shares, tables)
    consistency = compile_plan(tables, slices, weights, (ladder.tables, ladder.slices))
    order = np.empty(network.layout.size, dtype=np.intp)
    start = 0
    for where in network.layout.slices:
        order[where] = ladder.tops[start : start + where.stop - where.start]
        start += where.stop - where.start
    return Design(merged, shares, tables, slices, consistency, ladder, order)


def _weights(merged: MergePlan, shares: Array, tables: Sequence[Axes]) -> list[float]:
    """Of least squares, 1 / (variance · cells).

    The variance falls with the square of ε_t (Laplace, budgets ∝ cost^1/2) or with rho_t.
    """
    falls = 2 if merged.costing.power == SUMS.power else 1
    return [float(s**falls) / cells_of(t) for s, t in zip(shares, tables, strict=True)]


def merged_plan(
    network: Network, designed: Design, scenario: Scenario, *, gaussian: bool = False
) -> BudgetPlan:
    """The budget over a design's tables; a variable shows the ε of the table that serves it.

    With Gaussian noise the tables get shares of rho, the budget that (ε, δ) allows Gaussian noise.
    """
    delta = scenario.options.delta
    parts = scenario.epsilon * designed.shares
    serving = designed.merged.table_of(len(network.families))
    return BudgetPlan(
        scenario.epsilon,
        scenario.neighbours,
        tuple(tuple(network.names[j] for j in t) for t in designed.merged.tables),
        tuple(cells_of(a) for a in designed.tables),
        parts,
        parts[list(serving)],
        serving=serving,
        delta=delta if gaussian else 0.0,
        rho=gaussian_budget(scenario.epsilon, delta).rho * designed.shares if gaussian else None,
    )


def measured(
    network: Network,
    counts: CountSource,
    designed: Design,
    plan: BudgetPlan,
    *,
    replicates: int,
    rng: Randomness,
) -> Array:
    """Noisy histograms of the design's tables, side by side: ``(cells, replicates)``."""
    tables = [tuple(network.variables[j] for j in t) for t in designed.merged.tables]
    exact = np.concatenate([t.values.ravel() for t in counts.counts(tables)])
    histograms = Histograms(plan.tables, np.repeat(np.arange(len(tables)), plan.cells))
    draw = whole_laplace if plan.rho is None else whole_gaussian
    noise = draw(histograms, plan.scales, replicates=replicates, rng=rng).T
    own = noise if noise.flags.c_contiguous else None  # in its place where it lies well already
    noisy = np.asarray(np.add(noise, exact[:, None], out=own, order="C"))
    noted(histograms, noisy.T, rng=rng)
    return noisy
