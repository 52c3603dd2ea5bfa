"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""

import streamlit as st

from pages.ui.kit import inputs, state
from pages.ui.kit.acting import edited
from pages.ui.kit.markdown import refusing
from pages.ui.kit.progress import watched
from pages.ui.risk import page, questions


@st.fragment
def live() -> None:
    """The sheets alone: a moved ε or a threshold redraws these and nothing else."""
    if edited():
        st.rerun()  # the sidebar names the graph; what runs is shown outside
    with refusing():
        page.show(inputs.chosen(), state.load())


watched(page.JOB, "Attacking", "blocks of pools", key="running_job")  # kept in view by frame.css
live()
questions.show(inputs.chosen())
