"""Utility: how wrong parameters and answers become, and what ε buys."""

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import METHODS
from pages.ui import asking, inputs, jobs, solving, state, utility, utility_board, utility_notes
from pages.ui.utility_numbers import GRID

state.load()
PRIVATE = [m.name for m in METHODS.values() if m.guarantee.private]
START = ["uniform", "data-dependent-icml", "equipoise", "equipoise-filter"]

left, right = st.columns([4, 1], vertical_alignment="bottom")
methods = left.pills(
    "Methods",
    PRIVATE,
    selection_mode="multi",
    default=START,
    key="utility_methods",
    wrap=True,
    persist_state="session",
)
reference = right.selectbox(
    "Match uniform at ε", GRID, GRID.index(3.0), key="utility_reference", persist_state="session"
)
if not methods:
    st.info("Choose at least one method to measure.")
    st.stop()
try:
    here = utility.sweep(inputs.chosen(), tuple(m for m in PRIVATE if m in methods))
    job = utility.measuring(here)
except EquipoiseError as problem:
    st.error(str(problem), icon=":material/error:")
    st.stop()


under_way = job is not None and job.alive


@st.fragment(run_every=jobs.POLL if under_way else None)
def curves() -> None:
    """Draw what is measured so far; look again while more is to come, or ε moves."""
    utility.progress(job, "points", "utility_stop")
    if job and job.end in ("stopped", "late"):
        st.button("Measure the rest", on_click=utility.resume, args=(here,))
    now = utility.sweep(inputs.chosen(), here.methods)
    data = utility.page_data(now, reference)
    utility_board.mount(data, key="utility", on_epsilon=inputs.dragged_epsilon)
    if under_way and not job.alive and st.session_state.get("utility_ended") is not job:
        st.session_state.utility_ended = job
        st.rerun()


curves()
utility_board.mount_notes(utility_notes.views(here), key="notes")
st.divider()
st.markdown("#### Ask the published model a question")
asked = asking.section(here.choice, here.truth, here.methods)
st.divider()
st.markdown("#### Solve backwards: from an error to ε")
solving.section(here, asked)
