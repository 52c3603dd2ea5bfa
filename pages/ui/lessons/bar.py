"""Above a step: which lesson and step, the scenario, the class, the sheet, presenting."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit.markdown import refuse
from pages.ui.lessons.lesson_place import LessonPlace, show
from pages.ui.lessons.taught import new_code
from release.lessons.course import LARGEST, LESSONS, MOST, OWN, Wish, classroom
from release.lessons.worksheet import sheet
from sources.networks import sample_names

TITLES = {number: f"{number}  {lesson.title}" for number, lesson in LESSONS.items()}


def bar(place: LessonPlace) -> None:
    """Draw it."""
    st.session_state["lesson_number"] = place.number
    st.session_state["lesson_at"] = place.step
    st.session_state["lesson_present"] = place.presenting
    with st.container(horizontal=True, vertical_alignment="bottom", key="lesson_bar"):
        st.selectbox(
            "Lesson", list(TITLES), key="lesson_number", format_func=TITLES.__getitem__,
            on_change=_go, width=260,
        )  # fmt: skip
        st.segmented_control(
            "Step", range(1, len(place.lesson.steps) + 1), key="lesson_at", on_change=_go,
            required=True,
        )  # fmt: skip
        if not place.presenting:
            with st.popover("Scenario", icon=":material/tune:"):
                _scenario(place)
            with st.popover("Class", icon=":material/groups:"):
                _class(place)
            _paper(place)
        elif place.code:
            st.code(_link(place), language=None)
        st.toggle("Present", key="lesson_present", on_change=_present)


def _go() -> None:
    place: LessonPlace = st.session_state["lesson_place"]
    number = st.session_state["lesson_number"]
    step = st.session_state["lesson_at"] if number == place.number else 1
    show(replace(place, number=number, step=step))


def _present() -> None:
    place: LessonPlace = st.session_state["lesson_place"]
    show(replace(place, presenting=st.session_state["lesson_present"]))


def _scenario(place: LessonPlace) -> None:
    """Another network or other knobs: the answers are computed anew."""
    lesson, wish = place.lesson, place.wish
    with st.form("lesson_scenario", border=False):
        names = sample_names()
        network = st.selectbox("Network", names, names.index(wish.network or lesson.network))
        records = st.number_input("Records", 50, MOST, wish.records or lesson.records, 1000)
        epsilon = st.number_input("ε", 0.01, LARGEST, wish.epsilon or lesson.scenario.epsilon, 0.1)
        seed = st.number_input("Seed", 0, 999_999, wish.seed, 1)
        if st.form_submit_button("Use it"):
            asked = Wish(
                "" if network == lesson.network else network,
                0 if records == lesson.records else int(records),
                0.0 if epsilon == lesson.scenario.epsilon else float(epsilon),
                int(seed),
            )
            _use(place, asked)
        if st.form_submit_button("The lesson's own", type="tertiary"):
            _use(place, OWN)


def _use(place: LessonPlace, wish: Wish) -> None:
    try:
        classroom(place.lesson, wish)
    except EquipoiseError as problem:
        refuse(problem)
        return
    show(replace(place, wish=wish))
    st.rerun()


def _link(place: LessonPlace) -> str:
    """What the class opens."""
    address = str(st.context.url or "").partition("?")[0]
    said = replace(place, presenting=False).parameters
    return f"{address}?" + "&".join(f"{name}={text}" for name, text in said.items() if text)


def _class(place: LessonPlace) -> None:
    """A code that browsers share; what they send are numbers."""
    if place.code:
        st.markdown("Everyone who opens this link predicts together:")
        st.code(_link(place), language=None)
        st.button("Leave the class", key="class_leave", on_click=show,
                  args=(replace(place, code=""),))  # fmt: skip
    else:
        st.markdown(
            "A class has a code in its link. Predictions are numbers without names, kept in this "
            "server's memory until it stops."
        )
    st.button("Begin a new class", key="class_new", on_click=show,
              args=(replace(place, code=new_code()),))  # fmt: skip


def _paper(place: LessonPlace) -> None:
    st.download_button(
        "Sheet", lambda: sheet([place.number], place.wish), f"lesson-{place.number}.html",
        "text/html", on_click="ignore", icon=":material/print:", key="lesson_sheet",
        help="One page to print, with room for predictions.",
    )  # fmt: skip
