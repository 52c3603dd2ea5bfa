"""Our methods: a public plan, one pass over the data.

What is measured, and with which budget, follows from the graph and the numbers of states alone,
so nothing is spent on deciding. Each measured table is one histogram; the budgets add up. All that
follows is post-processing.
"""

import math

import numpy as np

from core.counts import CountSource
from core.methods.design import agreed_design, design, filter_design, measured, merged_plan
from core.methods.expectation import expected
from core.methods.filtering import STRENGTH, refined
from core.methods.method import Release
from core.methods.noise import discrete_gaussian_variance, discrete_laplace_variance
from core.methods.plans import BudgetPlan
from core.methods.randomness import Randomness
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import Model, fit
from core.scenario import Scenario
from core.table import Array


def noise_variances(plan: BudgetPlan) -> Array:
    """Noise variance of a cell of each measured table."""
    variance = discrete_laplace_variance if plan.rho is None else discrete_gaussian_variance
    return np.array([variance(scale) for scale in plan.scales.tolist()])


def forecast(network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
    """Noise standard deviation of a cell of each family's table, in records; needs no data.

    Var_i = Σ_{B ⊆ family i} Π_{j ∈ B} (r_j - 1) / (d_i² S_B), S_B = Σ_{t ⊇ B} 1 / (sd_t² d_t).
    """
    designed = design(network, options)
    variances = designed.consistency.variances(noise_variances(plan))
    return np.sqrt(variances[list(designed.ladder.families)])


def _release(
    method: str, network: Network, plan: BudgetPlan, estimated: tuple[Array, Array], prior: float
) -> Release:
    """A release from the families' noisy counts and conditionals, replicates last.

    Without noise it is the exact model, also in rows that nobody fills and that are backed off
    otherwise: answers may rest on them.
    """
    noisy, conditionals = estimated[0].T, estimated[1].T
    conditionals.flags.writeable = False
    noise = "discrete laplace" if plan.rho is None else "discrete gaussian"
    model = Model(network, conditionals)
    if math.isinf(plan.epsilon):
        model = fit(network, noisy.copy("K"), prior)
    return Release(method, plan, noise, noisy, model)


def equipoise(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Merged tables, one histogram each, exact least squares, projection and back-off.

    Neighbours as given; each table has L1 sensitivity 1 (add-remove) or 2 (replace), discrete
    Laplace noise of scale sensitivity / ε_t, Σ ε_t = ε by sequential composition. Public: graph,
    states, options.
    """
    designed = design(network, scenario.options)
    plan = merged_plan(network, designed, scenario)  # checked before a count is read
    tables = measured(network, counts, designed, plan, replicates=scenario.replicates, rng=rng)
    variances = noise_variances(plan)
    rungs = designed.consistency.read(tables, variances)
    del tables  # large: what follows is faster in its place
    noisy = rungs.take(designed.order, axis=0)
    deviations = np.sqrt(designed.consistency.variances(variances))
    prior = scenario.options.prior
    priors = designed.ladder.on_top(prior) if prior else None
    strengths = np.maximum(STRENGTH * deviations, 1e-12)
    conditionals = designed.ladder.climb(rungs, strengths, priors=priors, out=rungs)
    estimated = noisy, conditionals.take(designed.order, axis=0)
    return _release("equipoise", network, plan, estimated, prior)


def equipoise_filter(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Larger merged tables, read through the graph: matched filters, then posterior means.

    Neighbours, sensitivity, noise and composition as ``equipoise``. Public: graph, states,
    options.
    """
    designed = filter_design(network, scenario.options)
    plan = merged_plan(network, designed, scenario)  # checked before a count is read
    tables = measured(network, counts, designed, plan, replicates=scenario.replicates, rng=rng)
    estimated = refined(designed, tables, noise_variances(plan), scenario.options.prior)
    return _release("equipoise-filter", network, plan, estimated, scenario.options.prior)


def equipoise_zcdp(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Every family's table, budgets of least error, discrete Gaussian noise: (ε, δ).

    Neighbours as given; each table has squared L2 sensitivity 1 (add-remove) or 2 (replace) and
    discrete Gaussian noise for its part of rho, whose sum is (ε, δ): see
    :mod:`core.gaussian_noise`. Public: graph, states, options with δ.
    """
    designed = agreed_design(network, scenario.options)
    plan = merged_plan(network, designed, scenario, gaussian=True)
    tables = measured(network, counts, designed, plan, replicates=scenario.replicates, rng=rng)
    estimated = expected(designed, tables, noise_variances(plan), scenario.options.prior)
    return _release("equipoise-zcdp", network, plan, estimated, scenario.options.prior)
