"""A job's progress with a button that stops it; the page is drawn again when it ends."""

from __future__ import annotations

import streamlit as st

from pages.ui.kit import jobs


def show(name: str, what: str) -> None:
    """A bar while the job of that name runs; afterwards one line where it did not end well."""
    job = jobs.current(name)
    if job is None or job.end == "done":
        return
    if job.alive:
        _watch(name, what)
    else:
        st.caption(jobs.status(job, what))


@st.fragment(run_every=jobs.POLL)
def _watch(name: str, what: str) -> None:
    job = jobs.current(name)
    if job is None or not job.alive:
        st.rerun()
        return
    with st.container(key="running_job"):  # kept in view by the frame's style
        bar, button = st.columns([4, 1], vertical_alignment="bottom")
        bar.progress(min(job.done / job.total, 1.0), f"Attacking: {jobs.status(job, what)}")
        button.button("Stop", key=f"{name}_stop", on_click=job.stop, width="stretch")
