"""How far long work is, with a button that stops it."""

from __future__ import annotations

import streamlit as st

from pages.ui.kit import jobs


def progress(job: jobs.Job | None, what: str, key: str) -> None:
    """A bar while there is something to say; ``what`` is counted."""
    if job is None or job.end == "done":
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(job.done / max(job.total, 1), jobs.status(job, what))
    if job.alive:
        right.button("Stop", on_click=job.stop, key=key, width="stretch")
