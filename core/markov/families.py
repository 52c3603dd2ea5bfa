"""Bayesian networks learned as undirected models: ``mrf-naive`` and ``cgm``.

The moral graph has one clique for each family, so the noisy family tables are noisy sufficient
statistics of an undirected model. It is trained on them, and its marginals over each family are
normalised to conditionals. All of it is post-processing of the tables that ``uniform`` measures.
"""

import functools
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.markov.belief import marginals
from core.markov.collective import STEPS, collective
from core.markov.graph import Field, moral_field
from core.markov.likelihood import FAMILY_PENALTY, naive, penalty
from core.methods.method import Release, packed_counts
from core.methods.plans import BudgetPlan, even_shares, paired_plan
from core.methods.procedure import draw_families, merge
from core.methods.randomness import Randomness
from core.network import Network
from core.options import Options
from core.parameters import fit
from core.scenario import Scenario
from core.table import Array


@dataclass(frozen=True, eq=False)
class _Noisy:
    """Noisy family tables, the scale of each cell, and the number of records they tell."""

    field: Field
    plan: BudgetPlan
    tables: Array
    scales: Array
    records: Array


@functools.lru_cache(maxsize=32)
def trained_field(network: Network) -> Field:
    """The moral graph of a network, refused when it is too large to be trained."""
    field = moral_field(network)
    try:
        _ = field.tree
    except EquipoiseError as problem:
        raise EquipoiseError(f"the moral graph of this network is too large: {problem}") from None
    return field


def mrf_naive(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """Maximum likelihood over the moral graph, as if the noisy family tables were exact.

    Neighbours, sensitivity, scales and what is public as in ``uniform``: the same tables are
    measured, the rest is post-processing. Source: Bernstein et al. 2017, section 3.1.
    """
    noisy = _measured(network, counts, scenario, rng=rng)
    if not noisy.scales.any():
        return _exact("mrf-naive", network, noisy, scenario.options)
    return _released("mrf-naive", network, noisy, _naive(network, noisy), scenario.options)


def cgm(network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness) -> Release:
    """A collective graphical model over the moral graph: EM with the true tables hidden.

    Neighbours, sensitivity, scales and what is public as in ``uniform``: the same tables are
    measured, the rest is post-processing. Source: Bernstein et al. 2017, section 3.2.
    """
    noisy = _measured(network, counts, scenario, rng=rng)
    if not noisy.scales.any():
        return _exact("cgm", network, noisy, scenario.options)
    theta = collective(
        noisy.field,
        noisy.tables,
        noisy.records,
        noisy.scales,
        start=_naive(network, noisy),
        steps=STEPS,
    ).theta
    return _released("cgm", network, noisy, theta, scenario.options)


def _measured(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> _Noisy:
    """The noisy tables of ``uniform`` before they are made consistent."""
    field = trained_field(network)
    shares = even_shares(network, scenario.epsilon, scenario.options)
    plan = paired_plan(network, scenario.epsilon, scenario.neighbours, shares)  # before any count
    exact = packed_counts(network, counts)
    scales = plan.scales[::2]
    tables, _, surplus = draw_families(
        network, exact, scales, replicates=scenario.replicates, rng=rng
    )
    tables = np.ascontiguousarray(merge(network, tables, surplus))
    layout = network.layout
    sums = np.stack([tables[:, where].sum(axis=1) for where in layout.slices], axis=1)
    weights = 1 / (np.array([s.stop - s.start for s in layout.slices]) * np.maximum(scales, 1e-9))
    records = np.maximum(sums @ (weights / weights.sum()), 1.0)
    return _Noisy(field, plan, tables, scales[layout.cell_owner], records)


def _naive(network: Network, noisy: _Noisy) -> Array:
    strength = penalty(noisy.scales, noisy.records, FAMILY_PENALTY)
    near = fit(network, noisy.tables.copy(), FAMILY_PENALTY * float(noisy.scales.mean()))
    return naive(
        noisy.field,
        noisy.tables,
        noisy.records,
        noisy.scales,
        penalty=strength,
        start=np.log(near.values),
    ).theta


def _exact(name: str, network: Network, noisy: _Noisy, options: Options) -> Release:
    """Without noise the tables are those of a distribution, and its conditionals the answer."""
    model = fit(network, noisy.tables.copy(), options.prior)
    return Release(name, noisy.plan, "laplace", noisy.tables, model)


def _released(
    name: str, network: Network, noisy: _Noisy, theta: Array, options: Options
) -> Release:
    _, shares = marginals(noisy.field, theta)
    tables = shares * noisy.records[:, None]
    return Release(name, noisy.plan, "laplace", tables, fit(network, tables.copy(), options.prior))
