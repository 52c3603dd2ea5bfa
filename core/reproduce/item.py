"""An item: one figure, table, theorem or claim of a paper, and how it is measured here."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.reproduce.laboratory import Laboratory
from core.study.experiments import Interval


class Verdict(enum.StrEnum):
    """What a rule says; computed from numbers, never written down."""

    REPRODUCES = "reproduces"
    PARTLY = "partly"
    FAILS = "does not reproduce"
    HOLDS = "holds"
    VIOLATED = "violated"
    UNTESTED = "not testable here"


class Judged(NamedTuple):
    """A verdict and the numbers behind it, in words; ``parts`` are what it was put together from.

    Each part is a reading or a claim, its verdict and its own reason.
    """

    verdict: Verdict
    why: str
    parts: tuple[tuple[str, Verdict, str], ...] = ()


class PrintedValue(NamedTuple):
    """What the paper prints, and what for."""

    what: str
    value: float | str


class OwnNumber(NamedTuple):
    """One number of ours under one reading of the paper, with its 95 % interval."""

    reading: str
    what: str
    value: float
    low: float
    high: float
    replicates: int = 1


@dataclass(frozen=True)
class Finding:
    """What came out: numbers, the verdict on them, and what a reader should know besides."""

    ours: tuple[OwnNumber, ...]
    judged: Judged
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inquiry:
    """How an item is run: what it may use, the paper's repetitions or fewer, and a seed."""

    laboratory: Laboratory
    full: bool = False
    seed: int = 0

    def size(self, quick: int, full: int) -> int:
        """A number of repetitions: for a glance, or as in the paper."""
        return full if self.full else quick


Steps = Generator[int, None, Finding]
"""Work in steps, between which it may be stopped; each yields how many there are in all."""

Runner = Callable[[Inquiry], Steps]


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that a paper says. ``rule`` is in words what ``run`` computes its verdict by.

    Without ``run`` it cannot be tested here, for the reason that ``blocked`` gives. ``timed`` items
    print seconds, which differ from run to run. ``data`` names a table that has to be supplied.
    """

    key: str
    title: str
    source: str
    claim: str
    setting: str
    rule: str
    run: Runner | None = None
    published: tuple[PrintedValue, ...] = ()
    blocked: str = ""
    timed: bool = False
    data: str = ""

    def __post_init__(self) -> None:
        if (self.run is None) != bool(self.blocked):
            raise ValueError(f"{self.key} must either run or say why it does not")


def at_once(run: Callable[[Inquiry], Finding]) -> Runner:
    """Work of one step."""

    @functools.wraps(run)
    def steps(inquiry: Inquiry) -> Steps:
        finding = run(inquiry)
        yield 1
        return finding

    return steps


def finished(steps: Steps, progress: Callable[[int, int], None] | None = None) -> Finding:
    """The finding after all steps."""
    done = 0
    while True:
        try:
            total = next(steps)
        except StopIteration as end:
            finding: Finding = end.value
            return finding
        done += 1
        if progress is not None:
            progress(done, total)


def value(reading: str, what: str, number: float, replicates: int = 1) -> OwnNumber:
    """A number without an interval: computed, not sampled."""
    return OwnNumber(reading, what, number, number, number, replicates)


def mean(reading: str, what: str, over: Interval, replicates: int) -> OwnNumber:
    """A mean over replicates with its interval."""
    return OwnNumber(reading, what, over.mean, over.low, over.high, replicates)


def printed(pairs: Sequence[tuple[str, float | str]]) -> tuple[PrintedValue, ...]:
    """What the paper prints, from pairs."""
    return tuple(PrintedValue(*pair) for pair in pairs)
