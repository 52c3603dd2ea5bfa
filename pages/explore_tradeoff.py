"""Explore: budget, error and risk of one release on one screen."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import explore, inputs, state
from pages.ui.board import board

session = state.load()
try:
    data = explore.board_data(inputs.chosen(), session)
except EquipoiseError as problem:
    st.error(str(problem), icon=":material/error:")
    st.stop()
board(data, key="board", on_select=explore.select, on_edit=explore.edit, on_method=explore.choose)
