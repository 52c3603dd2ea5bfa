"""Compare: the privacy-utility frontier of every method."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.compare import controls
from pages.ui.compare.page import sheet
from pages.ui.compare.points import JOB, compared, measuring, resume
from pages.ui.kit import inputs, jobs, state
from pages.ui.kit.markdown import refuse
from pages.ui.kit.progress import draw_again, follow_on, progress

state.load()
try:
    names = controls.networks()
    wanted = controls.wanted()
    if not wanted.methods:
        st.info("Choose at least one method to measure.")
        st.stop()
    goals = controls.goals(wanted)
    several = {name: compared(inputs.chosen(name)) for name in names}
    job = measuring(several, wanted.methods)
except EquipoiseError as problem:
    refuse(problem)
    st.stop()
under_way = job is not None and job.alive


@st.fragment(run_every=jobs.POLL if under_way else None)
def curves() -> None:
    """Draw what is measured so far; look again while more is to come."""
    follow_on(JOB, job)
    progress(job, "points", "compare_stop")
    if job and job.end in ("stopped", "late"):
        st.button("Measure the rest", on_click=resume, args=(several, wanted.methods))
    sheet(several, wanted, goals).mount(key="compare")
    if under_way:
        draw_again(job)


curves()
