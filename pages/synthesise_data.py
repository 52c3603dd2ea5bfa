"""Synthesise: a private structure and synthetic records when no graph is known."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import jobs, limits, state
from pages.ui.kit.markdown import literal, refusing
from pages.ui.kit.progress import draw_again, progress
from pages.ui.kit.rowless import rowless
from pages.ui.synthesise import exchange, numbers, page
from sources.opening import TABLE_EXTENSIONS
from sources.records import learned_study

exchange.section(TABLE_EXTENSIONS, limits.upload_megabytes())
with refusing():
    own = page.sidebars()
    if own is not None and rowless(own, "synth_rows"):
        st.stop()
    setting = page.knobs(page.records(), int(st.session_state.seed))
    rehearsal = page.rehearsed(setting)
for note in (*setting.records.notes, *setting.records.counted):
    st.info(literal(note))
st.caption(page.searched(rehearsal))

names = [v.name for v in rehearsal.rows.dataset.variables]
total = len(rehearsal.pairs)
left, middle, right = st.columns([2, 1, 1], vertical_alignment="bottom")
shown = total if total == 1 else left.slider(
    "Tables so far", 1, total, total, key=f"synth_shown_{total}",
    on_change=lambda: st.session_state.pop("synth_node", None),  # the last pair is looked at again
)  # fmt: skip
first = middle.selectbox("Compare", names, 0, key="synth_first")
second = right.selectbox("with", [n for n in names if n != first], 0, key="synth_second")
page.sheet(setting, rehearsal, shown, (first, second)).mount(
    key="synthesis", answers=page.answers(rehearsal)
)
left, right = st.columns(2)
with left:
    exchange.download(setting, rehearsal)
try:
    study = learned_study(setting.records, rehearsal.synthesis)
    right.button(
        "Use this structure",
        on_click=state.adopt,
        args=(study, page.saved_files(setting, study)),
        help="For study: its seed is known. Explore, Allocate, Utility and Risk then work on it; "
        "the ε it cost is noted.",
    )
except EquipoiseError as problem:
    right.caption(f"This structure cannot be used on the other pages: {literal(str(problem))}.")

st.divider()
st.markdown("#### Against the baselines")
_, job = page.measuring(setting)


@st.fragment(run_every=jobs.POLL if job and job.alive else None)
def curves() -> None:
    """Draw what is measured so far; look again while more is to come."""
    measured, job = page.measuring(setting)
    progress(job, "points", "synth_stop")
    resting = job is None or not job.alive
    more = resting and numbers.todo(setting, measured) is not None
    if more and st.button("Measure the curves", key="synth_measure"):
        page.start(setting)
        st.rerun()
    page.curves(setting, measured).mount(key="compared")
    draw_again(job)


curves()
st.divider()
st.markdown("#### A classifier trained on synthetic records")
exchange.classifier(setting, names)
