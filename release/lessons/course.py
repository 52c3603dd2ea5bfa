"""The eight lessons, what each is asked about, and its answers: one door for page and shell.

Their words are in ``lessons.toml`` beside this file.
"""

import functools
import re
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib import resources
from typing import Any

from core.errors import EquipoiseError
from core.lessons import attackers, budgets
from core.lessons.lesson import Answer, Classroom, Lesson, LessonStep, words
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.quantities import QUANTITIES
from release.dossier.markup import Markup, element
from release.lessons import caught, fooled, twice
from sources.study import sampled_study

Work = Callable[[Classroom], Answer]

WORK: dict[int, tuple[Work, ...]] = {
    1: (
        partial(budgets.halved, metric="l1_weighted"),
        budgets.half_band,
        partial(budgets.halved, metric="l1_row"),
    ),
    2: (budgets.paying, budgets.smallest_band, budgets.small_rows),
    3: (budgets.beaten, budgets.ranked, budgets.deciding),
    4: (attackers.members, attackers.accused, partial(attackers.members, times=4.0)),
    5: (attackers.area, attackers.rare_members, attackers.alone),
    6: (twice.accuracy, twice.riskier, twice.third),
    7: (fooled.look_alike, fooled.simpler, fooled.classifying),
    8: (caught.convicted, caught.more_runs, caught.acquitted),
}
"""What is computed for each step of a lesson."""

SCENARIOS = {4: Scenario(neighbours=Neighbours.REPLACE), 7: Scenario(epsilon=0.2)}
"""Of lessons that have not the usual one."""


def _lesson(told: dict[str, Any]) -> Lesson:
    steps, number = told.pop("steps"), told["number"]
    own = (
        LessonStep(**{**step, "wrong": tuple(step["wrong"])}, work=work)
        for step, work in zip(steps, WORK[number], strict=True)
    )
    return Lesson(**told, steps=tuple(own), scenario=SCENARIOS.get(number, Scenario()))


_WORDS = resources.files("release.lessons").joinpath("lessons.toml").read_text(encoding="utf-8")
_NAMED = re.sub("<([a-z0-9_]+)>", lambda sign: QUANTITIES[sign[1]].name, _WORDS)

LESSONS: Mapping[int, Lesson] = {
    told["number"]: _lesson(told) for told in tomllib.loads(_NAMED)["lessons"]
}


MOST = 100_000
"""Most records of a lesson: answers are waited for in a class."""

LARGEST = 20.0
"""Largest ε of a lesson."""

SEEDS = 999_999
"""Largest seed of a lesson."""

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
    if not 0 <= wish.seed <= SEEDS:
        raise EquipoiseError(f"a lesson takes a seed from 0 to {SEEDS:,}, not {wish.seed:,}")
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


STYLE = """
body { font: 11.5pt/1.4 sans-serif; margin: 0 auto; max-width: 178mm; color: #1B2127; }
section { break-after: page; padding: 8mm 0; }
h1 { font-size: 18pt; margin: 0 0 2mm; } h2 { font-size: 13pt; margin: 6mm 0 1mm; }
p { margin: 1mm 0; } code { font-size: 9pt; }
.room { border: 1px solid #8A949C; height: 19mm; margin: 2mm 0; padding: 1.5mm; color: #6E7881; }
.note { color: #6E7881; font-size: 9.5pt; }
"""
ROOM = {
    "number": "My number:",
    "band": "From: … to: …",
    "choice": "My choice:",
    "order": "My order:",
}


def sheet(numbers: Sequence[int], wish: Wish = OWN, *, key: bool = False) -> str:
    """The lessons as one HTML document, a page each; with ``key`` the answers in place of room."""
    pages = [_page(number, wish, key=key) for number in numbers]
    head = element(
        "head", element("meta", charset="utf-8"), element("title", "Lessons"),
        element("style", Markup(STYLE)),
    )  # fmt: skip
    return "<!doctype html>" + element("html", head, element("body", pages), lang="en")


def _page(number: int, wish: Wish, *, key: bool) -> Markup:
    lesson = lesson_of(number)
    parts = [
        element("h1", f"{number}. {lesson.title}"),
        element("p", f"{lesson.minutes} minutes. Predict before you look.", class_="note"),
    ]
    for step in range(1, len(lesson.steps) + 1):
        told = document(number, step, wish)
        parts += [element("h2", f"{step}. {told['title']}"), element("p", told["ask"])]
        if told["options"]:
            parts.append(element("ol", [element("li", name) for name in told["options"]]))
        if key:
            parts += [element("p", element("strong", told["reveal"])), element("p", told["cause"])]
            parts.append(element("p", element("code", line_of(number, step, wish))))
        else:
            parts.append(element("div", ROOM[told["kind"]], class_="room"))
    return element("section", parts)
