"""Explore: budget, error and risk of one release on one screen."""

import streamlit as st

from pages.ui.explore.page import replies, sheet, shown_whole
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.kit.jobs import one_by_one
from pages.ui.kit.markdown import refusing


@st.fragment
def live() -> None:
    """The sheet alone: a moved knob or a clicked node redraws this and nothing else."""
    if edited():
        st.rerun()  # the sidebar names the graph
    with one_by_one(), refusing():
        choice = inputs.chosen()
        shown = sheet(choice, state.load())
        shown.mount(key="board", answers=replies(choice.network))
    st.session_state[inputs.ANSWERED] = choice if shown_whole(choice) else None


live()
