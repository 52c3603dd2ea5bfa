"""Undirected: what changes without local normalisation, and what cleverer estimation buys."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import inputs, jobs, state, undirected, undirected_board
from pages.ui.kit.progress import progress

state.load()
try:
    here = undirected.knobs(inputs.chosen())
    if not here.estimators:
        st.info("Choose at least one estimator.")
        st.stop()
    job = undirected.measuring(here)
except EquipoiseError as problem:
    st.error(str(problem), icon=":material/error:")
    st.stop()

under_way = job is not None and job.alive


@st.fragment(run_every=jobs.POLL if under_way else None)
def board() -> None:
    """Draw what is measured so far; look again while more is to come, or ε moves."""
    progress(job, undirected.VIEWS[here.view].what, "undirected_stop")
    if job and job.end in ("stopped", "late"):
        st.button("Measure the rest", on_click=undirected.resume, args=(here,))
    live = inputs.chosen().scenario.epsilon
    undirected_board.mount(
        undirected.page_data(here, live), key="undirected", on_epsilon=inputs.dragged_epsilon
    )
    if under_way and not job.alive and st.session_state.get("undirected_ended") is not job:
        st.session_state.undirected_ended = job
        st.rerun()


board()
