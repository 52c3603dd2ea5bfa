"""Release: reviewed line by line, rehearsed in public, spent with one click, recorded for good."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import inputs
from pages.ui.kit.markdown import sentence
from pages.ui.release import audit, checks, numbers, paying, rehearse, result, views
from pages.ui.release.form import asked
from pages.ui.release.place import look_up
from release.dossier.document import dossier_files

top = st.container()
try:
    choice = inputs.chosen()
    looked = look_up(choice.study)
    request, refused = asked(choice, looked)
    extra = checks.included(choice)
    review = numbers.reviewed(choice, request, refused, looked, extra)
except EquipoiseError as problem:
    st.error(sentence(str(problem)), icon=":material/error:")
    st.stop()
for obstacle in review.obstacles:
    st.warning(f"{sentence(obstacle)}.", icon=":material/error:")
done = paying.released(choice)
with top:
    views.top(review, len(done)).mount(key="release_top")
with st.container(key="review"):
    left, right = st.columns([1.63, 1], gap="large")
with left:
    checks.section(review)
with right:
    views.plan(review).mount(key="release_plan")
    paying.panel(review, extra)
    if done:
        paying.files(done[-1], review.account)
    paying.earlier(looked.past(), looked.place)
if done:
    result.section(review, done[-1])
    result.ask_released(done[-1])
st.divider()
with st.container(key="rehearse"):
    rehearse.section(review)
st.divider()
with st.container(key="audit"):
    audit.section(review)
st.divider()
views.exact(review)
checks.study_section(choice)
st.divider()
title, html, json, pdf = st.columns([5, 1, 1, 1], vertical_alignment="bottom")
title.markdown("#### Dossier")
title.caption("What the reviewers will read; nothing is spent by looking.")
papers = dossier_files(review.document)
with html:
    paying.file_button("HTML", lambda: papers["dossier.html"], "preview-dossier.html")
with json:
    paying.file_button("JSON", lambda: papers["dossier.json"], "preview-dossier.json")
with pdf:
    paying.pdf_button(lambda: papers["dossier.html"], "preview-dossier.pdf", "PDF")
views.paper(papers["dossier.html"].decode()).mount(key="release_paper")
