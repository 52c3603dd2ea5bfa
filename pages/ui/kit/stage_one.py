"""β and γ: whether what is on show uses them, and how to get to what does.

Both belong to Stage I of the data-dependent methods. A person who moves a knob sees something move
or reads why not.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import streamlit as st

from core.methods.registry import method_named
from pages.ui.kit import state

WITH_STAGE_ONE = "data-dependent-icml"
WHICH = (
    "**β here** is the share of ε that Stage I spends on deciding who gets what.\n\n"
    "**γ here** is the share of the records that Stage I looks at; Chowdhury et al. call it β. "
    "γ = 1 is no sampling.\n\n"
    "**PrivBayes's β** is the share of ε for learning the structure; Synthesise has its own.\n\n"
    "**Murakonda et al.'s β** is a power: the share of members that an attack finds."
)
"""One letter, four meanings."""

IDLE = {
    "Synthesise": "Synthesise has one β, the structure's, on its page",
    "Undirected": "no estimator of this page has a Stage I",
}
"""Why they do nothing on a page, where it has a reason of its own."""


@dataclass(frozen=True)
class Use:
    """Whether a page uses Stage I, what is said about it, and what a click on ``offer`` does.

    Without ``show`` the click leads to Explore, which always draws a method that has one.
    """

    active: bool
    note: str = ""
    offer: str = "See them on Explore"
    show: Callable[[], None] | None = None


def use_of(page: str) -> Use:
    """For the page with that title."""
    session = state.load()
    match page:
        case "Explore":
            return _beside(session.method, "curve")
        case "Risk":
            return _one(session.method)
        case "Allocate":
            return _beside(session.explained, "plan")
        case "Utility" | "Compare":
            return _measured(f"{page.lower()}_methods")
        case "Release":
            return _release()
    return Use(
        False, f"β and γ do nothing here: {IDLE.get(page, 'no method on show has a Stage I')}."
    )


def _beside(method: str, what: str) -> Use:
    """A data-dependent method is always drawn beside the one on show."""
    if _needs([method]):
        return Use(True)
    note = f"β and γ move the {WITH_STAGE_ONE} {what} only."
    return Use(True, note, "Show that method", _show_method)


def _one(method: str) -> Use:
    if _needs([method]):
        return Use(True)
    note = f"β and γ do nothing here: {method} has no Stage I."
    return Use(False, note, "Show one that has", _show_method)


def _measured(key: str) -> Use:
    """Methods chosen under a key; before a page was opened it starts with one that has it."""
    chosen: list[str] | None = st.session_state.get(key)
    if chosen is None or _needs(chosen):
        return Use(True)

    def add() -> None:
        st.session_state[key] = [*st.session_state[key], WITH_STAGE_ONE]

    return Use(
        False, "β and γ do nothing here: no method measured has a Stage I.", "Add one that has", add
    )


def _release() -> Use:
    chosen = [str(v) for k, v in st.session_state.items() if str(k).startswith("release_method_")]
    if _needs(chosen):
        return Use(True)
    return Use(False, "β and γ do nothing here: the method to be released has no Stage I.")


def _needs(methods: Iterable[str]) -> bool:
    """Whether one of these has a Stage I."""
    return any(method_named(method).needs_stage_one for method in methods)


def _show_method() -> None:
    state.change(method=WITH_STAGE_ONE, explained=WITH_STAGE_ONE)
