"""The steps of Data: each a section that says in one line what is done, open where it is next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import EquipoiseError
from pages.ui.kit.markdown import literal, refuse

T = TypeVar("T")


def attempt(make: Callable[[], T]) -> tuple[T | None, str]:
    """The result, or none and the sentence that says what is wrong."""
    try:
        return make(), ""
    except EquipoiseError as problem:
        return None, str(problem)


def step(key: str, title: str, done: str, problem: str, *, asked: bool = False) -> DeltaGenerator:
    """A section, and beneath its title one line on what is done or wrong.

    Its own title never changes: the browser would begin anew with all that is in it.
    """
    st.session_state.setdefault(f"step_{key}", key == "file")
    section = st.expander(f"**{title}**", key=f"step_{key}", on_change="rerun")
    said = literal(done if len(done) <= 200 else f"{done[:197]}...")
    with st.container(key=f"said_{key}"):
        if problem:
            refuse(problem, icon=":material/block:")
            st.caption("Nothing was loaded; what was on screen before is still there.")
        elif said:
            st.caption(f":material/{'help' if asked else 'check_circle'}: {said}")
    return section


def leave(key: str, onward: str, label: str, ready: bool) -> None:
    """The way on."""
    if ready:
        st.button(label, key=f"leave_{key}", on_click=turn, args=(key, onward),
                  icon=":material/arrow_downward:")  # fmt: skip


def turn(key: str, onward: str) -> None:
    """Close one section and open another."""
    st.session_state[f"step_{key}"], st.session_state[f"step_{onward}"] = False, True
