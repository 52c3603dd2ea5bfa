"""Everything a page computes: all inputs are arguments, and results stay in the session.

Results are kept in the visitor's own session state; only those about public records are computed
once for all sessions (:mod:`pages.ui.kit.commons`).
"""

import functools
import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.inference.queries import network_tree
from core.methods.registry import METHODS
from core.network import Network
from core.options import PLAIN, Options
from core.scenario import Scenario
from core.study.answered import Beliefs, beliefs
from core.study.error_curves import node_error_bands
from core.study.glance import Glance, glance
from core.study.metrics import Truth
from core.table import Array
from pages.ui.graph.drawing import BUDGET_BOXES, Boxes, Drawing, draw
from pages.ui.graph.keeping import redraw
from pages.ui.kit import limits
from pages.ui.kit.commons import COMMONS
from pages.ui.kit.progress import LiveBar
from sources.elsewhere import Elsewhere
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
    result: T = kept[key]
    kept[key] = kept.pop(key)  # the longest unused goes first
    return result


def shared(
    study: Study,
    network: Network,
    options: Options,
    question: tuple[str, *tuple[Hashable, ...]],
    make: Callable[[], T],
) -> T:
    """A result about a study: made once for all where everything is public, else in this session.

    ``make`` takes nothing but what is named here.
    """
    public = COMMONS.public(study, network, options)
    if public is not None:
        return COMMONS.once(public, question[0], question[1:], make)
    return remembered((*question, study.fingerprint, network, options), make)


def of_graph(
    network: Network, question: tuple[str, *tuple[Hashable, ...]], make: Callable[[], T]
) -> T:
    """The same for what depends on the graph alone."""
    public = COMMONS.drawn_on(network)
    if public is not None:
        return COMMONS.once(public, question[0], question[1:], make)
    return remembered((question[0], network, *question[1:]), make)


def latest(name: str, key: Hashable, make: Callable[[], T]) -> T:
    """The last result under a name, if it was made for this key, or a new one.

    For what a moving knob makes anew for each value: kept for good, such results would push out
    everything else.
    """
    kept = st.session_state.setdefault("latest", {})
    if name not in kept or kept[name][0] != key:
        kept[name] = (key, make())
    result: T = kept[name][1]
    return result


def unmoved(name: str, of: Sequence[object], key: Hashable, make: Callable[[], T]) -> T:
    """The same for what follows from these very objects, which are kept: none takes their place."""
    held = latest(name, (*map(id, of), key), lambda: (tuple(of), make()))
    return held[1]


def looked(study: Study, network: Network, *question: Hashable) -> None:
    """Note a look at private rows: one distinct question about one graph, with all its knobs.

    Release counts them. Asked again, after a reload or from a saved file, it is the same look; a
    question is kept as a digest.
    """
    if not study.sampled:
        asked = repr((network.names, network.parents, question)).encode()
        add_looks(study, [hashlib.sha256(asked).hexdigest()])


def looks_at(study: Study) -> frozenset[str]:
    """Looks so far at these rows, or at the file or table that they are from, however it is read.

    Other bins, or another word for what is missing, make other rows of the same people.
    """
    return frozenset().union(*_looks(study))


def add_looks(study: Study, looks: Iterable[str]) -> None:
    """Looks that were taken, here or before the work was saved."""
    for own in _looks(study):
        own.update(looks)


def _looks(study: Study) -> list[set[str]]:
    runs: dict[str, set[str]] = st.session_state.setdefault("study_runs", {})
    origin = study.source
    if isinstance(study.people, Elsewhere):
        origin = hashlib.sha256(study.people.identity.encode()).hexdigest()
    return [runs.setdefault(key, set()) for key in (study.fingerprint, origin) if key]


def sampled(name: str, records: int) -> Study:
    """Records drawn from a sample network: public, the same for everyone."""
    held = COMMONS.study(name, records)
    if held is not None:
        return held
    return remembered(
        ("study", name, records), lambda: sampled_study(name, None, records=records, seed=0)
    )


def truth_of(study: Study, network: Network, options: Options = PLAIN) -> Truth:
    """Exact counts of the network's families, known tables put in. Private for uploaded data."""
    told = Options(known=options.known, possible=options.possible)
    return shared(study, network, told, ("truth",), lambda: Truth.of(network, study.counts, told))


