"""Allocate: which node gets which part of the budget, and why."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import allocate, allocate_board, inputs, state


@st.fragment
def live() -> None:
    """The board alone: a moved ε or a lock redraws this and nothing else."""
    try:
        data = allocate.page_data(inputs.chosen(), state.load())
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return
    on = allocate_board.Callbacks(
        method=allocate.choose,
        setting=allocate.change,
        unlock=allocate.unlock,
        prior=allocate.smooth,
        epsilon=inputs.dragged_epsilon,
    )
    allocate_board.mount(data, key="allocate", on=on)


live()
