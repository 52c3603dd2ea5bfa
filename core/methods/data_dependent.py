"""The published data-dependent allocation, both versions.

Chowdhury, Rekatsinas, Jha: arXiv 2019 (Algorithm 2) and ICML 2020 (Algorithm 1, which adds the
weighted mean of both stages).
"""

import numpy as np

from core.counts import CountSource
from core.methods.method import Release, packed_counts
from core.methods.plans import BudgetPlan, even_shares, importance, paired_plan
from core.methods.procedure import NoisyFamilies, measure_families
from core.methods.randomness import Randomness, thinned
from core.network import Network
from core.options import lifted
from core.parameters import Model, fit
from core.privacy import inflated
from core.scenario import Scenario
from core.table import Array


def estimated_errors(network: Network, model: Model, stage: NoisyFamilies, floor: float) -> Array:
    """δ_i of Eq. 12: mean over cells of Θ sqrt(1/T_pa² + 1/T²), ``(replicates, nodes)``.

    Deviation: noisy counts may be zero or negative; both are floored at one noise standard
    deviation.
    """
    layout = network.layout
    cells = np.maximum(stage.tables, floor)
    rows = np.maximum(stage.parents, floor)
    terms = np.empty_like(cells)
    for block in layout.blocks:
        below = layout.rows(cells, block)
        above = rows[:, block.rows, None]
        layout.rows(terms, block)[...] = np.sqrt(1 / above**2 + 1 / below**2)
    terms *= model.values
    sums = np.add.reduceat(terms, [layout.slices[i].start for i in layout.memory_order], axis=-1)
    sizes = np.array([s.stop - s.start for s in layout.slices])
    return np.asarray(sums[..., np.argsort(layout.memory_order)] / sizes)


def _run(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> tuple[BudgetPlan, NoisyFamilies, Model, Model]:
    """Plan, Stage II tables, and the models of both stages.

    Stage I reads a Poisson sample of rate γ with β·ε; by amplification its tables may be measured
    as if with ln((e^{βε} - 1)/γ + 1). Each table is thinned on its own, which the joint formula
    covers (it is superadditive in ε).
    """
    epsilon, rate, replicates = scenario.epsilon, scenario.rate, scenario.replicates
    neighbours, options = scenario.neighbours, scenario.options
    floors = options.floors_of(network)
    weights = importance(network) * options.weights_of(network)
    stage_one = scenario.split * epsilon
    shares = even_shares(network, inflated(stage_one, rate))
    first = paired_plan(network, inflated(stage_one, rate), neighbours, shares)
    streams = rng.spawn(3)
    exact = packed_counts(network, counts)
    sample = thinned(exact, rate, replicates=replicates, rng=streams[0])
    stage = measure_families(
        network, sample, first.scales[::2], replicates=replicates, rng=streams[1], rate=rate
    )
    early = fit(network, stage.consistent.copy("K"), options.prior)
    deviation = max(float(np.sqrt(2) * first.scales[0]), 1e-9)
    errors = estimated_errors(network, early, stage, deviation)
    roots = np.sqrt(weights * np.maximum(errors, 1e-300))  # Eq. 13
    roots = lifted(roots, floors)
    rest = epsilon if np.isinf(epsilon) else epsilon - stage_one
    nodes = rest * roots / roots.sum(axis=-1, keepdims=True)
    plan = paired_plan(network, epsilon, neighbours, nodes, stage_one, errors)
    final = measure_families(
        network, exact, plan.scales[:, ::2], replicates=replicates, rng=streams[2]
    )
    return plan, final, early, fit(network, final.consistent.copy("K"), options.prior)


def data_dependent_arxiv(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Stage I decides ε_i ∝ sqrt(W_i δ_i), Stage II measures. Source: arXiv 2019, Algorithm 2.

    Neighbours as given; β·ε for Stage I by amplified composition, the rest for 2n histograms of
    L1 sensitivity 1 (add-remove) or 2 (replace) with Laplace noise. Public: graph, states, β, γ,
    options.
    """
    plan, measured, _, model = _run(network, counts, scenario, rng=rng)
    return Release("data-dependent-arxiv", plan, "laplace", measured.consistent, model)


def data_dependent_icml(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """As the arXiv version, then the mean of both stages, weighted by their ε.

    Source: ICML 2020, Algorithm 1, lines 15 to 20. Averaging is post-processing.
    """
    plan, measured, early, late = _run(network, counts, scenario, rng=rng)
    share = plan.stage_one / len(network.families)
    if np.isinf(share):  # Deviation: without noise the sample of Stage I has nothing to add
        model = late
    else:
        weight = (share / (plan.node_epsilon + share))[:, network.layout.cell_owner]
        model = Model(network, weight * early.values + (1 - weight) * late.values)
    return Release("data-dependent-icml", plan, "laplace", measured.consistent, model)
