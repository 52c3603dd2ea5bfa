"""What Utility asks of the engine: which budgets, in which order, how much is shown. Study only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.errors import EquipoiseError
from core.network import Network
from core.parallel import cores
from core.scenario import Scenario
from core.study import error_curves
from core.study.error_curves import measured_of
from core.study.experiments import Match, sweeping
from core.study.metrics import Truth
from core.table import Array, cells
from sources.study import Once, Study

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Budgets at which every method is measured: those of Chowdhury et al., 1 to 3, among them."""

ORDER = (1.0, 3.0, 0.2, 10.0, 0.05, 0.5, 2.0, 5.0, 0.1, 1.5, 2.5)
"""The order they are measured in: a coarse curve first, then the points between."""

ROWS = 48
"""Most combinations of target states that are shown."""

PLAYED = 60
"""Most single releases that are played."""

Measured = dict[tuple[str, float], dict[str, Array]]
"""(method, ε) -> metric -> a value for each replicate."""

Steps = Iterator[None]


def todo(measured: Measured, methods: Sequence[str]) -> list[tuple[str, float]]:
    """Points not measured yet, in the order they are best measured in."""
    return [(m, e) for e in ORDER for m in methods if (m, e) not in measured]


def steps(
    measured: Measured,
    points: Sequence[tuple[str, float]],
    truth: Truth,
    study: Study,
    scenario: Scenario,
    metrics: Sequence[str],
) -> Steps:
    """Measure the points one by one into ``measured``."""
    counts = Once(study.counts.source)  # its own: two threads must not share one
    batches = sweeping(truth, counts, scenario, wanted=points, metrics=metrics, workers=cores())
    for values in batches:
        measured.update(measured_of(values))
        yield


def matches(measured: Measured, reference: str, epsilon: float) -> dict[tuple[str, str], Match]:
    """(method, metric) -> the ε that gives the reference's mean error at its own ε."""
    listed = error_curves.matches(dict(measured), reference, epsilon)  # the job goes on adding
    return {(m.method, m.metric): m for m in listed}


def check_size(network: Network, targets: Sequence[str]) -> None:
    """Refuse a question with more combinations than can be shown."""
    size = cells([network.variables[network.index(name)] for name in targets])
    if size > ROWS:
        raise EquipoiseError(
            f"the targets have {size:,} combinations of states; at most {ROWS} are shown, so ask "
            "about fewer variables"
        )
