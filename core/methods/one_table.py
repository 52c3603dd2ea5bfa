"""One histogram for each family and none for its parents: what the parents' tables are worth."""

import functools

import numpy as np

from core.counts import CountSource
from core.estimation.consistency import ConsistencyPlan, compile_plan
from core.estimation.effects import cells_of
from core.methods.method import Release, packed_counts
from core.methods.noise import discrete_laplace_variance
from core.methods.plans import BudgetPlan, even_shares
from core.methods.randomness import Histograms, Randomness, noted, whole_laplace
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import fit
from core.scenario import Scenario
from core.table import Array


@functools.lru_cache(maxsize=64)
def _plan(network: Network) -> ConsistencyPlan:
    """Least squares over the family tables with equal noise."""
    axes = [
        tuple((network.position[v.name], v.cardinality) for v in family)
        for family in network.families
    ]
    return compile_plan(axes, network.layout.slices, [1 / cells_of(a) for a in axes])


def family_plan(network: Network, scenario: Scenario) -> BudgetPlan:
    """ε/n for every family's table, or what weights and floors make of it."""
    parts = even_shares(network, scenario.epsilon, scenario.options)
    return BudgetPlan(
        scenario.epsilon,
        scenario.neighbours,
        tuple(tuple(v.name for v in family) for family in network.families),
        tuple(where.stop - where.start for where in network.layout.slices),
        parts,
        parts,
        serving=tuple(range(len(network.families))),
    )


def _weights(network: Network, plan: BudgetPlan) -> Array | None:
    """Least-squares weights ε_t² / cells; none for the compiled ones."""
    if (plan.parts == plan.parts[0]).all():  # also without noise, where all are infinite
        return None
    return np.asarray(plan.parts**2 / plan.cells)


def forecast_one_table(network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
    """Noise standard deviation of a cell of each family's table, in records; needs no data."""
    measured = np.array([discrete_laplace_variance(b) for b in plan.scales.tolist()])
    return np.sqrt(_plan(network).variances(measured, _weights(network, plan)))


def forecast_tables(network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
    """The same of tables that are left as they were measured."""
    return np.sqrt([discrete_laplace_variance(b) for b in plan.scales.tolist()])


def _measured(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> tuple[BudgetPlan, Array]:
    """Every family's table, with noise."""
    plan = family_plan(network, scenario)  # checked before a count is read
    exact = packed_counts(network, counts)
    histograms = Histograms(plan.tables, network.layout.cell_owner)
    noisy = whole_laplace(histograms, plan.scales, replicates=scenario.replicates, rng=rng)
    noisy += exact
    noted(histograms, noisy, rng=rng)
    return plan, noisy


def privbayes_tables(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """PrivBayes' conditionals on the given graph: clipped and normalised, nothing reconciled.

    Neighbours, sensitivity and scale as in :func:`one_table`; the whole ε is for the tables, since
    no graph is learned. Public: graph, states, options. Source: Zhang et al. 2017 (TODS),
    Algorithm 3.
    """
    plan, noisy = _measured(network, counts, scenario, rng=rng)
    model = fit(network, noisy.copy("K"), scenario.options.prior)
    return Release("privbayes-tables", plan, "discrete laplace", noisy, model)


def one_table(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Family tables alone, equal budgets, exact least squares where they overlap.

    Neighbours as given; n histograms of L1 sensitivity 1 (add-remove) or 2 (replace), discrete
    Laplace noise of scale sensitivity / (ε/n). Public: graph, states, options.
    """
    plan, noisy = _measured(network, counts, scenario, rng=rng)
    consistent = _plan(network).apply(noisy, _weights(network, plan))
    model = fit(network, consistent.copy("K"), scenario.options.prior)
    return Release("one-table", plan, "discrete laplace", consistent, model)
