"""Which lesson and step are on show, for which class and scenario: from the address, in a bar."""

from __future__ import annotations

import random
import re
import secrets
import threading
from collections.abc import Hashable
from dataclasses import dataclass, replace

import streamlit as st

from core.errors import EquipoiseError
from core.lessons.lesson import Lesson, Prediction
from pages.ui.kit import links
from pages.ui.kit.markdown import refuse
from release.lessons.course import (
    LARGEST,
    LESSONS,
    MOST,
    OWN,
    SEEDS,
    Wish,
    classroom,
    lesson_of,
    sheet,
)
from sources.networks import sample_names

CLASSES = 64
"""Most classes; the longest unused goes first."""

STEPS = 64
"""Most steps of a class, a changed scenario being another step; the oldest goes first."""

ENTRIES = 500
"""Most predictions of one step."""

CODE = re.compile(r"[a-z0-9]{4,12}")
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_code() -> str:
    """A code that nobody guesses by accident, without letters that look alike."""
    return "".join(secrets.choice(_LETTERS) for _ in range(6))


class TaughtClasses:
    """Predictions by code and step, in this server's memory, gone with the server.

    A code leads to numbers and to nothing else: no name, no session, no order of arrival is kept.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, dict[Hashable, list[Prediction]]] = {}

    def send(self, code: str, step: Hashable, prediction: Prediction) -> None:
        """Add one prediction, at a place that says nothing of when it came."""
        if not CODE.fullmatch(code):
            raise EquipoiseError("a class code is 4 to 12 small letters and digits")
        with self._lock:
            steps = self._kept.pop(code, {})
            while len(self._kept) >= CLASSES:
                self._kept.pop(next(iter(self._kept)))
            self._kept[code] = steps
            while step not in steps and len(steps) >= STEPS:
                steps.pop(next(iter(steps)))
            entries = steps.setdefault(step, [])
            if len(entries) >= ENTRIES:
                raise EquipoiseError(f"this class has sent {ENTRIES} predictions; begin a new one")
            entries.insert(random.randint(0, len(entries)), prediction)

    def sent(self, code: str, step: Hashable) -> tuple[Prediction, ...]:
        """All predictions of a class for a step."""
        with self._lock:
            return tuple(self._kept.get(code, {}).get(step, ()))


CLASSROOMS = TaughtClasses()


KEY = "lesson_place"


@dataclass(frozen=True)
class LessonPlace:
    """What the address says."""

    number: int = 1
    step: int = 1
    code: str = ""
    wish: Wish = OWN
    presenting: bool = False

    @property
    def lesson(self) -> Lesson:
        """The lesson on show."""
        return lesson_of(self.number)

    @property
    def asked(self) -> tuple[int, int, Wish]:
        """One step of one scenario."""
        return self.number, self.step, self.wish

    @property
    def key(self) -> tuple[int, int, Wish]:
        """The same whatever split was tried: what is revealed, and what a class answers."""
        return self.number, self.step, replace(self.wish, points=())

    @property
    def parameters(self) -> dict[str, str]:
        """As the address has it."""
        wish = self.wish
        knobs = f"{wish.network}_{wish.records or ''}_{wish.epsilon or ''}_{wish.seed or ''}"
        said = (f"{self.number}", f"{self.step}", self.code, knobs.rstrip("_"),
                "1" if self.presenting else "")  # fmt: skip
        return dict(zip(links.LESSON, said, strict=True))

    def moved(self, by: int) -> LessonPlace:
        """The next or last step, over the ends of lessons."""
        every = [(n, s) for n, one in LESSONS.items() for s in range(1, len(one.steps) + 1)]
        at = min(max(every.index((self.number, self.step)) + by, 0), len(every) - 1)
        return replace(self, number=every[at][0], step=every[at][1])


def on_show() -> LessonPlace:
    """The place of this session; the address gives the first."""
    if KEY not in st.session_state:
        st.session_state[KEY] = _followed(st.query_params.to_dict())
    place: LessonPlace = st.session_state[KEY]
    return place


def show(place: LessonPlace) -> None:
    """Go there."""
    st.session_state[KEY] = place


def write(place: LessonPlace) -> None:
    """Let the address follow."""
    for name, text in place.parameters.items():
        if text:
            st.query_params[name] = text
        elif name in st.query_params:
            del st.query_params[name]


def _followed(asked: dict[str, str]) -> LessonPlace:
    """The place that a link names; what of it cannot be is said, and left out."""
    place = LessonPlace(presenting=asked.get("present") == "1")
    try:
        number, step = (_whole(asked.get(name, "1"), name) for name in ("lesson", "step"))
        lesson_of(number).step(step)
        place = replace(place, number=number, step=step)
        place = replace(place, wish=_wish(asked.get("with", ""), place.lesson))
        code = asked.get("class", "")
        if code and not CODE.fullmatch(code):
            raise EquipoiseError("a class code in a link is 4 to 12 small letters and digits")
        return replace(place, code=code)
    except EquipoiseError as problem:
        refuse(problem)
        return place


def _whole(text: str, name: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise EquipoiseError(f"the {name} in the link is no number; the first is shown")
    return int(text)


def _wish(text: str, lesson: Lesson) -> Wish:
    """The scenario of a link, tried out before it is used."""
    network, records, epsilon, seed = (*text.split("_")[:4], "", "", "", "")[:4]
    try:
        wish = Wish(network, int(records or 0), float(epsilon or 0), int(seed or 0))
    except ValueError:
        raise EquipoiseError(
            "the scenario in the link cannot be read; the lesson's own is shown"
        ) from None
    classroom(lesson, wish)
    return wish


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
            st.download_button(
                "Sheet", lambda: sheet([place.number], place.wish), f"lesson-{place.number}.html",
                "text/html", on_click="ignore", icon=":material/print:", key="lesson_sheet",
                help="One page to print, with room for predictions.",
            )  # fmt: skip
        elif place.code:
            st.code(_link(place), language=None)
        st.toggle("Present", key="lesson_present", on_change=_go)


def _go() -> None:
    place, said = on_show(), st.session_state
    number = said["lesson_number"]
    step = said["lesson_at"] if number == place.number else 1
    show(replace(place, number=number, step=step, presenting=said["lesson_present"]))


def _scenario(place: LessonPlace) -> None:
    lesson, wish = place.lesson, place.wish
    with st.form("lesson_scenario", border=False):
        names = sample_names()
        network = st.selectbox("Network", names, names.index(wish.network or lesson.network))
        records = st.number_input("Records", 50, MOST, wish.records or lesson.records, 1000)
        epsilon = st.number_input("ε", 0.01, LARGEST, wish.epsilon or lesson.scenario.epsilon, 0.1)
        seed = st.number_input("Seed", 0, SEEDS, wish.seed, 1)
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
