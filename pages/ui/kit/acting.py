"""What is done when the browser says something about the graph or the method on show."""

from __future__ import annotations

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import inputs, state
from pages.ui.answers import Edit

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
    state.change(method=method)


def edit(asked: Edit) -> None:
    """An edge was added or removed on the board; a cycle is refused with a sentence."""
    session, choice = state.load(), inputs.chosen()
    here = st.session_state.network
    edits = dict(session.edits)
    try:
        if asked.operation == "restore":
            edits.pop(here, None)
        elif asked.operation == "add":
            edits[here] = choice.network.with_edge(asked.parent, asked.child)
        else:
            edits[here] = choice.network.without_edge(asked.parent, asked.child)
    except EquipoiseError as problem:
        state.change(message=f"{asked.parent} → {asked.child} was not added: {problem}.")
        return
    state.change(edits=edits, message="", refresh=True)


def edited() -> bool:
    """Whether the graph was just edited; true once for each edit."""
    fresh = state.load().refresh
    if fresh:
        state.change(refresh=False)
    return fresh
