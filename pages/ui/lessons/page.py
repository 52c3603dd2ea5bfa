"""What Lessons shows: a question, room for a prediction, and the computed answer with its cause."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.errors import EquipoiseError
from core.lessons.lesson import Answer, Bar, LessonStep, Prediction, checked, judged, tallied, words
from figures.bars import answer_figure, predictions_figure
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Columns, Words, figure_view, stacked
from pages.ui.kit.state import KEEP
from pages.ui.lessons.lesson_place import CLASSROOMS, LessonPlace, bar, on_show, show, write
from release.lessons.course import LESSONS, answered, classroom, line_of

DONE, SENT = "lessons_revealed", "lessons_sent"
POLL = 1.5
"""Seconds between looks at what the class has sent."""

PLAIN = (
    "<style>[data-testid=stSidebar], [data-testid=stExpandSidebarButton] {display: none}</style>"
)
LARGE = """<style>
.st-key-lesson_step :is(p, li):not([data-testid=stSlider] p) {font-size: 1.7rem; line-height: 1.4}
.st-key-lesson_step h2 {font-size: 2.6rem}
.st-key-lesson_step .stBidiComponent {zoom: 1.35}
[data-testid=stToolbar] {display: none}
</style>"""


def page() -> None:
    """Draw it."""
    st.html(PLAIN)
    place = on_show()
    if place.presenting:
        st.html(LARGE)
    bar(place)
    step = place.lesson.step(place.step)
    with st.container(key="lesson_step"):
        st.header(f"{place.number:d}.{place.step:d} {literal(step.title)}", anchor=False)
        try:
            _step(place, step)
        except EquipoiseError as problem:
            refuse(problem)
    _moves(place)
    write(place)


def revealed(place: LessonPlace) -> bool:
    """Whether this step's answer is on show."""
    return place.key in st.session_state.setdefault(DONE, set())


def _step(place: LessonPlace, step: LessonStep) -> None:
    question = st.container()
    if step.points:
        names = classroom(place.lesson, place.wish).network.names
        place = replace(place, wish=replace(place.wish, points=points(place, names)))
    with st.spinner("Computing"):
        answer = answered(*place.asked)
    question.markdown(literal(words(step.ask, answer)))
    done, alone = revealed(place), not (place.presenting and place.code)
    if answer.hint and (alone or not done):
        axis, before = answer.hint_axis or answer.axis, "Before you predict"
        hint = _view("hint", step, before, answer.hint, axis)
        stacked(hint).mount(key=f"hint_{place.number}")
    sent = predicted(place, step, answer, done=done) if alone else None
    if sent is not None and not done:
        st.caption("Your prediction is noted.")
    left, right = (st.container(), st.container()) if alone or not done else st.columns([2, 3])
    if place.code:
        with left:
            _class(place, step, answer, sent, done=done)
    if done:
        with right:
            _reveal(place, step, answer, sent)


def _class(
    place: LessonPlace, step: LessonStep, answer: Answer, sent: Prediction | None, *, done: bool
) -> None:
    """Send a prediction once, and see what others sent."""
    mine: set[object] = st.session_state.setdefault(SENT, set())
    where = (place.code, place.key)
    if not place.presenting and where not in mine and not done:
        if st.button("Send to the class", key="lesson_send", disabled=sent is None) and sent:
            CLASSROOMS.send(place.code, place.key, checked(step, answer, sent))
            mine.add(where)
            st.rerun()
        st.caption("A number goes to the class, without a name. Then you see the others'.")
        return
    _histogram(place, step, answer)


@st.fragment(run_every=POLL)
def _histogram(place: LessonPlace, step: LessonStep, answer: Answer) -> None:
    sent = CLASSROOMS.sent(place.code, place.key)
    counted = tallied(step, answer, sent)
    stacked(class_view(step, counted, len(sent))).mount(key="class_predictions")


def _reveal(place: LessonPlace, step: LessonStep, answer: Answer, sent: Prediction | None) -> None:
    if sent is not None:
        st.info(literal(judged(step, answer, sent)), icon=":material/lightbulb:")
    st.markdown(f"**{literal(words(step.reveal, answer))}**")
    bars = answer.bars
    caption = "Lines hold 95 % of what may come." if any(b.low is not None for b in bars) else ""
    details = {"Command line": line_of(*place.asked)}
    view = _view("answer", step, "Computed", bars, answer.axis, caption, details)
    stacked(view).mount(key=f"answer_{place.number}_{place.step}")
    st.markdown(f"*Why:* {literal(words(step.cause, answer))}")
    st.markdown(f"*Twist:* {literal(words(step.twist, answer))}")


