"""Utility: how wrong parameters and answers become, and what ε buys."""

import streamlit as st

from core.methods.registry import METHODS
from pages.ui.kit import dragging, inputs
from pages.ui.kit.markdown import literal, refusing
from pages.ui.kit.progress import follow
from pages.ui.utility import asking, bearing, solving, words
from pages.ui.utility.page import sheet
from pages.ui.utility.sweep import GRID, at_rest, measuring, start, sweep

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
if notice := words.notice(methods, inputs.chosen().scenario.options.delta):
    st.warning(literal(notice), icon=":material/balance:")
with refusing():
    asked = sweep(inputs.chosen(), tuple(m for m in PRIVATE if m in methods))
    job = measuring(asked)


def curves() -> None:
    """What is measured, with the ε on show."""
    choice = inputs.chosen()
    shown = sheet(at_rest(asked, choice), reference, dragging.knobs(choice.scenario))
    shown.mount(key="utility", answers=dragging.KNOB)


follow(job, "points", "utility", lambda: start(asked), curves)
bearing.notes(asked)
bearing.section(asked)
st.divider()
st.markdown("#### Ask the published model a question")
question = asking.section(asked.choice, asked.truth, asked.methods)
st.divider()
st.markdown("#### Solve backwards: from an error to ε")
solving.section(asked, question)
