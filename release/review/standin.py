"""Rehearse in public: the same plan on records that are nobody's.

Choosing ε by errors measured on the private rows is a leak of its own. A stand-in has the same
variables and as many records: drawn from the network's own published parameters, from an earlier
release, or from random tables. What it shows is what to expect, without a look at the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.network import Network
from core.parameters import Model, fit
from core.privbayes.learners import STRUCTURE, drawn_records
from core.privbayes.rehearsal import Comparison
from core.scenario import RECORD_LIMIT, Scenario, check_count
from core.study.bands import bands
from core.study.experiments import measure, rehearsals
from core.study.metrics import Truth
from core.study.quantities import PAIRS, ROW_ALIKE, Quantity
from core.study.subgroups import Subgroup, by_size, by_state
from core.table import Array

Kind = Literal["network", "earlier release", "random tables"]

DRAWS = 4
"""Pools drawn from a stand-in: how one pool differs from the next is part of what to expect."""

LEARNED = 20
"""Most runs of a method that learns its graph: each searches anew."""

EXPECTED = ("l1_row", "l1_weighted", "query_l1")
"""Metrics of a rehearsal."""


@dataclass(frozen=True, eq=False)
class StandIn:
    """Where public records come from; ``model`` is None for tables drawn anew for every pool.

    ``file`` is the name of the file that an earlier release was read from.
    """

    kind: Kind
    title: str
    network: Network
    model: Model | None = None
    file: str = ""


@dataclass(frozen=True)
class MetricBand:
    """Median of a metric over runs, with its 50, 80 and 95 % ranges."""

    median: float
    low: float
    low_80: float
    low_50: float
    high_50: float
    high_80: float
    high: float


@dataclass(frozen=True)
class Group:
    """One group of rows, or of people by their ``state``: medians and 95 % of runs.

    See :class:`core.study.subgroups.Subgroup`; a bias below zero is too little.
    """

    name: str
    members: int
    share: float
    state: bool
    error: float
    error_low: float
    error_high: float
    bias: float
    bias_low: float
    bias_high: float

    @classmethod
    def of(cls, group: Subgroup, *, state: bool) -> Group:
        """From the quantiles of a study."""
        both = [float(q[place]) for q in (group.error, group.bias) for place in (3, 0, 6)]
        return cls(group.name, group.members, group.share, state, *both)


@dataclass(frozen=True)
class StandInRehearsal:
    """What a method did on a stand-in: nothing of it comes from private records."""

    kind: Kind
    title: str
    method: str
    epsilon: float
    records: int
    runs: int
    bands: dict[str, MetricBand]
    file: str = ""
    groups: tuple[Group, ...] = ()

    @property
    def quantity(self) -> Quantity:
        """The error that is held against the steward's limit."""
        return ROW_ALIKE if ROW_ALIKE.key in self.bands else PAIRS

    @property
    def band(self) -> MetricBand:
        """What it was."""
        return self.bands[self.quantity.key]


def own_parameters(name: str, network: Network, model: Model) -> StandIn:
    """The network's own published parameters."""
    return _like(StandIn("network", f"records drawn from {name}'s own parameters", network, model))


def earlier_release(name: str, network: Network, model: Model, *, file: str) -> StandIn:
    """A model that was released before; its graph may differ, its variables may not."""
    return _like(StandIn("earlier release", f"records drawn from {name}", network, model, file))


def random_tables(network: Network) -> StandIn:
    """Rows of probabilities drawn uniformly: for when nothing is known.

    Without any edge to learn there would be nothing to rehearse: each variable then depends on the
    one before.
    """
    if not network.edges:
        before = ((), *((name,) for name in network.names[:-1]))
        network = Network(network.variables, before)
    return StandIn("random tables", "records drawn from uniformly random tables", network)


