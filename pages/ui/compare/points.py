"""What Compare measures in the background: every method at every ε, network by network."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.network import Network
from core.parallel import cores
from core.study.frontier import Frontier, frontier
from core.study.frontier_points import COARSE_FIRST, FrontierPoint, Price, frontier_points
from core.study.metrics import METRICS, Truth
from core.study.quantities import QUANTITIES
from pages.ui.kit import compute, jobs
from pages.ui.kit.inputs import Choice
from sources.study import Once

JOB = "frontier"
Kept = dict[tuple[str, float], FrontierPoint]


@dataclass(frozen=True)
class FrontierChoice:
    """What is set on the page: methods, metric, and what is given away."""

    methods: tuple[str, ...]
    metric: str
    price: Price
    alpha: float


def answerable(network: Network) -> tuple[str, ...]:
    """Metrics that this network can be asked."""
    silent = compute.unanswerable(network)
    return tuple(m for m in METRICS if not (silent and QUANTITIES[m].needs_answers))


@dataclass(frozen=True, eq=False)
class Compared:
    """One network's points, as far as they are measured; shared by all reruns."""

    choice: Choice
    truth: Truth
    kept: Kept

    def frontier(self, wanted: FrontierChoice) -> Frontier:
        """The curves so far; the job goes on adding."""
        return frontier(
            list(self.kept.values()),
            self.choice.scenario,
            methods=wanted.methods,
            metric=wanted.metric,
            price=wanted.price,
            alpha=wanted.alpha,
        )

    def missing(self, methods: tuple[str, ...]) -> list[tuple[str, float]]:
        """Points not measured yet, in the order they are best measured in."""
        return [(m, e) for e in COARSE_FIRST for m in methods if (m, e) not in self.kept]

    def steps(self, asked: list[tuple[str, float]], metrics: Sequence[str]) -> Iterator[None]:
        """Measure points one by one into what is kept; runs in a thread of its own."""
        study = self.choice.study
        points = frontier_points(
            self.truth,
            Once(study.counts.source),  # its own: two threads must not share one
            self.choice.scenario,
            asked=asked,
            metrics=metrics,
            spent=study.spent,
            workers=cores(),
        )
        for point in points:
            self.kept[point.method, point.epsilon] = point
            yield


def compared(choice: Choice) -> Compared:
    """What is measured for one network; kept when methods come and go."""
    whole = replace(choice.scenario, epsilon=1.0)
    kept: Kept = compute.remembered(
        ("frontier", choice.study.fingerprint, choice.network, whole), dict
    )
    truth = compute.truth_of(choice.study, choice.network, choice.scenario.options)
    return Compared(choice, truth, kept)


Several = Mapping[str, Compared]


def measuring(several: Several, methods: tuple[str, ...]) -> jobs.Job | None:
    """The job for what is missing: started at once, unless it was stopped by hand."""
    return jobs.unasked(JOB, _key(several, methods), lambda: start(several, methods))


def _key(several: Several, methods: tuple[str, ...]) -> tuple[object, ...]:
    return tuple((name, id(one.kept)) for name, one in several.items()), methods


def start(several: Several, methods: tuple[str, ...]) -> jobs.Job | None:
    """A job for the points still missing, or none when there are none."""
    asked = [(one, points) for one in several.values() if (points := one.missing(methods))]
    if not asked:
        return None
    for one, points in asked:
        study = one.choice.study
        compute.looked(study, one.choice.network, "compare", repr(one.choice.scenario), *points)

    def work() -> Iterator[None]:
        for (one, points), metrics in zip(asked, every, strict=True):
            yield from one.steps(points, metrics)

    every = [answerable(one.choice.network) for one, _ in asked]  # at once: releases cost most
    total = sum(len(points) for _, points in asked)
    return jobs.start(JOB, _key(several, methods), total, work, patience=jobs.UNASKED)
