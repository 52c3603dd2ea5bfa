"""An item: one figure, table, theorem or claim of a paper, and how it is measured here."""

from __future__ import annotations

import enum
from collections.abc import Callable, Generator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from types import ModuleType
from typing import NamedTuple, Protocol

from core.counts import Rows
from core.parameters import Model
from core.study.experiments import Interval, interval
from core.table import Array
from core.undirected.sample import Accountant


class Laboratory(Protocol):
    """Made by :mod:`release.reproduced`."""

    @property
    def accountant(self) -> Accountant:
        """The noise multiplier for (ε, δ)."""

    def model(self, name: str) -> Model:
        """A sample network with its parameters."""

    def rows(self, name: str) -> Rows | None:
        """A table that the user has supplied, or none."""

    def proven(self, method: str, epsilon: float, trials: int, seed: int) -> float:
        """The ε that an audit proves a method to have at least."""

    def misclassified(self, training: Rows, testing: Rows, target: str) -> float:
        """Share of test records that a linear support vector machine gets wrong."""


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


class Numbers(list[OwnNumber]):
    """Our numbers, noted down as they are measured."""

    def value(self, reading: str, what: str, number: float, replicates: int = 1) -> None:
        """A number without an interval: computed, not sampled."""
        self.append(OwnNumber(reading, what, number, number, number, replicates))

    def over(self, reading: str, what: str, mean: Interval, replicates: int) -> None:
        """A mean over replicates with its interval."""
        self.append(OwnNumber(reading, what, mean.mean, mean.low, mean.high, replicates))

    def mean(self, reading: str, what: str, values: Array) -> None:
        """The mean of one number for each replicate."""
        self.over(reading, what, interval(values), len(values))

    def finding(self, judged: Judged, *notes: str) -> Finding:
        """All of them, with the verdict."""
        return Finding(tuple(self), judged, notes)


@dataclass(frozen=True)
class Inquiry:
    """How an item is run: what it may use, the paper's repetitions or fewer, and a seed.

    A quick run keeps the paper's setting and takes as many repetitions as stay within 20 s of
    processor time; where even one does not, the item says what it leaves out.
    """

    laboratory: Laboratory
    full: bool = False
    seed: int = 0

    def size(self, quick: int, full: int) -> int:
        """A number of repetitions: for a glance, or as in the paper."""
        return full if self.full else quick


Steps = Generator[int, None, Finding]
"""Work in steps, between which it may be stopped; each yields how many there are in all."""

Work = Callable[[Inquiry], Steps] | Callable[[Inquiry], Finding]


@dataclass(frozen=True)
class Item:
    """One thing that a paper says: a decorator of the work that measures it.

    ``rule`` is in words what the work computes its verdict by. Without work it cannot be tested
    here, for the reason that ``blocked`` gives. ``timed`` items print seconds, which differ from
    run to run. ``data`` names a table that has to be supplied. Items of one ``group`` share
    measurements, so one process runs them.
    """

    key: str
    title: str
    source: str
    _: KW_ONLY
    claim: str
    setting: str
    rule: str
    published: Mapping[str, float | str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    group: str = ""
    blocked: str = ""
    timed: bool = False
    data: str = ""
    work: Work | None = None

    def __call__(self, work: Work) -> Item:
        """The item with what measures it."""
        return replace(self, work=work)

    def steps(self, inquiry: Inquiry) -> Steps:
        """Work through it; an item that cannot be tested says why."""
        done = untested(self.blocked) if self.work is None else self.work(inquiry)
        if not isinstance(done, Finding):
            return (yield from done)
        yield 1
        return done


def untested(reason: str) -> Finding:
    """What is said of an item that cannot be run here."""
    return Finding((), Judged(Verdict.UNTESTED, reason))


def items_in(*modules: ModuleType) -> tuple[Item, ...]:
    """The items that modules hold, by number and letter."""
    held = [own for module in modules for own in vars(module).values()]
    held += [one for own in held if isinstance(own, dict) for one in own.values()]
    every = [own for own in held if isinstance(own, Item)]
    for one in every:
        if (one.work is None) != bool(one.blocked):
            raise ValueError(f"{one.key} must either run or say why it does not")
    return tuple(sorted(every, key=lambda i: (int(i.key[1:].rstrip("abc")), i.key)))
