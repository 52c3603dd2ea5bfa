"""Release: reviewed line by line, rehearsed in public, spent with one click, recorded for good."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import (
    inputs,
    release,
    release_audit,
    release_board,
    release_inputs,
    release_words,
    state,
)
from pages.ui import release_numbers as numbers
from pages.ui import release_publish as publishing
from pages.ui import release_rehearse as rehearsing
from pages.ui import release_study as study
from release.dossier.document import dossier_files

state.load()
top = st.container()
try:
    choice = inputs.chosen()
    looked = numbers.look_up(choice)
    asked = release_inputs.asked(choice, looked.account, others=bool(looked.others))
    extra = study.included(choice)
    review = numbers.reviewed(choice, asked, looked, extra)
except EquipoiseError as problem:
    st.error(release_words.plain(str(problem)), icon=":material/error:")
    st.stop()
for obstacle in review.obstacles:
    st.warning(f"{release_words.plain(obstacle)}.", icon=":material/error:")
done = publishing.released(choice)
with top:
    release_board.TOP.mount(release.top(review, len(done)), key="release_top")
with st.container(key="review"):
    left, right = st.columns([1.63, 1], gap="large")
with left:
    release_board.mount_checks(
        release.checks(review),
        key="release_checks",
        override=lambda sent: release.override(review, *sent),
        withdraw=lambda key: numbers.withdraw(choice, key),
    )
with right:
    release_board.PLAN.mount(release.plan(review), key="release_plan")
    publishing.panel(review, extra)
    if done:
        publishing.files(done[-1], release.left_over(review))
st.divider()
with st.container(key="rehearse"):
    rehearsing.section(review)
st.divider()
with st.container(key="audit"):
    release_audit.section(review)
st.divider()
release_board.TABLES.mount(release.exact(review), key="release_exact")
study.section(choice)
st.divider()
title, html, json, pdf = st.columns([5, 1, 1, 1], vertical_alignment="bottom")
title.markdown("#### Dossier")
title.caption("What the reviewers will read; nothing is spent by looking.")
papers = dossier_files(review.document)
with html:
    publishing.file_button("HTML", lambda: papers["dossier.html"], "preview-dossier.html")
with json:
    publishing.file_button("JSON", lambda: papers["dossier.json"], "preview-dossier.json")
with pdf:
    publishing.pdf_button(lambda: papers["dossier.html"], "preview-dossier.pdf", "PDF")
release_board.PAPER.mount(
    {"title": "Dossier, preview", "html": papers["dossier.html"].decode()}, key="release_paper"
)
