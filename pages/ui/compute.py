"""Everything a page computes: all inputs are arguments, and results stay in the session.

Results are kept in the visitor's own session state, never in a cache that sessions share.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import streamlit as st

from core.allocation import BudgetPlan
from core.errors import EquipoiseError
from core.experiments import rehearsals
from core.inference import marginals, network_tree
from core.metrics import Truth, node_errors
from core.network import Network
from core.parameters import Model
from core.scenario import Scenario
from core.table import Array
from pages.ui import limits
from pages.ui.board import QUANTILES
from pages.ui.drawing import Drawing, draw
from sources.study import Study, sampled_study

T = TypeVar("T")
KEPT = 64
"""Results a session keeps."""


def remembered(key: Hashable, make: Callable[[], T]) -> T:
    """The result made before under this key in this session, or a new one."""
    kept = st.session_state.setdefault("computed", {})
    if key not in kept:
        while len(kept) >= KEPT:
            kept.pop(next(iter(kept)))
        kept[key] = make()
    found: T = kept[key]
    return found


def looked(study: Study, at: Hashable) -> None:
    """Note that errors on private rows were looked at: Release counts it."""
    if not study.sampled:
        runs: dict[str, set[Hashable]] = st.session_state.setdefault("study_runs", {})
        runs.setdefault(study.fingerprint, set()).add(at)


def sampled(name: str, records: int) -> Study:
    """Records drawn from a sample network: public, the same for everyone."""
    return remembered(
        ("study", name, records), lambda: sampled_study(name, None, records=records, seed=0)
    )


def truth_of(study: Study, network: Network) -> Truth:
    """Exact counts of the network's families. Private for uploaded data."""
    return remembered(
        ("truth", study.fingerprint, network), lambda: Truth.of(network, study.counts)
    )


def drawing_of(network: Network) -> Drawing:
    """Where the nodes and edges go."""
    return remembered(("drawing", network), lambda: draw(network.names, network.edges))


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What one ε gives: quantiles over replicates lead, as ``QUANTILES`` lists them.

    ``answer_error`` is none where the network is too large for exact answers.
    """

    plan: BudgetPlan
    noise: str
    node_epsilon: Array
    node_errors: Array
    overall: Array
    answer_error: float | None
    bands: Array


def snapshot(
    method: str, truth: Truth, study: Study, scenario: Scenario, selected: int
) -> Snapshot:
    """Errors of a method at one ε, and the selected variable's conditional. Study only."""
    looked(study, (method, scenario))
    errors, answers, own = [], [], []
    exact = None if unanswerable(truth.network) else _exact_answers(truth, study)
    for release in rehearsals(method, truth.network, study.counts, scenario):
        errors.append(node_errors(truth, release.model))
        if exact is not None:
            answers.append(_answer_errors(release.model, exact))
        own.append(release.model.conditional(selected).values)
    nodes = np.concatenate(errors)
    shape = truth.network.layout.shapes[selected]
    return Snapshot(
        plan=release.plan,
        noise=release.noise,
        node_epsilon=_typical(release.plan.node_epsilon),
        node_errors=np.quantile(nodes, QUANTILES, axis=0),
        overall=np.quantile(nodes.mean(axis=-1), QUANTILES),
        answer_error=float(np.quantile(np.concatenate(answers), 0.9)) if answers else None,
        bands=np.quantile(np.concatenate(own), QUANTILES, axis=0).reshape(
            len(QUANTILES), -1, shape[-1]
        ),
    )


def unanswerable(network: Network) -> str:
    """Why exact answers cannot be had of a network; empty where they can."""

    def reason() -> str:
        try:
            cells = network_tree(network).cells
        except EquipoiseError as problem:
            return str(problem)
        if cells > limits.LIVE_CELLS:
            return f"they need {cells:,} cells for each release; ask the command line"
        return ""

    return remembered(("unanswerable", network), reason)


def _exact_answers(truth: Truth, study: Study) -> tuple[Array, ...]:
    key = ("marginals", study.fingerprint, truth.network)
    return remembered(key, lambda: marginals(truth.model))


def _typical(values: Array) -> Array:
    """The plan's numbers; the median over replicates where they depend on the records."""
    return np.median(values, axis=0) if values.ndim > 1 else values


def _answer_errors(model: Model, exact: tuple[Array, ...]) -> Array:
    """How far off each probability of each single variable is."""
    found = marginals(model)
    return np.concatenate([np.abs(p - q).ravel() for p, q in zip(found, exact, strict=True)])


def grid(network: Network) -> Array:
    """The budgets at which error curves are drawn: fewer for a large network."""
    large = network.layout.size > limits.LARGE_CELLS
    return _grid(limits.LARGE_POINTS if large else limits.CURVE_POINTS)


@functools.cache
def _grid(points: int) -> Array:
    return np.geomspace(*limits.EPSILON_SLIDER, points)


def curve(
    method: str,
    truth: Truth,
    study: Study,
    scenario: Scenario,
    progress: Callable[[], None],
) -> Array:
    """Quantiles of node errors over ε: ``(7, points, nodes + 1)``, the overall error last.

    Each point is kept when it is done, so an interrupted run goes on where it stopped.
    """
    whole = replace(scenario, epsilon=1.0)
    points: dict[float, Array] = remembered(
        ("curve", method, study.fingerprint, truth.network, whole), dict
    )
    for epsilon in grid(truth.network).tolist():
        if epsilon not in points:
            at = replace(scenario, epsilon=epsilon)
            points[epsilon] = _point(method, truth, study, at)
            progress()
    return np.stack([points[e] for e in grid(truth.network).tolist()], axis=1)


def at(curve: Array, epsilons: Array, epsilon: float) -> Array:
    """Quantiles at one ε, read off a curve on log scales: ``(7, nodes + 1)``."""
    logs = np.log(np.maximum(curve, 1e-12))
    place = np.interp(np.log(epsilon), np.log(epsilons), np.arange(logs.shape[1]))
    low = min(int(place), logs.shape[1] - 2)
    return np.asarray(np.exp(logs[:, low] + (place - low) * (logs[:, low + 1] - logs[:, low])))


def _point(method: str, truth: Truth, study: Study, scenario: Scenario) -> Array:
    releases = rehearsals(method, truth.network, study.counts, scenario)
    errors = np.concatenate([node_errors(truth, release.model) for release in releases])
    overall = errors.mean(axis=-1, keepdims=True)
    return np.quantile(np.concatenate([errors, overall], axis=-1), QUANTILES, axis=0)
