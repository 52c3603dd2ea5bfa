"""From counts to one model of all columns by a way that is given, or by the one forecast best.

Views are a public covering of all pairs by small blocks of columns, with hidden classes for all:
nothing is spent on choosing, every block gets the same, and every pair is in a block.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.randomness import Histograms, Randomness, noted
from core.network import Network
from core.parameters import Model
from core.privacy import EPSILON_LIMIT, Neighbours
from core.synthesis.adaptive import CELLS, Progress, grown
from core.synthesis.classes import fit_numbers, fitted_classes
from core.synthesis.forecast import FEW_COLUMNS, FEW_STATES, WayForecast, forecasts, view_covering
from core.synthesis.measuring import Bench, Columns, NoisyTable, Purse, TableStep
from core.table import Variable

HIDDEN = "hidden class"


def viewed(bench: Bench, *, records: float | None) -> tuple[Model, float]:
    """The mixture that fits all views, as a network with its class, and the number of records."""
    covering = view_covering(bench.variables, bench.purse)
    assert covering is not None, "or it was not forecast"
    blocks = list(covering.blocks)
    each = bench.left * (1 - 1e-12) / len(blocks)
    bench.measure(blocks, [each] * len(blocks))
    bench.steps += [TableStep(block, each) for block in blocks]
    own = [table for table in bench.tables if len(table.columns) > 1]
    mean = sum(float(table.values.sum()) for table in own) / len(own)
    total = max(1.0, mean if records is None else records)
    sizes = [v.cardinality for v in bench.variables]
    classes = fitted_classes(sizes, own, total)
    name, names = HIDDEN, {v.name for v in bench.variables}
    while name in names:
        name += " "
    states = tuple(f"class {k + 1}" for k in range(len(classes.weights)))
    return classes.model(bench.variables, Variable(name, states)), total


RECORDS_SHARE = 0.01
"""Part of the budget that counts the records where their number is private."""


PAIRS_LIMIT = 2**27
"""Most cells of all two-way tables together: a gigabyte, which is held several times over."""


@dataclass(frozen=True, eq=False)
class Grown:
    """What came out: the model, the number of records, the steps, and what had been forecast.

    ``plan`` is the way taken out of ``plans``; amounts are of ε, or of rho where there is a δ.
    """

    model: Model
    records: int
    steps: tuple[TableStep, ...]
    plan: WayForecast
    plans: tuple[WayForecast, ...]
    purse: Purse
    counted: float
    choices: float
    tables: tuple[NoisyTable, ...]
    amounts: tuple[float, ...]
    measured: tuple[Columns, ...]
    """Columns of what each amount was paid for, the number of records among them."""


DRAWN, TIMES = 1_000_000, 10
"""Most records that a rehearsal draws: so many, or so many times the real ones."""

SURE = 40
"""Standard deviations of the noise in a number of records that are reckoned with."""


def drawable(records: int) -> int:
    """Most synthetic records that are worth comparing with so many; under much noise it is any."""
    return max(DRAWN, TIMES * records)


def memory_bound(variables: Sequence[Variable], records: int, purse: Purse) -> int:
    """Bytes that a synthesis and the records drawn from it take at most, before either begins.

    The tree with what fits it, or hidden classes where views may be taken, every state given what
    cliques share, two-way tables, and codes of the new records while they are drawn.
    """
    sizes = [v.cardinality for v in variables]
    cells, drawn = min(CELLS, math.prod(sizes)), float(records)
    if purse.neighbours is Neighbours.ADD_REMOVE:
        drawn += SURE * purse.deviation(RECORDS_SHARE * purse.total)
    drawn = math.ceil(min(drawn, drawable(records)))
    numbers = 8 * CELLS + sum(sizes) * cells + 8 * _pairs_of_states(sizes)
    views = view_covering(variables, purse)
    if views is not None:
        viewed_cells = sum(math.prod(sizes[c] for c in block) for block in views.blocks)
        numbers += fit_numbers(sizes, viewed_cells)
    return 8 * (numbers + drawn * (3 * len(sizes) + 8))


def _pairs_of_states(sizes: Sequence[int]) -> int:
    """Cells of all two-way tables together."""
    return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2


def made(
    way: str,
    source: CountSource,
    variables: Sequence[Variable],
    purse: Purse,
    *,
    rng: Randomness,
    progress: Progress | None = None,
) -> Grown:
    """A model within the purse; ``way`` is adaptive, views, or best: the least forecast error.

    First the records are counted, for a hundredth, where their number is private; then the
    forecast is made, from public facts alone; then everything else is spent.
    """
    if purse.epsilon > EPSILON_LIMIT:
        purse = Purse(EPSILON_LIMIT, purse.delta, purse.neighbours)
    used = [j for j, v in enumerate(variables) if v.cardinality > 1]
    if len(used) < 2:
        raise EquipoiseError(
            f"{len(used) or 'no'} column has more than one state, and synthesis needs at least "
            "two; add a column, or release a single one with a graph of no edges"
        )
    if (pairs := _pairs_of_states([variables[j].cardinality for j in used])) > PAIRS_LIMIT:
        raise EquipoiseError(
            f"the columns have {pairs:,} pairs of states, and at most {PAIRS_LIMIT:,} are weighed "
            "up; merge states or leave columns out"
        )
    bench = Bench(source, tuple(variables[j] for j in used), purse, rng)
    public = purse.neighbours is Neighbours.REPLACE
    counted = _count(bench, public=public)
    plans = tuple(forecasts(bench.variables, purse, counted))
    plan = _taken(way, plans)
    known = counted if public else None
    if plan.way == "views":
        model, records = viewed(bench, records=known)
    else:
        grown_model, records = grown(bench, plan, records=known, progress=progress)
        model = grown_model.model()
    return Grown(
        _with_constants(model, variables),
        max(1, round(records)),
        tuple(replace(step, columns=tuple(used[c] for c in step.columns)) for step in bench.steps),
        plan,
        plans,
        purse,
        0.0 if public else bench.amounts[0],
        bench.choices,
        tuple(bench.tables),
        tuple(bench.amounts),
        tuple(tuple(used[c] for c in columns) for columns in bench.measured),
    )


def _count(bench: Bench, *, public: bool) -> float:
    """The number of records, as it is where it is public."""
    if public:
        exact = bench.exact([()])[0].reshape(1, 1)
        noted(Histograms(((),), np.zeros(1, dtype=np.intp)), exact, rng=bench.rng)
        return float(exact[0, 0])
    bench.measure([()], [RECORDS_SHARE * bench.left])
    return max(1.0, float(bench.tables.pop().values))


def _taken(way: str, plans: Sequence[WayForecast]) -> WayForecast:
    if way == "best":
        return min(plans, key=lambda plan: plan.error)
    allowed = ("views",) if way == "views" else ("tree", "adaptive")
    own = [plan for plan in plans if plan.way in allowed]
    if not own:
        raise EquipoiseError(
            f"views are for 3 to {FEW_COLUMNS} columns of at most {FEW_STATES} states; choose "
            "adaptive or equipoise-synthesis"
        )
    return min(own, key=lambda plan: plan.error)


def _with_constants(model: Model, variables: Sequence[Variable]) -> Model:
    """The model over all columns, in their order; one of a single state stands alone."""
    own = model.network
    extra = [v for v in own.variables if v not in variables]
    order = (*variables, *extra)
    if order == own.variables:
        return model
    parents = dict(zip(own.names, own.parents, strict=True))
    arrays = {t.variables[-1].name: t.values for t in model.conditionals}
    network = Network(order, tuple(parents.get(v.name, ()) for v in order))
    return Model.from_conditionals(network, [arrays.get(v.name, np.ones(1)) for v in order])
