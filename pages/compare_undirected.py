"""Undirected: what changes without local normalisation, and what cleverer estimation buys."""

import streamlit as st

from pages.ui.kit import dragging, inputs
from pages.ui.kit.markdown import refusing
from pages.ui.kit.progress import follow
from pages.ui.undirected import page

with refusing():
    asked = page.knobs(inputs.chosen())
    if not asked.estimators:
        st.info("Choose at least one estimator.")
        st.stop()
    job = page.measuring(asked)


def board() -> None:
    """The view that is looked at, with the ε on show."""
    if said := page.notice(asked):
        st.caption(said)
    shown = page.sheet(asked, inputs.chosen().scenario)
    shown.mount(key="undirected", answers=dragging.KNOB)


follow(job, page.VIEWS[asked.view].what, "undirected", lambda: page.start(asked), board)
