"""The checklist on the page: each line with its state as sign and word, and what can be done.

The study section, guardrails counted from the private rows, is off unless asked for.
"""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import visitors
from pages.ui.kit.around import csv_button
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import literal, sentence
from pages.ui.release import fields, numbers, words
from pages.ui.release.fields import slot
from pages.ui.release.numbers import Review
from pages.ui.risk import numbers as risk_numbers
from release.review.checklist import NAME_LIMIT, REASON_LIMIT
from release.review.facts import Line, study_lines
from release.review.passing import depend_on_epsilon

ACTIONS = {
    "rehearsed": ("Rehearse on a stand-in", "rehearse-in-public"),
    "error": ("Rehearse on a stand-in", "rehearse-in-public"),
    "audited": ("Audit the method", "audit-the-mechanism"),
}
"""Where on this page a line that is not passed can be dealt with: words, and a heading's anchor."""

SAID_ON_DATA = ("domain", "bins")
"""Lines of which the table of columns holds what is said."""

SIGNS = {
    "pass": (":green[:material/check_circle:]", "passes"),
    "note": (":gray[:material/info:]", "remark"),
    "fail": (":orange[:material/warning:]", "fails"),
    "reason": (":gray[:material/edit_note:]", "passes for your reason"),
}
"""State -> sign and word; nothing is said by colour alone."""

READING = (
    "A circle with a tick passes, an *i* is a remark that does not block, a triangle fails and "
    "blocks. A failed line passes only for a reason, a sentence with a name under it, that the "
    "ledger keeps; a reason holds for the finding it was written about. Ticks, remarks and reasons "
    "are counted apart."
)


def section(review: Review) -> None:
    """All lines, then how to read them and the table as a file."""
    st.markdown("##### Checklist")
    st.caption(
        "Computed from public facts, your statements and the ledger; no line looks at the records"
    )
    _passing(review)
    if review.checklist.overridden or any(not line.final for line in review.checklist.open):
        who = visitors.visitor()
        if who:
            st.caption(literal(f"Reasons are signed by {who}"))
        else:
            st.text_input(
                "Reasons are signed by", key=fields.SIGNED, max_chars=NAME_LIMIT, width=260,
                placeholder="name of who gives them", persist_state="session",
            )  # fmt: skip
    with st.container(gap=None, key="checks"):
        for place, line in enumerate(review.checklist.lines, 1):
            _line(review, line, place)
    left, right = st.columns([5, 1], vertical_alignment="top")
    with left.expander("Reading, source, command line"):
        st.markdown(READING)
        st.caption("Source: release/review/checklist.py: every line is one function.")
        st.code(review.document["reproducibility"]["command"], language=None, wrap_lines=True)
    with right:
        csv_button(table(review), "equipoise-checklist.csv", key="checklist_csv", width="stretch")


def _passing(review: Review) -> None:
    """What would pass, asked for with a switch: planning other graphs takes a moment."""
    numbered = depend_on_epsilon(review.proposal)
    if not any(line.key in numbered for line in review.checklist.open):
        return
    if st.toggle("What would pass?", key="release_passing", persist_state="session"):
        passing = numbers.passing(review)
        if passing is not None:
            st.info(literal(passing.sentence), icon=":material/rule:")


def state_of(line: Line) -> str:
    """What the line is shown as."""
    return "reason" if line.reason else line.state


def _line(review: Review, line: Line, place: int) -> None:
    state = state_of(line)
    sign, word = SIGNS[state]
    with st.container(key=f"check_{line.key}_{state}"):
        name, told = st.columns([5, 9], gap="small")
        name.markdown(
            f"{sign} :small[{place}] **{literal(line.title)}**  \n"
            f":small[:gray[{word}, {words.BASES[line.basis]}]]"
        )
        with told:
            text = f"{literal(line.number)}  \n:small[:gray[{literal(line.sentence)}\\.]]"
            if line.advice and state != "pass":
                text += f"  \n:small[{literal(line.advice)}]"
            st.markdown(text)
            _acts(review, line)


def _acts(review: Review, line: Line) -> None:
    """Where to go, a reason to write or to take back."""
    useful = line.state == "fail" or (line.state == "note" and line.key != "error")
    if useful and line.key in ACTIONS:
        title, anchor = ACTIONS[line.key]
        st.markdown(f":material/arrow_downward: [{title}](#{anchor})")
    if line.state == "fail" and line.key in SAID_ON_DATA:
        st.page_link("pages/load_data.py", label="Say it on Data, 2 Columns")
    if line.reason:
        said, back = st.columns([3, 1], vertical_alignment="center")
        said.markdown(f"Your reason: {literal(line.reason)}")
        back.button(
            "Withdraw", key=f"withdraw_{line.key}", help=f"Withdraw the reason: {line.title}",
            on_click=numbers.withdraw, args=(review.choice, line.key), width="stretch",
        )  # fmt: skip
    elif line.blocks and not line.final:
        _form(review, line)


def _form(review: Review, line: Line) -> None:
    key = f"reason_{line.key}_{slot(review.choice)}"
    with (
        st.form(f"form_{key}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            f"Reason: {line.title}", key=key, max_chars=REASON_LIMIT, width=260,
            placeholder="Why may this pass?", label_visibility="collapsed",
        )  # fmt: skip
        st.form_submit_button(
            "Accept and record the reason", key=f"accept_{line.key}",
            on_click=override, args=(review, line.key, key),
        )  # fmt: skip
    refusal = refusals().get(line.key)
    if refusal:
        st.error(f"Not recorded: {sentence(refusal)}\\.", icon=":material/error:")


def refusals() -> dict[str, str]:
    """Why the last reason for a line was not recorded."""
    kept: dict[str, str] = st.session_state.setdefault("release_refusals", {})
    return kept


def override(review: Review, key: str, field: str) -> None:
    """The steward wrote a reason; one that does not count is said at its line."""
    refusals().pop(key, None)
    try:
        numbers.accept(review.checklist, review.choice, key, st.session_state[field])
    except EquipoiseError as problem:
        refusals()[key] = str(problem)


def table(review: Review) -> dict[str, list[object]]:
    """The checklist as columns of a file."""
    lines = review.checklist.lines
    return {
        "number": list(range(1, len(lines) + 1)),
        "check": [line.title for line in lines],
        "state": [SIGNS[state_of(line)][1] for line in lines],
        "finding": [line.number for line in lines],
        "sentence": [line.sentence for line in lines],
        "what to do": [line.advice for line in lines],
        "rests on": [words.BASES[line.basis] for line in lines],
        "reason": [line.reason for line in lines],
    }


STUDY_SIGNS = {"pass": "fine", "note": "look at this"}


def included(choice: Choice) -> tuple[Line, ...]:
    """What goes into the dossier: nothing unless the steward says so twice."""
    number = slot(choice)
    if not all(st.session_state.get(f"study_{what}_{number}") for what in ("shown", "included")):
        return ()
    try:
        return study_lines(risk_numbers.standing(choice).rails)
    except EquipoiseError:
        return ()  # the section says what is wrong


def study_section(choice: Choice) -> None:
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
        "Study: computed from the private rows, not for publication.", icon=":material/visibility:"
    )
    rows = [
        {"finding": x.number, "about": x.sentence, "state": STUDY_SIGNS[x.state], "do": x.advice}
        for x in study_lines(rails)
    ]
    st.dataframe(rows, hide_index=True, width="stretch")
    st.toggle(
        "Include it in the dossier, marked private",
        key=f"study_included_{number}",
        persist_state="session",
    )
