"""What Utility measures in the background: every method at every budget, kept as it comes.

Study only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.errors import EquipoiseError
from core.network import Network
from core.parallel import cores
from core.study import error_curves
from core.study.error_curves import ErrorCurve, error_curve, measured_of
from core.study.experiments import Match, sweeping
from core.study.metrics import Truth
from core.study.quantities import (
    ANSWERS,
    EXPLANATIONS,
    QUANTITIES,
    ROW_ALIKE,
    ROW_WEIGHTED,
    SINGLE_VARIABLES,
    Quantity,
)
from core.table import Array, cells
from pages.ui.kit import compute, jobs
from pages.ui.kit.inputs import Choice
from sources.study import Once

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Budgets at which every method is measured: those of Chowdhury et al., 1 to 3, among them."""

ORDER = (1.0, 3.0, 0.2, 10.0, 0.05, 0.5, 2.0, 5.0, 0.1, 1.5, 2.5)
"""The order they are measured in: a coarse curve first, then the points between."""

ROWS = 48
"""Most combinations of target states that are shown."""

Measured = dict[tuple[str, float], dict[str, Array]]
"""(method, ε) -> metric -> a value for each replicate."""


def todo(measured: Measured, methods: Sequence[str]) -> list[tuple[str, float]]:
    """Points not measured yet, in the order they are best measured in."""
    return [(m, e) for e in ORDER for m in methods if (m, e) not in measured]


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


CHARTS: tuple[dict[str, Quantity], ...] = tuple(
    {name: QUANTITIES[key] for name, key in chart.items()}
    for chart in (
        {"rows alike": "l1_row", "weighted": "l1_weighted", "KL, rows alike": "kl_row",
         "KL, weighted": "kl_weighted"},
        {SINGLE_VARIABLES.short: "marginal_l1"},
        {"all": "query_l1", "without evidence": "marginal_query_l1",
         "with evidence": "conditional_query_l1", "KL without": "marginal_query_kl",
         "KL with": "conditional_query_kl"},
        {"of all variables": "map_accuracy", "of a question's": "marginal_map_accuracy"},
    )
)  # fmt: skip
"""Charts, each with the quantities between which a reader chooses."""

MEASURED = tuple(quantity for chart in CHARTS for quantity in chart.values())
MATCHED = (ROW_ALIKE, ROW_WEIGHTED, SINGLE_VARIABLES, ANSWERS, EXPLANATIONS)
"""What is set against a reference, and may be asked for backwards."""

JOB = "sweep"
SHOWN = 100
"""Most releases behind a picture that is drawn while the reader waits."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is measured for the sidebar's choice, whatever its ε; shared by all reruns."""

    choice: Choice
    truth: Truth
    methods: tuple[str, ...]
    measured: Measured

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Those that this network can be asked."""
        silent = compute.unanswerable(self.choice.network)
        return tuple(q for q in MEASURED if not (silent and q.needs_answers))

    @property
    def matched(self) -> tuple[Quantity, ...]:
        """Those of them that are set against a reference."""
        return tuple(q for q in self.quantities if q in MATCHED)

    @property
    def charts(self) -> list[dict[str, Quantity]]:
        """The charts with what this network can be asked."""
        known = [{name: q for name, q in chart.items() if q in self.quantities} for chart in CHARTS]
        return [chart for chart in known if chart]

    @property
    def headline(self) -> Quantity:
        """The one that the finding is about."""
        return ANSWERS if ANSWERS in self.quantities else ROW_ALIKE

    def curves(self, quantity: Quantity) -> list[ErrorCurve]:
        """What is measured of it so far, by method; the job goes on adding."""
        points = dict(self.measured)
        return [error_curve(points, method, quantity.key) for method in self.methods]

    @property
    def key(self) -> tuple[object, ...]:
        """What a job works for: everything but ε."""
        whole = replace(self.choice.scenario, epsilon=1.0)
        return (self.choice.study.fingerprint, self.choice.network, whole, self.methods)


def lighter(choice: Choice) -> Choice:
    """The choice with at most ``SHOWN`` releases: enough for bands that are drawn at once."""
    scenario = replace(choice.scenario, replicates=min(choice.scenario.replicates, SHOWN))
    return replace(choice, scenario=scenario)


def sweep(choice: Choice, methods: tuple[str, ...]) -> Sweep:
    """What is measured so far; points measured before are kept when methods come and go."""
    whole = replace(choice.scenario, epsilon=1.0)
    key = ("utility", choice.study.fingerprint, choice.network, whole)
    measured: Measured = compute.remembered(key, dict)
    truth = compute.truth_of(choice.study, choice.network, choice.scenario.options)
    return Sweep(choice, truth, methods, measured)


def at_rest(asked: Sweep, choice: Choice) -> Sweep:
    """The sweep with the ε now on show; another knob that moves is measured once it rests."""
    moved = sweep(choice, asked.methods)
    return moved if moved.key == asked.key else asked


def measuring(asked: Sweep) -> jobs.Job | None:
    """The job for what is missing: started at once, unless it was stopped by hand."""
    return jobs.unasked(JOB, asked.key, lambda: start(asked))


def start(asked: Sweep) -> jobs.Job | None:
    """A job for the points still missing, or none when there are none."""
    points, choice = todo(asked.measured, asked.methods), asked.choice
    if not points:
        return None
    metrics = [quantity.key for quantity in asked.quantities]
    compute.looked(choice.study, choice.network, "utility", asked.key)

    def work() -> Iterator[None]:
        counts = Once(choice.study.counts.source)  # its own: two threads must not share one
        for values in sweeping(
            asked.truth, counts, choice.scenario, wanted=points, metrics=metrics, workers=cores()
        ):
            asked.measured.update(measured_of(values))
            yield

    return jobs.start(JOB, asked.key, len(points), work, patience=jobs.UNASKED)
