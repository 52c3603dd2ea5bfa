"""The study section of a review: guardrails counted from the private rows, off unless asked for."""

from __future__ import annotations

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import sentence
from pages.ui.release.form import slot
from pages.ui.risk import numbers as risk_numbers
from release.review.line import Line, study_lines

SIGNS = {"pass": "fine", "note": "look at this"}


def included(choice: Choice) -> tuple[Line, ...]:
    """What goes into the dossier: nothing unless the steward says so twice."""
    number = slot(choice)
    wanted = st.session_state.get(f"study_shown_{number}") and st.session_state.get(
        f"study_included_{number}"
    )
    return _lines(choice) if wanted else ()


def _lines(choice: Choice) -> tuple[Line, ...]:
    try:
        return study_lines(risk_numbers.standing(choice).rails)
    except EquipoiseError:
        return ()  # the section says what is wrong


def section(choice: Choice) -> None:
    """Two switches and a table; both are off."""
    number = slot(choice)
    st.markdown("#### Study section")
    shown = st.toggle(
        "Show guardrails counted from the exact rows (study: not private)",
        key=f"study_shown_{number}",
        persist_state="session",
        help="For your eyes. Whoever sees these numbers learns more than the release reveals.",
    )
    if not shown:
        st.caption("Off: nothing else on this page is measured on the rows.")
        return
    try:
        rails = risk_numbers.standing(choice).rails
    except EquipoiseError as problem:
        st.error(sentence(str(problem)), icon=":material/error:")
        return
    st.warning(
        "Study: computed from the private rows, not for publication.",
        icon=":material/visibility:",
    )
    st.dataframe(
        [
            {"finding": x.number, "about": x.sentence, "state": SIGNS[x.state], "do": x.advice}
            for x in study_lines(rails)
        ],
        hide_index=True,
        width="stretch",
    )
    st.toggle(
        "Include it in the dossier, marked private",
        key=f"study_included_{number}",
        persist_state="session",
    )
