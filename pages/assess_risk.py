"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.risk import page, progress, questions

state.load()


@st.fragment
def live() -> bool:
    """The sheets alone: a moved ε or a threshold redraws these and nothing else."""
    if edited():
        st.rerun()  # the sidebar names the graph; what runs is shown outside
    try:
        page.show(inputs.chosen(), state.load())
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return False
    return True


progress.show(page.JOB, "blocks of pools")
if live():
    questions.show(inputs.chosen())
