"""The eight lessons: their words from ``lessons.toml`` beside this file, and who computes what."""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from importlib import resources
from typing import Any

from core.lessons import attackers, budgets
from core.lessons.lesson import Answer, Classroom, Lesson, LessonStep
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.quantities import QUANTITIES
from release.lessons import caught, fooled, twice

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
