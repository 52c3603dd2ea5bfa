"""Compare: the privacy-utility frontier of every method."""

import streamlit as st

from pages.ui.compare import page
from pages.ui.compare.page import sheet
from pages.ui.compare.points import compared, measuring, start
from pages.ui.kit import inputs
from pages.ui.kit.markdown import refusing
from pages.ui.kit.progress import follow

with refusing():
    names = page.networks()
    wanted = page.wanted()
    if not wanted.methods:
        st.info("Choose at least one method to measure.")
        st.stop()
    goals = page.goals(wanted)
    several = {name: compared(inputs.chosen(name)) for name in names}
    job = measuring(several, wanted.methods)
follow(
    job,
    "points",
    "compare",
    lambda: start(several, wanted.methods),
    lambda: sheet(several, wanted, goals).mount(key="compare"),
)
