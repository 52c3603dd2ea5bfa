"""Methods that a release can order which are given variables and learn the graph.

Neighbours as given, all parts by sequential composition. Public: variables and states; the number
of records where one is replaced. Knobs are those of the recipe.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from core.counts import CountSource, Rows
from core.errors import EquipoiseError
from core.methods.method import Release
from core.methods.plans import BudgetPlan
from core.methods.randomness import Randomness
from core.network import Network
from core.parameters import Model
from core.privacy import Neighbours
from core.privbayes.conditionals import network_of
from core.privbayes.encoding import encoding
from core.privbayes.settings import PLUS, RECIPES, Recipe, Settings
from core.privbayes.synthesis import Alike, runs, synthesise
from core.scenario import Scenario
from core.synthesis.forecast import WayForecast, forecasts
from core.synthesis.measuring import Purse
from core.synthesis.ways import RECORDS_SHARE
from core.synthesis.whole_records import draw_columns
from core.table import Array, Variable, cells

Parts = tuple[tuple[str, Fraction], ...]

STRUCTURE = "privbayes-structure"
"""The learner that gives a graph alone."""

ALL = ("number of records", "structure", "tables")
"""What ε is spent on, in order."""

GROWN = ("number of records", "choices and tables")
"""The same where tables are chosen and measured in turn; rho, where there is a δ."""


def recipe_of(method: str) -> Recipe:
    """How a learner works; a graph alone is that of ``privbayes-plus``."""
    return RECIPES.get(method, PLUS)


def shares(method: str, neighbours: Neighbours) -> Parts:
    """The share of the budget that each part of a learner may spend, exactly; one in all."""
    recipe, private = recipe_of(method), neighbours is Neighbours.ADD_REMOVE
    if recipe.way:
        counted = Fraction(repr(RECORDS_SHARE)) * private
        return tuple((n, p) for n, p in zip(GROWN, (counted, 1 - counted), strict=True) if p)
    parts = Settings(recipe=recipe, neighbours=neighbours).shares
    if method == STRUCTURE:
        parts = (parts[0], parts[1], Fraction(0))
    whole = sum(parts)
    return tuple((name, part / whole) for name, part in zip(ALL, parts, strict=True) if part)


def part_of(method: str, *, counts: bool, chooses: bool) -> str:
    """The part that a measurement is of: of how many records, of a choice, or of a table."""
    if recipe_of(method).way:
        return GROWN[not counts]
    return ALL[0 if counts else 1 if chooses else 2]


def learned(
    method: str, network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """One run of a learner, a rehearsal or a release."""
    if scenario.replicates != 1:
        raise EquipoiseError(
            f"{scenario.replicates} replicates are asked of {method!r}, which learns another "
            "graph in each; ask for one at a time"
        )
    if method == STRUCTURE:
        return _structure(network, counts, scenario, rng=rng)
    make = _grown if recipe_of(method).way else _whole
    return make(method, network, counts, scenario, rng=rng)


def _structure(
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


def forecast_ways(
    method: str, variables: Sequence[Variable], scenario: Scenario, records: float
) -> list[WayForecast]:
    """What each way is expected to be off that a method may go; none where it does not forecast.

    From public facts: columns, budget, and the number of records that is stated.
    """
    settings = settings_of(method, scenario)
    used = [v for v in variables if v.cardinality > 1]
    if settings.recipe.way != "best" or len(used) < 2 or not records:
        return []
    delta = settings.delta if settings.recipe.gaussian else 0.0
    return forecasts(used, Purse(settings.epsilon, delta, settings.neighbours), records)


def drawn_records(
    method: str,
    model: Model,
    columns: tuple[Variable, ...],
    records: int,
    *,
    rng: np.random.Generator,
) -> Rows:
    """Synthetic records of a method's model: as whole counts where its recipe draws them so."""
    whole = method in RECIPES and bool(RECIPES[method].way)
    return draw_columns(model, records, columns, whole=whole, rng=rng)


def uniform_model(network: Network) -> Model:
    """Every state as probable as any other: what stands where no table was measured."""
    shapes = network.layout.shapes
    return Model(network, network.layout.pack([np.full(shape, 1 / shape[-1]) for shape in shapes]))


def settings_of(method: str, scenario: Scenario) -> Settings:
    """What a learner does; that of a graph alone spends only what comes before the tables."""
    own = Settings(
        epsilon=scenario.epsilon,
        neighbours=scenario.neighbours,
        recipe=recipe_of(method),
        delta=scenario.options.delta,
    )
    if method != STRUCTURE:
        return own
    records, structure, _ = own.shares
    return replace(own, epsilon=scenario.epsilon / float(records + structure))


def _run(
    method: str, network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Alike:
    """Number of records and structure; its tables are not measured yet."""
    attributes = encoding("vanilla", network.variables).attributes
    (run,) = runs(counts, attributes, settings_of(method, scenario), rng=rng)
    return run


def _whole(
    method: str, network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    run = _run(method, network, counts, scenario, rng=rng)
    estimate = run.estimated(counts)
    before = run.rules.spending.records + run.rules.spending.structure
    parts = estimate.parts.reshape(1, -1)
    plan = _plan(scenario, estimate.tables, estimate.cells, parts, before, len(network.names))
    return Release(method, plan, "discrete laplace", estimate.noisy, estimate.model)


def _grown(
    method: str, network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
) -> Release:
    """A model of tables chosen and measured in turn; a class that no column has may be among it."""
    settings = settings_of(method, scenario)
    synthesis = synthesise(counts, encoding("vanilla", network.variables), settings, rng=rng)
    assert synthesis.grown is not None
    grown, values = synthesis.grown, synthesis.model.values[None]
    own = [(table, amount) for table, amount in zip(grown.measured, grown.amounts, strict=True)]
    tables = tuple(tuple(network.names[c] for c in columns) for columns, _ in own if columns)
    sizes = tuple(cells([network.variables[c] for c in columns]) for columns, _ in own if columns)
    amounts = np.array([[amount for columns, amount in own if columns]])
    share = scenario.epsilon / grown.purse.total
    before = synthesis.spending.records + synthesis.spending.structure
    plan = _plan(scenario, tables, sizes, share * amounts, before, len(network.names))
    if settings.recipe.gaussian:
        plan = replace(plan, delta=settings.delta, rho=amounts)
    noise = "discrete gaussian" if settings.recipe.gaussian else "discrete laplace"
    model = Model(synthesis.model.network, values)
    return Release(method, plan, noise, values, model, records=synthesis.records)


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
