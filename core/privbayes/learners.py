"""PrivBayes as methods that a release can order: they are given variables and learn the graph.

Neighbours as given, all parts by sequential composition. Public: variables and states; the number
of records where one is replaced. Knobs are those of the recipe.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.method import Release
from core.methods.plans import BudgetPlan
from core.methods.randomness import Randomness
from core.network import Network
from core.parameters import Model
from core.privacy import Neighbours
from core.privbayes.conditionals import network_of
from core.privbayes.encoding import encoding
from core.privbayes.settings import PLUS, PRIVBAYES, Settings
from core.privbayes.synthesis import Alike, runs
from core.scenario import Scenario
from core.table import Array

Parts = tuple[tuple[str, Fraction], ...]

STRUCTURE = "privbayes-structure"
"""The learner that gives a graph alone."""

ALL = ("number of records", "structure", "tables")
"""What ε is spent on, in order."""


def shares(method: str, neighbours: Neighbours) -> Parts:
    """The share of ε that each part of a learner may spend, exactly; one in all."""
    recipe = PRIVBAYES if method == PRIVBAYES.name else PLUS
    parts = Settings(recipe=recipe, neighbours=neighbours).shares
    if method == STRUCTURE:
        parts = (parts[0], parts[1], Fraction(0))
    whole = sum(parts)
    return tuple((name, part / whole) for name, part in zip(ALL, parts, strict=True) if part)


def privbayes(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """As published: number of records, structure, tables."""
    return _whole(PRIVBAYES.name, network, counts, scenario, rng=rng)


def privbayes_plus(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """With better choices and estimators: number of records, structure, tables."""
    return _whole(PLUS.name, network, counts, scenario, rng=rng)


def privbayes_structure(
    network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """The structure of ``privbayes-plus`` alone; no table is measured and all rows are uniform.

    It chooses as a whole release would whose number of records and structure cost this ε.
    """
    run = _run(STRUCTURE, network, counts, scenario, rng=rng)
    values = uniform_model(network_of(run.structure)).values[None]
    plan = _plan(scenario, (), (), np.zeros((1, 0)), scenario.epsilon, len(network.names))
    model = Model(network_of(run.structure), values)
    return Release(STRUCTURE, plan, "none", values, model)


def uniform_model(network: Network) -> Model:
    """Every state as probable as any other: what stands where no table was measured."""
    shapes = network.layout.shapes
    return Model(network, network.layout.pack([np.full(shape, 1 / shape[-1]) for shape in shapes]))


def settings_of(method: str, scenario: Scenario) -> Settings:
    """What a learner does; that of a graph alone spends only what comes before the tables."""
    recipe = PRIVBAYES if method == PRIVBAYES.name else PLUS
    own = Settings(epsilon=scenario.epsilon, neighbours=scenario.neighbours, recipe=recipe)
    if method != STRUCTURE:
        return own
    records, structure, _ = own.shares
    return replace(own, epsilon=scenario.epsilon / float(records + structure))


def _run(
    method: str,
    network: Network,
    counts: CountSource,
    scenario: Scenario,
    *,
    rng: Randomness,
) -> Alike:
    """The one run of a learner: graphs of several would not be one model."""
    if scenario.replicates != 1:
        raise EquipoiseError(
            f"{scenario.replicates} replicates are asked of {method!r}, which learns another "
            "graph in each; ask for one at a time"
        )
    attributes = encoding("vanilla", network.variables).attributes
    (run,) = runs(counts, attributes, settings_of(method, scenario), rng=rng)
    return run


def _whole(
    method: str,
    network: Network,
    counts: CountSource,
    scenario: Scenario,
    *,
    rng: Randomness,
) -> Release:
    run = _run(method, network, counts, scenario, rng=rng)
    estimate = run.estimated(counts)
    before = run.rules.spending.records + run.rules.spending.structure
    parts = estimate.parts.reshape(1, -1)
    plan = _plan(scenario, estimate.tables, estimate.cells, parts, before, len(network.names))
    return Release(method, plan, "discrete laplace", estimate.noisy, estimate.model)


def _plan(
    scenario: Scenario,
    tables: tuple[tuple[str, ...], ...],
    cells: tuple[int, ...],
    parts: Array,
    before: float,
    nodes: int,
) -> BudgetPlan:
    """What was measured; another run may choose other tables, so no part is a public one."""
    own = np.full((1, nodes), scenario.epsilon / nodes)
    return BudgetPlan(scenario.epsilon, scenario.neighbours, tables, cells, parts, own, before)
