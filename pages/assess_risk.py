"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import explore, inputs, risk, risk_board, risk_progress, risk_questions, state

session = state.load()
try:
    choice = inputs.chosen()
    data = risk.page_data(choice, session)
except EquipoiseError as problem:
    st.error(str(problem), icon=":material/error:")
    st.stop()
risk_progress.show(risk.JOB, "blocks of pools")
risk_board.mount(
    data,
    key="risk",
    on=risk_board.Callbacks(explore.select, explore.edit, explore.choose, risk.limits, risk.attack),
)
risk_questions.show(choice)
