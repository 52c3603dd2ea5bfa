"""What is done when the browser says something about the graph or the method on show."""

from __future__ import annotations

import streamlit as st

from core.errors import EquipoiseError, brief
from core.network import Network
from pages.ui.kit import compute, inputs, state
from pages.ui.kit.replies import Edit, Observation
from sources.graphs import closed_by

SHOWN = {
    "data-dependent": "data-dependent-icml",
    "uniform": "uniform",
    "equipoise": "equipoise",
}
"""Name on screen -> method, where one of three is on show."""


def select(name: str) -> None:
    """A node was clicked."""
    state.change(selected=name, message="")


def choose(method: str) -> None:
    """Another method was chosen on the board."""
    state.change(method=method, refresh=True)  # the sidebar says what β and γ do for it


def edit(asked: Edit) -> None:
    """An edge was added or removed on the board; a cycle is refused with a sentence."""
    session, choice = state.load(), inputs.chosen()
    on_show = st.session_state.network
    edits = dict(session.edits)
    try:
        if asked.operation == "restore":
            edits.pop(on_show, None)
        else:
            edits[on_show] = changed(choice.network, asked)
            compute.keep_drawing(choice.network, edits[on_show])
    except EquipoiseError as problem:
        state.change(message=f"{asked.parent} → {asked.child} was not added: {problem}.")
        return
    state.change(edits=edits, message="", refresh=True)


def changed(network: Network, asked: Edit) -> Network:
    """The graph with one edge more or less; the shortest cycle it would close is named."""
    if asked.operation == "remove":
        return network.without_edge(asked.parent, asked.child)
    cycle = closed_by(network, asked.parent, asked.child)
    if cycle:
        raise EquipoiseError(f"it would close the cycle {' -> '.join(map(brief, cycle))}")
    return network.with_edge(asked.parent, asked.child)


def show(what: state.Showing) -> None:
    """The nodes hold something else from now on."""
    state.change(showing=what, message="")


def observe(network: Network, seen: Observation) -> None:
    """A state was clicked: it is known from now on, or no longer."""
    on_show, session = st.session_state.network, state.load()
    known = dict(evidence_on(network))
    if not seen.node:
        known = {}
    elif seen.state:
        known[seen.node] = seen.state
    else:
        known.pop(seen.node, None)
    state.change(evidence={**session.evidence, on_show: known}, message="")


def evidence_on(network: Network) -> dict[str, str]:
    """What is known on the graph on show; an edit may have taken variables or states away."""
    known = state.load().evidence.get(st.session_state.network, {})
    states = {v.name: v.states for v in network.variables}
    return {name: value for name, value in known.items() if value in states.get(name, ())}


def edited() -> bool:
    """Whether the graph was just edited; true once for each edit."""
    fresh = state.load().refresh
    if fresh:
        state.change(refresh=False)
    return fresh
