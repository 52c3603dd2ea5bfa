"""The eight lessons, what each is asked about, and its answers: one door for page and shell."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.errors import EquipoiseError
from core.lessons.attacker_words import EXACT, FINDS
from core.lessons.budget_words import HALF, PAYS, SPLIT
from core.lessons.lesson import Answer, Classroom, Lesson, words
from release.lessons.release_words import CATCH, FOOLED, TWICE
from sources.study import sampled_study

LESSONS: Mapping[int, Lesson] = {
    lesson.number: lesson for lesson in (HALF, PAYS, SPLIT, FINDS, EXACT, TWICE, FOOLED, CATCH)
}
MOST = 100_000
"""Most records of a lesson: answers are waited for in a class."""

LARGEST = 20.0
"""Largest ε of a lesson."""

_LOCK = threading.Lock()


@dataclass(frozen=True)
class Wish:
    """What is changed of a lesson's scenario; nothing where it is empty. Public values alone."""

    network: str = ""
    records: int = 0
    epsilon: float = 0.0
    seed: int = 0
    points: tuple[float, ...] = ()


OWN = Wish()
"""The scenario that a lesson comes with."""


def lesson_of(number: int) -> Lesson:
    """The lesson of that number."""
    if number not in LESSONS:
        raise EquipoiseError(f"there is no lesson {number}; there are 1 to {len(LESSONS)}")
    return LESSONS[number]


def classroom(lesson: Lesson, wish: Wish = OWN) -> Classroom:
    """The records and knobs of a lesson."""
    records, epsilon = wish.records or lesson.records, wish.epsilon or lesson.scenario.epsilon
    if not 50 <= records <= MOST:
        raise EquipoiseError(f"a lesson takes 50 to {MOST:,} records, not {records:,}")
    if not 0.01 <= epsilon <= LARGEST:
        raise EquipoiseError(f"a lesson takes ε from 0.01 to {LARGEST:g}, not {epsilon:g}")
    scenario = replace(lesson.scenario, epsilon=epsilon, seed=wish.seed)
    study = sampled_study(wish.network or lesson.network, None, records=records, seed=0)
    if study.model is None:
        raise EquipoiseError(f"{study.name} has no probabilities; choose another network")
    rows = study.counts.rows
    return Classroom(study.name, study.network, rows, study.model, scenario, wish.points)


def answered(number: int, step: int, wish: Wish = OWN) -> Answer:
    """What is computed for a step. Public: made-up records alone, the same for everyone."""
    with _LOCK:  # a class asks at once; one computes and all others read
        return _answered(number, step, wish)


@functools.lru_cache(maxsize=256)
def _answered(number: int, step: int, wish: Wish) -> Answer:
    lesson = lesson_of(number)
    return lesson.step(step).work(classroom(lesson, wish))


def document(number: int, step: int, wish: Wish = OWN) -> dict[str, Any]:
    """A step with its words filled in, as JSON says it."""
    lesson = lesson_of(number)
    told, answer = lesson.step(step), answered(number, step, wish)
    texts = ("ask", "reveal", "cause", "twist")
    return {
        "lesson": number,
        "step": step,
        "title": told.title,
        "kind": told.kind,
        **{name: words(getattr(told, name), answer) for name in texts},
        "wrong": [words(text, answer) for text in told.wrong],
        "answer": list(answer.truth),
        "options": list(answer.options),
        "facts": dict(answer.facts),
        "rows": [asdict(bar) for bar in answer.bars],
    }


def line_of(number: int, step: int, wish: Wish = OWN) -> str:
    """The same step from a shell."""
    asked = [
        *([f"--network {wish.network}"] if wish.network else []),
        *([f"--records {wish.records}"] if wish.records else []),
        *([f"--epsilon {wish.epsilon:g}"] if wish.epsilon else []),
        *([f"--seed {wish.seed}"] if wish.seed else []),
        *([f"--points {','.join(f'{p:g}' for p in wish.points)}"] if wish.points else []),
    ]
    return " ".join(["python cli.py lesson", f"{number} --step {step}", *asked])
