"""Which lesson and step are on show, for which class, about which scenario: from the address."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.errors import EquipoiseError
from core.lessons.lesson import Lesson
from pages.ui.kit import links
from pages.ui.kit.markdown import refuse
from pages.ui.lessons.taught import CODE
from release.lessons.course import LESSONS, OWN, Wish, classroom, lesson_of

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
