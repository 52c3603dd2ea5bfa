"""Methods that need not measure what is known: one door for all of them.

A method runs on the network without the known tables and knows nothing of it: its plan shares ε
over the tables that are left, merged and packed anew. What it gives is then completed: the known
conditionals put in, impossible cells at zero. A known table is in no table that is measured, so
it pulls at nothing when tables are made consistent; all of it is post-processing.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.counts import CountSource
from core.knowledge import settled, tabled, widened
from core.methods.plans import BudgetPlan
from core.methods.randomness import Randomness
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import Model
from core.scenario import Scenario
from core.table import Array

if TYPE_CHECKING:
    from core.methods.method import Forecast, Release, Run


def informed(run: Run) -> Run:
    """The same method, which measures only what is not known."""

    @functools.wraps(run)
    def method(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        options = scenario.options
        if not options.informed:
            return run(network, counts, scenario, rng=rng)
        part = tabled(network, options.known)
        released = run(part, counts, replace(scenario, options=options.uninformed), rng=rng)
        noisy = widened(released.noisy, part, network)
        for one in options.possible:
            noisy[..., network.layout.slices[network.index(one.name)]] *= one.on(network)
        values = widened(released.model.values, part, network)
        model = Model(network, settled(values, network, options.known, options.possible))
        plan = None if released.plan is None else _whole(released.plan, part, network)
        return replace(released, plan=plan, noisy=noisy, model=model)

    return method


def informed_forecast(forecast: Forecast) -> Forecast:
    """The same forecast, with no noise where a table is known."""

    @functools.wraps(forecast)
    def method(network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
        if not options.informed:
            return forecast(network, plan, options)
        part = tabled(network, options.known)
        return _by_node(forecast(part, plan, options.uninformed), part, network)

    return method


def _whole(plan: BudgetPlan, part: Network, network: Network) -> BudgetPlan:
    """A part's plan as one of the network: a known variable has no table and no ε."""
    serving = dict(zip(part.names, plan.serving, strict=False))
    return replace(
        plan,
        node_epsilon=_by_node(plan.node_epsilon, part, network),
        serving=tuple(serving.get(name, -1) for name in network.names),
        errors=None if plan.errors is None else _by_node(plan.errors, part, network),
    )


def _by_node(values: Array, part: Network, network: Network) -> Array:
    """Numbers of a part's variables as those of all, zero for known ones."""
    whole = np.zeros((*values.shape[:-1], len(network.names)))
    places = [network.position[name] for name in part.names[: values.shape[-1]]]
    whole[..., places] = values
    return whole
