"""A job of Release under way: its progress, and a button that stops it where it can be stopped."""

from __future__ import annotations

import streamlit as st

from pages.ui.kit import jobs
from pages.ui.kit.markdown import sentence


def show(name: str, doing: str, what: str) -> None:
    """A bar while the job runs; afterwards one line where it did not end well."""
    job = jobs.current(name)
    if job is None or job.end == "done":
        return
    if job.alive:
        _watch(name, doing, what)
    elif job.end == "failed" and job.message:
        st.error(f"{sentence(job.message)}.", icon=":material/error:")
    else:
        st.caption(jobs.status(job, what))


@st.fragment(run_every=jobs.POLL)
def _watch(name: str, doing: str, what: str) -> None:
    job = jobs.current(name)
    if job is None or not job.alive:
        st.rerun()
        return
    bar, button = st.columns([5, 1], vertical_alignment="center")
    bar.progress(min(job.done / max(job.total, 1), 1.0), f"{doing}: {jobs.status(job, what)}")
    button.button("Stop", key=f"{name}_stop", on_click=job.stop, width="stretch")
