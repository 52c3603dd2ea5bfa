"""Explore: budget, error and risk of one release on one screen."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import explore, inputs, state


@st.fragment
def live() -> None:
    """The sheet alone: a moved ε or a clicked node redraws this and nothing else."""
    if explore.edited():
        st.rerun()  # the sidebar names the graph
    try:
        choice = inputs.chosen()
        sheet = explore.sheet(choice, state.load())
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return
    sheet.mount(key="board", answers=explore.answers(choice.network))


live()
