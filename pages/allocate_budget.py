"""Allocate: which node gets which part of the budget, and why."""

import streamlit as st

from pages.ui.allocate.page import draw
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.kit.markdown import refusing


@st.fragment
def live() -> None:
    """The page alone: a moved ε or a clicked node redraws this and nothing else."""
    if edited():
        st.rerun()  # the sidebar names locks, and says what its knobs do here
    with refusing():
        draw(inputs.chosen(), state.load())


live()
