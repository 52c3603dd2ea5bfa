"""Explore: budget, error and risk of one release on one screen."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import explore, inputs, state
from pages.ui.board import board


@st.fragment
def live() -> None:
    """The board alone: a moved ε or a clicked node redraws this and nothing else."""
    if explore.edited():
        st.rerun()  # the sidebar names the graph
    try:
        data = explore.board_data(inputs.chosen(), state.load())
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return
    board(
        data,
        key="board",
        on_select=explore.select,
        on_edit=explore.edit,
        on_method=explore.choose,
        on_epsilon=inputs.dragged,
    )


live()
