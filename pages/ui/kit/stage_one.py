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
    session, values = state.load(), st.session_state
    if page in ("Explore", "Allocate"):  # a data-dependent method is always drawn beside
        method = session.method if page == "Explore" else session.explained
        if _needs([method]):
            return Use(True)
        what = "curve" if page == "Explore" else "plan"
        note = f"β and γ move the {WITH_STAGE_ONE} {what} only."
        return Use(True, note, "Show that method", _show_method)
    shown, why, offer, act = [], IDLE.get(page, "no method on show has a Stage I"), Use.offer, None
    if page == "Risk":
        shown, why = [session.method], f"{session.method} has no Stage I"
        offer, act = "Show one that has", _show_method
    elif page in ("Utility", "Compare"):
        key = f"{page.lower()}_methods"
        shown, why = values.get(key, [WITH_STAGE_ONE]), "no method measured has a Stage I"
        offer, act = "Add one that has", lambda: values.update({key: [*shown, WITH_STAGE_ONE]})
    elif page == "Release":
        shown = [str(v) for k, v in values.items() if str(k).startswith("release_method_")]
        why = "the method to be released has no Stage I"
    if _needs(shown):
        return Use(True)
    return Use(False, f"β and γ do nothing here: {why}.", offer, act)


def _needs(methods: Iterable[str]) -> bool:
    """Whether one of these has a Stage I."""
    return any(method_named(method).needs_stage_one for method in methods)


def _show_method() -> None:
    state.change(method=WITH_STAGE_ONE, explained=WITH_STAGE_ONE)