def _forth(place: LessonPlace) -> None:
    if revealed(place):
        show(place.moved(1))
    else:
        st.session_state[DONE] = {*st.session_state[DONE], place.key}


def _moves(place: LessonPlace) -> None:
    first = (place.number, place.step) == (1, 1)
    last = place.moved(1) == place
    keys = ("Left", "Right") if place.presenting else (None, None)
    with st.container(horizontal=True, key="lesson_moves"):
        st.button(
            "Back", key="lesson_back", icon=":material/arrow_back:", shortcut=keys[0],
            on_click=show, args=(place.moved(-1),), disabled=first,
        )  # fmt: skip
        st.button(
            "Next" if revealed(place) else "Reveal", key="lesson_next", type="primary",
            icon=":material/arrow_forward:", shortcut=keys[1],
            on_click=_forth, args=(place,), disabled=last and revealed(place),
        )  # fmt: skip
        st.button("Reset", key="lesson_reset", on_click=_reset, type="tertiary")
    st.caption(f"{len(LESSONS):d} lessons; answers are computed from made-up records.")


def _reset() -> None:
    st.session_state[DONE] = set()
    st.session_state[SENT] = set()
    for key in [k for k in st.session_state if str(k).startswith(("predict_", "points_"))]:
        del st.session_state[key]


POINTS = 12
"""Most variables that are given points by hand; others keep one."""


def predicted(
    place: LessonPlace, step: LessonStep, answer: Answer, *, done: bool
) -> Prediction | None:
    """What is predicted; nothing before the widget was touched."""
    key = f"predict_{place.number}_{place.step}_{hash(place.key)}"
    if step.kind in ("number", "band"):
        return _slid(key, step, answer, done=done)
    if step.kind == "choice":
        one = st.radio(
            "Your prediction", answer.options, index=None, key=key, disabled=done, **KEEP
        )
        return None if one is None else (float(answer.options.index(one)),)
    order = st.multiselect(
        "Your order: choose all, the first first", answer.options, key=key, disabled=done, **KEEP
    )
    whole = len(order) == len(answer.options)
    return tuple(float(answer.options.index(name)) for name in order) if whole else None


def _slid(key: str, step: LessonStep, answer: Answer, *, done: bool) -> Prediction | None:
    low, high, pace = answer.span
    start = low if step.kind == "number" else (low, high)
    label = f"Your prediction {f'({step.unit})' if step.unit else ''}".strip()
    if step.kind == "band":
        label = "Your band: from and to"
    value = st.slider(label, low, high, start, pace, format="%.4g", key=key, disabled=done, **KEEP)
    if value == start:
        return None
    return tuple(value) if isinstance(value, tuple) else (float(value),)


def points(place: LessonPlace, names: tuple[str, ...]) -> tuple[float, ...]:
    """Points for the first variables; none where all are alike."""
    given = [1.0] * len(names)
    columns = st.columns(4)
    for i, name in enumerate(names[:POINTS]):
        given[i] = float(
            columns[i % 4].number_input(
                name, 1, 20, 1, key=f"points_{place.wish.network}_{i}", **KEEP
            )
        )
    return tuple(given) if len(set(given)) > 1 else ()


def _view(
    name: str, step: LessonStep, subtitle: str, bars: Sequence[Bar], axis: str, caption: str = "",
    details: Mapping[str, str] | None = None,
) -> View:  # fmt: skip
    """What is known before the prediction, or what is revealed."""
    alt = f"{step.title}: " + "; ".join(f"{bar.name} {bar.value:.3g}" for bar in bars)
    file = f"equipoise-lesson-{name}.csv"
    words = Words(step.title, subtitle, caption, alt, details or {}, file)
    table: Columns = {
        "what": [bar.name for bar in bars],
        axis: [bar.value for bar in bars],
        "low": [bar.low for bar in bars],
        "high": [bar.high for bar in bars],
    }
    figure = answer_figure(bars, axis, revision=step.title)
    return figure_view(name, words, {"": figure}, table)


def class_view(step: LessonStep, counted: list[tuple[str, int]], total: int) -> View:
    """What the class predicts."""
    first = ", by what was put first" if step.kind == "order" else ""
    words = Words(
        "The class predicts",
        f"{total} {'prediction' if total == 1 else 'predictions'}{first}",
        "Numbers alone, in this server's memory, gone when it stops.",
        "; ".join(f"{name}: {count}" for name, count in counted),
        {},
        "equipoise-class.csv",
    )
    table: Columns = {"prediction": [n for n, _ in counted], "how many": [c for _, c in counted]}
    figure = predictions_figure(counted, step.unit, revision=step.title)
    return figure_view("class", words, {"": figure}, table)
