"""What Allocate shows, in numbers: the plan of each method, and what it follows from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.allocation import BudgetPlan
from core.experiments import rehearsals
from core.literal import literal
from core.metrics import Truth, l1_weighted
from core.options import Options
from core.privacy import inflated
from core.scenario import Scenario
from core.table import Array
from pages.ui.allocate_board import Setting
from sources.study import Study

INTERVAL = (0.025, 0.5, 0.975)
LITERAL_RELEASES = 40
"""Releases that show how far off the printed formula is; it is off by far."""


@dataclass(frozen=True, eq=False)
class Planned:
    """One method's plan at one ε: nodes' ε (95 % limits and median over plans) and its error.

    ``deltas`` are the errors that Stage I expects of the nodes, medians over plans.
    """

    method: str
    plan: BudgetPlan
    noise: str
    nodes: Array
    error: Array
    varies: bool
    options: Options
    deltas: Array | None

    @property
    def epsilon(self) -> Array:
        """Each node's ε; the median over plans where they depend on the records."""
        return np.asarray(self.nodes[1])


def planned(method: str, truth: Truth, study: Study, scenario: Scenario) -> Planned:
    """The plan of a method and the row error that follows. The error is study only."""
    errors, nodes, deltas = [], [], []
    for release in rehearsals(method, truth.network, study.counts, scenario):
        errors.append(l1_weighted(truth, release.model))
        nodes.append(np.atleast_2d(release.plan.node_epsilon))
        if release.plan.errors is not None:
            deltas.append(release.plan.errors)
    each = np.concatenate(nodes)
    return Planned(
        method,
        release.plan,
        release.noise,
        np.quantile(each, INTERVAL, axis=0),
        np.quantile(np.concatenate(errors), INTERVAL),
        release.plan.node_epsilon.ndim > 1,
        scenario.options,
        np.median(np.concatenate(deltas), axis=0) if deltas else None,
    )


def asked(options: Options) -> dict[str, Setting]:
    """Locks and weights by node."""
    floors, weights = dict(options.floors), dict(options.weights)
    return {
        name: Setting(floors.get(name, 0.0), weights.get(name, 1.0))
        for name in {**floors, **weights}
    }


def with_setting(options: Options, node: str, setting: Setting) -> Options:
    """The options with one node's setting changed; an impossible one raises with its sentence."""
    return _with(options, {**asked(options), node: setting})


def _with(options: Options, settings: Mapping[str, Setting]) -> Options:
    """The options with these settings instead of its own; what is not asked for is left out."""
    return replace(
        options,
        floors=tuple((n, s.floor) for n, s in settings.items() if s.floor > 0),
        weights=tuple((n, s.weight) for n, s in settings.items() if s.weight != 1),
    )


def literal_error(truth: Truth, study: Study, scenario: Scenario) -> Array:
    """Row error of the printed table formula: 95 % limits and median. Study only."""
    model = literal(
        truth.network,
        study.counts,
        epsilon=scenario.epsilon,
        neighbours=scenario.neighbours,
        replicates=min(scenario.replicates, LITERAL_RELEASES),
        rng=np.random.default_rng([scenario.seed, 4]),
    )
    return np.quantile(l1_weighted(truth, model), INTERVAL)


def relative_noise(epsilon: float, rate: float) -> float:
    """Noise of a count on a sample against no sampling, both relative to the count, at one ε.

    The sample may be measured with ln((e^ε − 1)/γ + 1) but holds only γ of the records:
    ε / (γ · that).

    >>> round(relative_noise(0.1, 0.1), 2)
    1.39
    """
    return epsilon / (rate * inflated(epsilon, rate))
