"""The two references: the exact model, and the uniform split of the budget."""

import numpy as np

from core.counts import CountSource
from core.methods.method import Release, packed_counts
from core.methods.plans import BudgetPlan, even_shares, paired_plan
from core.methods.procedure import consistent, draw_families, forecast_families, merge
from core.methods.randomness import Randomness
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import Model, fit
from core.scenario import Scenario
from core.table import Array


def exact(network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness) -> Release:
    """The maximum-likelihood model: no noise, no privacy. All replicates are equal."""
    flat = packed_counts(network, counts)
    model = fit(network, flat.copy(), scenario.options.prior)
    values = np.broadcast_to(model.values, (scenario.replicates, *model.values.shape))
    return Release("exact", None, "none", flat, Model(network, values))


def uniform(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Every family and its parent table get half of ε/n: the baseline D-Ind.

    Neighbours as given; each table is one histogram of L1 sensitivity 1 (add-remove) or 2
    (replace), measured with Laplace noise of scale sensitivity / (ε/2n); 2n tables compose to ε.
    Public: graph, states, options. Source: Chowdhury et al. 2020 (ICML), Procedure 1 and section 5.
    """
    shares = even_shares(network, scenario.epsilon, scenario.options)
    plan = paired_plan(network, scenario.epsilon, scenario.neighbours, shares)  # before any count
    exact_counts = packed_counts(network, counts)
    scales = plan.scales[::2]
    tables, _, surplus = draw_families(
        network, exact_counts, scales, replicates=scenario.replicates, rng=rng
    )
    noisy = consistent(network, merge(network, tables, surplus), scales)
    model = fit(network, noisy.copy("K"), scenario.options.prior)
    return Release("uniform", plan, "laplace", noisy, model)


def forecast_uniform(network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
    """Noise standard deviation of a cell of each family's table, in records; needs no data."""
    return forecast_families(network, plan.scales[::2])
