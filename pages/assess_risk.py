"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.kit.markdown import refuse
from pages.ui.kit.progress import watched
from pages.ui.risk import page, questions

state.load()


@st.fragment
def live() -> bool:
    """The sheets alone: a moved ε or a threshold redraws these and nothing else."""
    if edited():
        st.rerun()  # the sidebar names the graph; what runs is shown outside
    try:
        page.show(inputs.chosen(), state.load())
    except EquipoiseError as problem:
        refuse(problem)
        return False
    return True


watched(page.JOB, "Attacking", "blocks of pools", key="running_job")  # kept in view by frame.css
if live():
    questions.show(inputs.chosen())