def drawing_of(network: Network, boxes: Boxes = BUDGET_BOXES) -> Drawing:
    """Where the nodes and edges go."""
    return of_graph(network, ("drawing", boxes), lambda: draw(network.names, network.edges, boxes))


def keep_drawing(before: Network, after: Network) -> None:
    """An edited graph stands where the one before stood, in every drawing that was shown of it."""
    kept = st.session_state.get("computed", {})
    shown = [key[2] for key in kept if key[0] == "drawing" and key[1] == before]
    for boxes in shown or [BUDGET_BOXES]:
        old = drawing_of(before, boxes)
        remembered(("drawing", after, boxes), functools.partial(redraw, old, after.edges, boxes))


def beliefs_at(
    given: Mapping[str, str], method: str, truth: Truth, study: Study, scenario: Scenario
) -> Beliefs:
    """What every variable is believed to be, given some. Study only."""
    looked(study, truth.network, method, scenario, *sorted(given.items()))
    key = (tuple(sorted(given.items())), method, study.fingerprint, truth.network, scenario)
    return latest("beliefs", key, lambda: beliefs(given, method, truth, study.counts, scenario))


def glance_at(method: str, truth: Truth, study: Study, scenario: Scenario, selected: int) -> Glance:
    """Errors of a method at one ε, and the selected variable's conditional. Study only."""
    looked(study, truth.network, method, scenario)
    answers = not unanswerable(truth.network)

    def make() -> Glance:
        return glance(method, truth, study.counts, scenario, selected=selected, answers=answers)

    public = COMMONS.public(study, truth.network, scenario.options)
    if public is None:
        return make()
    return COMMONS.once(public, "glance", (method, scenario, selected), make)


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

    return of_graph(network, ("unanswerable",), reason)


def grid(network: Network, *, rough: bool = False) -> Array:
    """The budgets at which error curves are drawn: fewer for a large network or a moving knob."""
    if rough:
        return _grid(limits.ROUGH_POINTS)
    large = network.layout.size > limits.LARGE_CELLS
    return _grid(limits.LARGE_POINTS if large else limits.CURVE_POINTS)


@functools.cache
def _grid(points: int) -> Array:
    return np.geomspace(*limits.EPSILON_SLIDER, points)


def curve(method: str, truth: Truth, study: Study, scenario: Scenario, progress: LiveBar) -> Array:
    """Quantiles of node errors over ε: ``(7, points, nodes + 1)``, the overall error last.

    Each point is kept when it is done, so an interrupted run goes on where it stopped.
    """
    points, at = _points(method, truth, study, scenario), _alike(method, scenario)

    def make() -> Array:
        for epsilon in grid(truth.network).tolist():
            if epsilon not in points:
                there = replace(at, epsilon=epsilon)
                points[epsilon] = node_error_bands(method, truth, study.counts, there)
                progress()
        return np.stack([points[e] for e in grid(truth.network).tolist()], axis=1)

    public = COMMONS.public(study, truth.network, scenario.options)
    if public is None:
        return latest(f"curve {method}", (study.fingerprint, truth.network, at), make)
    return COMMONS.once(public, "curve", (method, at), make, progress.wait)


def whole(method: str, truth: Truth, study: Study, scenario: Scenario) -> bool:
    """Whether every point of the curve is there already."""
    return len(_points(method, truth, study, scenario)) == len(grid(truth.network))


def _alike(method: str, scenario: Scenario) -> Scenario:
    """One for all scenarios with the same curve: β and γ matter only where a method has them."""
    at = replace(scenario, epsilon=1.0)
    if METHODS[method].needs_stage_one:
        return at
    return replace(at, split=Scenario().split, rate=Scenario().rate)


def _points(method: str, truth: Truth, study: Study, scenario: Scenario) -> dict[float, Array]:
    at = _alike(method, scenario)
    points: dict[float, Array] = shared(
        study, truth.network, scenario.options, ("points", method, at), dict
    )
    return points


def rough_curve(method: str, truth: Truth, study: Study, scenario: Scenario) -> Array:
    """The same curve from few budgets and few releases: for a knob on its way."""
    few = replace(scenario, epsilon=1.0, replicates=min(limits.ROUGH, scenario.replicates))

    def make() -> Array:
        at = (replace(few, epsilon=epsilon) for epsilon in grid(truth.network, rough=True).tolist())
        return np.stack([node_error_bands(method, truth, study.counts, s) for s in at], axis=1)

    return latest(f"rough {method}", (method, study.fingerprint, truth.network, few), make)
