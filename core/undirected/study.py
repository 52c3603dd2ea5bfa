"""How far each estimator is from the truth: one question, asked from a page or a shell.

Everything that takes long is a generator that fills a mapping and yields after each step, so that
a job can be stopped between steps and keeps what it has. Study only: errors are measured against
the truth, and DP-SGD is tuned on it.
"""

import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import EquipoiseError
from core.markov.dpsgd import Training
from core.markov.likelihood import divergence
from core.markov.synthetic import TrueField
from core.parallel import ordered
from core.study.bands import bands
from core.study.experiments import Interval, interval
from core.table import Array
from core.undirected.estimators import WITHOUT_NOISE, check_name, estimate, prepared
from core.undirected.sample import Accountant, Sample, Setting, draw

TUNING = (
    "DP-SGD trains in the best way of a grid of steps, sampling rate, clipping norm and learning "
    "rate, judged by its true error on a population drawn for that: as in the paper, and study "
    "only, because on private records the search would cost budget."
)
"""What has to be said beside every number of DP-SGD."""

UNTOUCHED = 1.0
"""The ε under which estimators that none moves are kept."""


@dataclass(frozen=True, eq=False)
class EstimatorOutcome:
    """KL from the truth of each replicate ``(populations · repeats,)``, and seconds for all.

    ``unfinished`` replicates were not solved to tolerance; ``training`` is that of DP-SGD.
    """

    divergence: Array
    seconds: float
    unfinished: int = 0
    training: Training | None = None

    @property
    def interval(self) -> Interval:
        """Mean over replicates with its 95 % interval."""
        return interval(self.divergence)


Point = tuple[str, float, int]
"""(estimator, ε, N)."""

Found = dict[Point, EstimatorOutcome]


def kept_at(name: str, epsilon: float) -> float:
    """The ε under which an estimator's outcome is kept."""
    return UNTOUCHED if name in WITHOUT_NOISE else epsilon


def quantiles(outcomes: Found, name: str, epsilon: float, records: Sequence[int]) -> Array:
    """KL of one estimator over replicates, along numbers of records: ``(7, points)``."""
    at = kept_at(name, epsilon)
    return np.stack([bands(outcomes[name, at, size].divergence) for size in records], axis=1)


def points(
    names: Sequence[str], epsilons: Sequence[float], records: Sequence[int]
) -> tuple[Point, ...]:
    """What has to be measured for every estimator at every ε and N, each once."""
    every = [
        (check_name(name), kept_at(name, epsilon), size)
        for epsilon in epsilons
        for size in records
        for name in names
    ]
    return tuple(dict.fromkeys(every))


def measure(name: str, sample: Sample, accountant: Accountant | None = None) -> EstimatorOutcome:
    """KL of one estimator from the truth, and how long it took; preparation is not timed."""
    ready = prepared(check_name(name), sample, accountant)
    began = time.thread_time()  # whatever else the machine does
    learned = estimate(name, ready, accountant)
    seconds = time.thread_time() - began
    return EstimatorOutcome(
        divergence(sample.truth.field, sample.truth.theta, learned.theta).ravel(),
        seconds,
        int((~learned.converged).sum()),
        ready.setting.training if name == "dp-sgd" else None,
    )


def measuring(
    truth: TrueField,
    setting: Setting,
    wanted: Sequence[Point],
    accountant: Accountant | None = None,
    *,
    workers: int = 1,
) -> Iterator[EstimatorOutcome | EquipoiseError]:
    """KL at each (estimator, ε, N), or why there is none: Fig. 2, and times."""
    return ordered(_outcome, (truth, setting, accountant), list(wanted), workers=workers)


def _outcome(
    shared: tuple[TrueField, Setting, Accountant | None], point: Point
) -> EstimatorOutcome | EquipoiseError:
    truth, setting, accountant = shared
    name, epsilon, records = point
    _begun(truth)
    try:
        sample = draw(truth, replace(setting, epsilon=epsilon, records=records))
        return measure(name, sample, accountant)
    except EquipoiseError as problem:
        return problem


@functools.lru_cache(maxsize=8)
def _begun(truth: TrueField) -> None:
    """What a first run of a process loads is not to be timed."""
    estimate("naive", draw(truth, Setting(records=10, populations=1, repeats=1)))


def curve_steps(
    outcomes: Found,
    truth: TrueField,
    setting: Setting,
    wanted: Sequence[Point],
    *,
    accountant: Accountant | None = None,
    workers: int = 1,
) -> Iterator[None]:
    """The same into ``outcomes``, a step for each; the first that is refused ends it."""
    measured = measuring(truth, setting, wanted, accountant, workers=workers)
    for point, outcome in zip(wanted, measured, strict=True):
        if isinstance(outcome, EquipoiseError):
            raise outcome
        outcomes[point] = outcome
        yield
