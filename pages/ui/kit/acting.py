"""What the browser says about the graph or the method on show: checked, then done."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from core.errors import EquipoiseError, brief
from core.network import Network
from pages.ui.kit import compute, inputs, state
from pages.ui.kit.component import Read
from pages.ui.kit.markdown import refuse
from sources.graphs import closed_by


@dataclass(frozen=True)
class Edit:
    """A change of the graph asked for on the board; the names are checked to be known ones."""

    operation: Literal["add", "remove", "restore"]
    parent: str
    child: str


@dataclass(frozen=True)
class Observation:
    """A variable is in a state, or no longer known where ``state`` is empty."""

    node: str
    state: str = ""


def one_of(value: object, known: set[str]) -> str | None:
    """A name the browser sent, or none when it is not one of the known ones."""
    return value if isinstance(value, str) and value in known else None


def among(names: Iterable[str], act: Callable[[Any], None]) -> tuple[Read, Callable[[Any], None]]:
    """An answer of a component that is one of these names, and what is done with it."""
    known = set(names)
    return lambda sent: one_of(sent, known), act


def read_edit(value: object, names: set[str]) -> Edit | None:
    """The edit asked for, or none when the browser sent something else."""
    match value:
        case {"op": "restore"}:
            return Edit("restore", "", "")
        case {"op": "add" | "remove" as operation, "parent": str(parent), "child": str(child)}:
            return Edit(operation, parent, child) if {parent, child} <= names else None
    return None


def read_observation(value: object, states: Mapping[str, tuple[str, ...]]) -> Observation | None:
    """What was observed, or none when the browser sent something else; no node clears all."""
    match value:
        case {"node": "", "state": ""}:
            return Observation("")
        case {"node": str(node), "state": str(state)} if node in states:
            return Observation(node, state) if state in ("", *states[node]) else None
    return None


SHOWN = ("data-dependent-icml", "uniform", "equipoise")
"""Methods of which one is on show."""


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
        raise EquipoiseError(f"it would close the cycle {' → '.join(map(brief, cycle))}")
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


def live(draw: Callable[[inputs.Choice, state.Session], None]) -> bool:
    """Draw a page by itself: a moved knob or a clicked node redraws this and nothing else.

    Whether it could be drawn; what cannot be is said in its place.
    """

    @st.fragment
    def alone() -> bool:
        if edited():
            st.rerun()  # the sidebar names the graph and locks, and says what its knobs do here
        try:
            draw(inputs.chosen(), state.load())
        except EquipoiseError as problem:
            refuse(problem)
            return False
        return True

    return alone()
