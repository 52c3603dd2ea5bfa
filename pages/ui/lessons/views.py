"""The pictures of a lesson, with their texts."""

from __future__ import annotations

from collections.abc import Sequence

from core.lessons.lesson import Answer, Bar, LessonStep
from figures.lessons import answer_figure, predictions_figure
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Columns, Words, figure_view
from pages.ui.lessons.lesson_place import LessonPlace
from release.lessons.course import line_of


def answer_view(place: LessonPlace, step: LessonStep, answer: Answer) -> View:
    """What is revealed."""
    ranged = any(bar.low is not None for bar in answer.bars)
    caption = "Lines hold 95 % of what may come." if ranged else ""
    details = (("Command line", line_of(*place.asked)),)
    return _view(step.title, "Computed", caption, answer.bars, answer.axis, details)


def hint_view(step: LessonStep, answer: Answer) -> View:
    """What is known before the prediction."""
    return _view(
        step.title,
        "Before you predict",
        "",
        answer.hint,
        answer.hint_axis or answer.axis,
        (),
        "hint",
    )


def _view(
    title: str, subtitle: str, caption: str, bars: Sequence[Bar], axis: str,
    details: tuple[tuple[str, str], ...], name: str = "answer",
) -> View:  # fmt: skip
    alt = f"{title}: " + "; ".join(f"{bar.name} {bar.value:.3g}" for bar in bars)
    words = Words(title, subtitle, caption, alt, details, f"equipoise-lesson-{name}.csv")
    table: Columns = {
        "what": [bar.name for bar in bars],
        axis: [bar.value for bar in bars],
        "low": [bar.low for bar in bars],
        "high": [bar.high for bar in bars],
    }
    figure = answer_figure(bars, axis, revision=title)
    return figure_view(name, words, {"": figure}, table)


def class_view(step: LessonStep, counted: list[tuple[str, int]], total: int) -> View:
    """What the class predicts."""
    first = ", by what was put first" if step.kind == "order" else ""
    words = Words(
        "The class predicts",
        f"{total} {'prediction' if total == 1 else 'predictions'}{first}",
        "Numbers alone, in this server's memory, gone when it stops.",
        "; ".join(f"{name}: {count}" for name, count in counted),
        (),
        "equipoise-class.csv",
    )
    table: Columns = {"prediction": [n for n, _ in counted], "how many": [c for _, c in counted]}
    figure = predictions_figure(counted, step.unit, revision=step.title)
    return figure_view("class", words, {"": figure}, table)
