"""Allocate: which node gets which part of the budget, and why."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import allocate, allocate_board, inputs, state

session = state.load()
try:
    data = allocate.page_data(inputs.chosen(), session)
except EquipoiseError as problem:
    st.error(str(problem), icon=":material/error:")
    st.stop()
allocate_board.mount(
    data,
    key="allocate",
    on_method=allocate.choose,
    on_setting=allocate.change,
    on_unlock=allocate.unlock,
)
