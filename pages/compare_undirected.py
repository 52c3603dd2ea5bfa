"""Undirected: what changes without local normalisation, and what cleverer estimation buys."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import inputs, jobs, state
from pages.ui.kit.knob import read_knob
from pages.ui.kit.markdown import refuse
from pages.ui.kit.progress import draw_again, progress
from pages.ui.undirected import page

state.load()
try:
    asked = page.knobs(inputs.chosen())
    if not asked.estimators:
        st.info("Choose at least one estimator.")
        st.stop()
    job = page.measuring(asked)
except EquipoiseError as problem:
    refuse(problem)
    st.stop()

under_way = job is not None and job.alive


@st.fragment(run_every=jobs.POLL if under_way else None)
def board() -> None:
    """Draw what is measured so far; look again while more is to come, or ε moves."""
    progress(job, page.VIEWS[asked.view].what, "undirected_stop")
    if job and job.end in ("stopped", "late"):
        st.button("Measure the rest", on_click=page.resume, args=(asked,))
    if said := page.notice(asked):
        st.caption(said)
    shown = page.sheet(asked, inputs.chosen().scenario)
    shown.mount(key="undirected", answers={"knob": (read_knob, inputs.moved)})
    if under_way:
        draw_again(job)


board()
