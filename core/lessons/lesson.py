"""A lesson as data: steps that ask for a prediction, and what is computed for the answer."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.network import Network
from core.parameters import Model
from core.scenario import Scenario
from core.study.metrics import Truth

Kind = Literal["number", "band", "choice", "order"]
"""A number on a slider; both ends of a band; one of some options; all options in an order."""

Prediction = tuple[float, ...]
"""A number, two ends, the place of an option, or places in the order predicted."""

NEAR = 0.06
"""Part of the slider within which a number counts as predicted."""

WIDE, NARROW = 1.7, 0.6
"""A band within these times the width of the right one is about as wide."""


@dataclass(frozen=True, eq=False)
class Classroom:
    """What a lesson is about: public records of a sample network, and the knobs.

    ``points`` is a split of the budget by hand, one number for each variable.
    """

    name: str
    network: Network
    rows: Rows
    population: Model
    scenario: Scenario
    points: tuple[float, ...] = ()

    @cached_property
    def truth(self) -> Truth:
        """What errors are measured against."""
        return Truth.of(self.network, self.rows)

    @property
    def records(self) -> int:
        """Number of records."""
        return self.rows.records

    @property
    def facts(self) -> dict[str, float | str]:
        """What the words of every lesson may name."""
        epsilon = self.scenario.epsilon
        return {"network": self.name, "records": self.records, "epsilon": epsilon}


@dataclass(frozen=True)
class Bar:
    """One row of the picture behind a reveal; ``low`` and ``high`` hold 95 % of releases."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Answer:
    """What was computed for one step.

    ``truth`` is the right prediction and ``facts`` are the numbers and names that the words are
    filled with. ``span`` is the slider's ends and step. ``hint`` is shown before
    the reveal, on its own axis if that has a name.
    """

    truth: Prediction
    facts: Mapping[str, float | str]
    bars: tuple[Bar, ...]
    axis: str
    span: tuple[float, float, float] = (0.0, 1.0, 0.01)
    options: tuple[str, ...] = ()
    hint: tuple[Bar, ...] = ()
    hint_axis: str = ""


@dataclass(frozen=True)
class LessonStep:
    """One prediction: the question, what is revealed, its cause in a sentence, and a twist.

    Words name facts in braces. ``wrong`` are the reasons behind wrong predictions: of a number too
    low and too high; of a band too narrow, too wide and elsewhere; else one for all.
    """

    title: str
    kind: Kind
    ask: str
    reveal: str
    cause: str
    twist: str
    wrong: tuple[str, ...]
    work: Callable[[Classroom], Answer]
    unit: str = ""
    points: bool = False
    """Whether the budget is first split by hand."""


@dataclass(frozen=True)
class Lesson:
    """Ten minutes: a scenario and its steps."""

    number: int
    title: str
    minutes: int
    network: str
    steps: tuple[LessonStep, ...]
    scenario: Scenario = field(default_factory=Scenario)
    records: int = 10_000

    def step(self, number: int) -> LessonStep:
        """The step of that number, from one."""
        if not 1 <= number <= len(self.steps):
            raise EquipoiseError(
                f"lesson {self.number} has no step {number}; it has steps 1 to {len(self.steps)}"
            )
        return self.steps[number - 1]


def words(text: str, answer: Answer) -> str:
    """A text with the facts in their places."""
    return text.format_map(dict(answer.facts))


def checked(step: LessonStep, answer: Answer, sent: Prediction) -> Prediction:
    """A prediction that could have been made, or a refusal."""
    count = len(answer.options)
    match step.kind:
        case "number" | "band":
            low, high, _ = answer.span
            ends = all(low <= value <= high for value in sent) and list(sent) == sorted(sent)
            fits = len(sent) == (1 if step.kind == "number" else 2) and ends
        case "choice":
            fits = len(sent) == 1 and sent[0] in range(count)
        case "order":
            fits = sorted(sent) == list(range(count))
    if not fits:
        raise EquipoiseError("this is no prediction for the step on show; predict again")
    return sent


def judged(step: LessonStep, answer: Answer, sent: Prediction) -> str:
    """What is said to a prediction: that it holds, or the reason why it does not."""
    truth = answer.truth
    if step.kind == "number":
        low, high, _ = answer.span
        if abs(sent[0] - truth[0]) <= max(NEAR * (high - low), 0.1 * abs(truth[0])):
            return "Close to what is computed."
        return words(step.wrong[0 if sent[0] < truth[0] else 1], answer)
    if step.kind == "band":
        return _band(step, answer, sent)
    return "Right." if sent == truth else words(step.wrong[0], answer)


def _band(step: LessonStep, answer: Answer, sent: Prediction) -> str:
    (low, high), (begin, end) = sent, answer.truth
    ratio = (high - low) / max(end - begin, 1e-12)
    if min(high, end) - max(low, begin) < 0.3 * min(high - low, end - begin):
        return words(step.wrong[2], answer)
    if NARROW <= ratio <= WIDE:
        return "About as wide as it is."
    return words(step.wrong[0 if ratio < NARROW else 1], answer)


BINS = 10


def tallied(step: LessonStep, answer: Answer, sent: Sequence[Prediction]) -> list[tuple[str, int]]:
    """Predictions in each part of the slider (or bands that reach into it), or of each option.

    Of an order, the option that was put first counts.
    """
    if step.kind in ("choice", "order"):
        first = [int(one[0]) for one in sent]
        return [(name, first.count(i)) for i, name in enumerate(answer.options)]
    low, high, _ = answer.span
    edges = np.linspace(low, high, BINS + 1)
    names = [f"{a:.3g} to {b:.3g}" for a, b in itertools.pairwise(edges)]
    if step.kind == "band":
        ends = np.array(sent, dtype=np.float64).reshape(-1, 2)
        reach = (ends[:, :1] <= edges[1:]) & (ends[:, 1:] >= edges[:-1])
        return list(zip(names, reach.sum(axis=0).tolist(), strict=True))
    counts, _ = np.histogram([one[0] for one in sent], edges)
    return list(zip(names, counts.tolist(), strict=True))
