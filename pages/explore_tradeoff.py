"""Explore: budget, error and risk of one release on one screen."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.explore.page import replies, sheet
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.kit.markdown import refuse


@st.fragment
def live() -> None:
    """The sheet alone: a moved knob or a clicked node redraws this and nothing else."""
    if edited():
        st.rerun()  # the sidebar names the graph
    try:
        choice = inputs.chosen()
        shown = sheet(choice, state.load())
    except EquipoiseError as problem:
        refuse(problem)
        return
    shown.mount(key="board", answers=replies(choice.network))


live()
