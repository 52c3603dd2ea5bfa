"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import inputs, risk, risk_board, risk_progress, risk_questions, state
from pages.ui.kit import acting

state.load()
ON = risk_board.Callbacks(
    select=acting.select,
    edit=acting.edit,
    method=acting.choose,
    limits=risk.limits,
    attack=risk.attack,
    epsilon=inputs.dragged_epsilon,
)


@st.fragment
def live() -> bool:
    """The board alone: a moved ε or a threshold redraws this and nothing else."""
    if acting.edited():
        st.rerun()  # the sidebar names the graph; what runs is shown outside
    try:
        data = risk.page_data(inputs.chosen(), state.load())
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return False
    risk_board.mount(data, key="risk", on=ON)
    return True


risk_progress.show(risk.JOB, "blocks of pools")
if live():
    risk_questions.show(inputs.chosen())
