"""Allocate: which node gets which part of the budget, and why."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.allocate.page import draw
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.kit.markdown import refuse


@st.fragment
def live() -> None:
    """The page alone: a moved ε or a clicked node redraws this and nothing else."""
    if edited():
        st.rerun()  # the sidebar names locks, and says what its knobs do here
    try:
        draw(inputs.chosen(), state.load())
    except EquipoiseError as problem:
        refuse(problem)


live()