def _like(stand_in: StandIn) -> StandIn:
    """Refuse a stand-in that lacks a variable or has other states."""
    if stand_in.model is None or stand_in.model.replicates:
        raise EquipoiseError(f"{stand_in.title}: one model is needed; choose one")
    known = {v.name: v for v in stand_in.model.network.variables}
    for variable in stand_in.network.variables:
        if known.get(variable.name) != variable:
            raise EquipoiseError(
                f"{stand_in.title}: {variable.name!r} is missing or has other states there; choose "
                "a stand-in over the same variables"
            )
    return stand_in


def random_model(network: Network, *, rng: np.random.Generator) -> Model:
    """Every row uniform over the simplex: exponential numbers, normalised."""
    return fit(network, rng.standard_exponential(network.layout.size))


def rehearsing(
    stand_in: StandIn, method: str, scenario: Scenario, *, records: int, by: str = ""
) -> Iterator[StandInRehearsal]:
    """The rehearsal so far, after each of ``DRAWS`` pools; replicates are shared out over them.

    Groups are looked at in the first pool: rows by size, and people ``by`` the states of a
    variable.
    """
    check_count("the number of records", records, RECORD_LIMIT)
    learns = method_named(method).learns
    if method == STRUCTURE:
        raise EquipoiseError(
            "a graph alone has no error that a stand-in could show; rehearse privbayes-plus"
        )
    errors: dict[str, list[Array]] = {n: [] for n in ((PAIRS.key,) if learns else EXPECTED)}
    runs = min(scenario.replicates, LEARNED) if learns else scenario.replicates
    few = replace(scenario, replicates=-(-runs // DRAWS))
    groups: tuple[Group, ...] = ()
    for draw in range(DRAWS):
        rng = np.random.default_rng([scenario.seed, draw, records])
        model = stand_in.model or random_model(stand_in.network, rng=rng)
        rows = drawn_records("", model, stand_in.network.variables, records, rng=rng)
        at = replace(few, seed=scenario.seed + draw)
        if learns:
            own = {PAIRS.key: pair_errors(method, rows, at)}
        else:
            truth = Truth.of(stand_in.network, rows, scenario.options)
            own = measure(method, truth, rows, at, EXPECTED)
            groups = groups or tuple(_groups(method, truth, rows, at, by))
        for name, values in own.items():
            errors[name].append(values)
        yield StandInRehearsal(
            stand_in.kind,
            stand_in.title,
            method,
            scenario.epsilon,
            records,
            few.replicates * (draw + 1),
            {name: _band(np.concatenate(parts)) for name, parts in errors.items()},
            stand_in.file,
            groups,
        )


def _groups(method: str, truth: Truth, rows: Rows, scenario: Scenario, by: str) -> Iterator[Group]:
    """Who bears the error on a stand-in."""
    for group in by_size(method, truth, rows, scenario):
        yield Group.of(group, state=False)
    for group in by_state(by, method, truth, rows, scenario) if by else ():
        yield Group.of(group, state=True)


def pair_errors(method: str, rows: Rows, scenario: Scenario) -> Array:
    """How far the pairs of synthetic records are off, one mean L1 distance for each replicate."""
    variables = rows.dataset.variables
    alone = Network(variables, ((),) * len(variables))
    comparison, errors = Comparison.of(rows, (2,)), []
    for number in range(scenario.replicates):
        at = replace(scenario, replicates=1, seed=scenario.seed + DRAWS * number)
        (release,) = rehearsals(method, alone, rows, at)
        model = Model(release.model.network, release.model.values[0])
        rng = np.random.default_rng([at.seed, rows.records])
        synthetic = drawn_records(method, model, variables, rows.records, rng=rng)
        (distance,) = comparison.errors(synthetic)
        errors.append(2 * distance)
    return np.array(errors)


def _band(values: Array) -> MetricBand:
    low, low_80, low_50, median, high_50, high_80, high = bands(values).tolist()
    return MetricBand(median, low, low_80, low_50, high_50, high_80, high)
