"""Compare: the privacy-utility frontier of every method."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.compare import page
from pages.ui.compare.page import sheet
from pages.ui.compare.points import compared, measuring, start
from pages.ui.kit import inputs, state
from pages.ui.kit.markdown import refuse
from pages.ui.kit.progress import follow

state.load()
try:
    names = page.networks()
    wanted = page.wanted()
    if not wanted.methods:
        st.info("Choose at least one method to measure.")
        st.stop()
    goals = page.goals(wanted)
    several = {name: compared(inputs.chosen(name)) for name in names}
    job = measuring(several, wanted.methods)
except EquipoiseError as problem:
    refuse(problem)
    st.stop()
follow(
    job,
    "points",
    "compare",
    lambda: start(several, wanted.methods),
    lambda: sheet(several, wanted, goals).mount(key="compare"),
)
