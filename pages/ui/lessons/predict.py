"""The widgets that take a prediction."""

from __future__ import annotations

import streamlit as st

from core.lessons.lesson import Answer, LessonStep, Prediction
from pages.ui.kit.state import KEEP
from pages.ui.lessons.lesson_place import LessonPlace

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
