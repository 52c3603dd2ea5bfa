"""Backwards: from the largest acceptable error to the smallest ε.

Errors are measured against the model of the records, or, if asked, against the population the
records were drawn from. The first go to zero with the noise, so some ε always reaches the goal;
the second do not: the records alone are off by their sampling error, whatever ε is spent.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.queries import answer
from core.methods.registry import method_named
from core.parallel import ordered
from core.parameters import Model
from core.scenario import Scenario
from core.study.experiments import Interval, interval, rehearsals
from core.study.metrics import METRICS, RISING, Truth, check_metrics
from core.table import Array

LIMITS = (0.01, 1000.0)
"""Smallest and largest ε that is looked at."""

REPLICATES = 50
"""Most rehearsals for one ε where the goal is a mean: the same draws serve every ε."""

TAIL_REPLICATES = 100
"""The same of a quantile of 95 %: of fewer none may lie above it."""

STEP = 4.0
HALVINGS = 7
"""A bracket of ratio 4, halved seven times on the log scale, leaves about one percent."""

CONFIDENCE = 0.95
"""Share of the releases in which every answer of a list of queries must be close enough."""


@dataclass(frozen=True)
class Goal:
    """A mean of a metric, or a list of queries whose answers must lie within ± ``limit``.

    With ``queries`` the measured quantity is the largest difference of any answer that 95 % of
    the releases keep. ``population`` asks for errors against the population.
    """

    limit: float
    metric: str = "query_l1"
    queries: tuple[Query, ...] = ()
    population: bool = False

    def __post_init__(self) -> None:
        check_metrics([self.metric])
        if not self.limit > 0:
            raise EquipoiseError(
                f"the largest acceptable error is {self.limit:g}; it must be positive, because no "
                "finite ε gives the exact answer"
            )

    @property
    def rising(self) -> bool:
        """Whether more is better: then the limit is the smallest acceptable value."""
        return not self.queries and self.metric in RISING

    def errors(self, truth: Truth, model: Model) -> Array:
        """The measured quantity for every replicate. Compares with the truth."""
        if not self.queries:
            return METRICS[self.metric](truth, model)
        pairs = zip(answer(model, self.queries), answer(truth.model, self.queries), strict=True)
        worst = [np.abs(a - b).reshape(*model.replicates, -1).max(axis=-1) for a, b in pairs]
        return np.asarray(np.max(worst, axis=0))

    def summary(self, values: Array) -> float:
        """One number for all replicates: the mean, or the 95 % quantile of a list of queries."""
        return float(np.quantile(values, CONFIDENCE) if self.queries else values.mean())

    def interval(self, values: Array) -> Interval:
        """That number with its 95 % interval."""
        return quantile_interval(values, CONFIDENCE) if self.queries else interval(values)

    @property
    def replicates(self) -> int:
        """Most rehearsals for one ε."""
        return TAIL_REPLICATES if self.queries else REPLICATES


def quantile_interval(values: Array, share: float) -> Interval:
    """A quantile with its 95 % interval, between two of the values, whatever their law.

    So many of n values lie below the true quantile as a binomial number says; where n is too small
    for a value that is hardly passed, the least or the largest is taken.
    """
    rising, size = np.sort(values), values.size
    chances = [math.comb(size, k) * share**k * (1 - share) ** (size - k) for k in range(size + 1)]
    below = np.cumsum(chances)  # at most k values below the quantile
    low = int((below <= 0.025).sum())
    high = int((below < 0.975).sum()) + 1
    ends = rising[[max(low - 1, 0), min(high, size) - 1]]
    middle = float(np.quantile(values, share))
    return Interval(middle, min(float(ends[0]), middle), max(float(ends[1]), middle))


@dataclass(frozen=True)
class Solution:
    """The smallest ε of one method and the error it reaches, or why there is none.

    ``low`` and ``high`` are the 95 % interval of ``reached``.
    """

    method: str
    epsilon: float | None
    reached: float | None
    low: float | None
    high: float | None
    reason: str


def resampled(truth: Truth, replicates: int, *, rng: np.random.Generator) -> Model:
    """Models of new samples of the same size from the population, as the exact model sees it.

    Each row is drawn anew with as many records as it has: the rows of a maximum-likelihood model
    are independent given their sizes, up to terms that vanish with the number of records.
    """
    layout = truth.network.layout
    drawn = np.empty((replicates, layout.size))
    for block in layout.blocks:
        sizes = truth.row_counts[block.rows].astype(np.int64)
        rows = layout.rows(truth.model.values, block)
        times = rng.multinomial(sizes, rows, size=(replicates, len(sizes)))
        drawn[:, block.cells] = times.reshape(replicates, -1)
    return truth.fitted(drawn)


def sampling_error(truth: Truth, goal: Goal, seed: int) -> float:
    """What the goal's quantity is without any noise, because the records are a sample."""
    model = resampled(truth, goal.replicates, rng=np.random.default_rng([seed, 0x5A]))
    return goal.summary(goal.errors(truth, model))


def solving(
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    goal: Goal,
    *,
    methods: Sequence[str],
    workers: int = 1,
) -> Iterator[Solution]:
    """The smallest ε of each method that reaches the goal, in the order of the methods.

    Compares with the truth: study only. Independent errors of noise and sampling add in squares.
    """
    for method in methods:
        method_named(method)
    goal, refusal = _against_records(truth, goal, scenario.seed)
    if refusal is not None:
        yield from (replace(refusal, method=method) for method in methods)
        return
    shared = (truth, counts, scenario, goal)
    yield from ordered(_solved, shared, list(methods), workers=workers, source=counts)


def _solved(shared: tuple[Truth, CountSource, Scenario, Goal], method: str) -> Solution:
    return replace(_search(_Curve(method, *shared)), method=method)


def solve(
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    goal: Goal,
    *,
    progress: Callable[[int, int], None] | None = None,
    methods: Sequence[str],
    workers: int = 1,
) -> tuple[Solution, ...]:
    """All of :func:`solving`."""
    solutions = []
    for solution in solving(truth, counts, scenario, goal, methods=methods, workers=workers):
        solutions.append(solution)
        if progress is not None:
            progress(len(solutions), len(methods))
    return tuple(solutions)


def _against_records(truth: Truth, goal: Goal, seed: int) -> tuple[Goal, Solution | None]:
    """The same goal against the records, or why no ε reaches it."""
    if not goal.population:
        return goal, None
    if goal.rising:
        raise EquipoiseError(
            f"{goal.metric} counts explanations that equal those of the records; ask for it "
            "against the records"
        )
    alone = sampling_error(truth, goal, seed)
    if alone >= goal.limit:
        needed = math.ceil(truth.records * (alone / goal.limit) ** 2)
        return goal, Solution(
            "",
            None,
            alone,
            None,
            None,
            f"impossible: {truth.records:,} records alone are off by {alone:.3g} from the "
            f"population, more than {goal.limit:.3g}; about {needed:,} records could reach it",
        )
    return replace(goal, limit=math.sqrt(goal.limit**2 - alone**2)), None


class _Curve:
    """A method's error over ε, each ε measured once."""

    def __init__(
        self, method: str, truth: Truth, counts: CountSource, scenario: Scenario, goal: Goal
    ) -> None:
        self.method, self.truth, self.counts, self.goal = method, truth, counts, goal
        self.scenario = replace(scenario, replicates=min(scenario.replicates, goal.replicates))
        self.values: dict[float, Array] = {}

    def reaches(self, epsilon: float) -> bool:
        """Whether the goal is met at this ε."""
        if epsilon not in self.values:
            at = replace(self.scenario, epsilon=epsilon)
            releases = rehearsals(self.method, self.truth.network, self.counts, at)
            parts = [self.goal.errors(self.truth, r.model) for r in releases]
            self.values[epsilon] = np.concatenate(parts)
        reached = self.goal.summary(self.values[epsilon])
        return reached >= self.goal.limit if self.goal.rising else reached <= self.goal.limit

    def smallest(self) -> float:
        """Smallest measured ε from which on every measured ε meets the goal."""
        least = math.inf
        for epsilon in sorted(self.values, reverse=True):
            if not self.reaches(epsilon):
                break
            least = epsilon
        return least

    def solution(self, epsilon: float | None, at: float, reason: str) -> Solution:
        """What was measured at one ε."""
        span = self.goal.interval(self.values[at])
        return Solution("", epsilon, span.mean, span.low, span.high, reason)


def _search(curve: _Curve) -> Solution:
    """Bracket by steps of four, then halve on the log scale."""
    low = high = 1.0
    if curve.reaches(1.0):
        while low > LIMITS[0] and curve.reaches(low):
            high, low = low, max(low / STEP, LIMITS[0])
        if curve.reaches(low):
            return curve.solution(low, low, f"reached even at ε = {low:g}, the smallest tried")
    else:
        while high < LIMITS[1] and not curve.reaches(high):
            low, high = high, min(high * STEP, LIMITS[1])
        if not curve.reaches(high):
            return curve.solution(None, high, _unreached(curve, high))
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if curve.reaches(middle) else (middle, high)
    smallest = curve.smallest()
    return curve.solution(smallest, smallest, "")


def _unreached(curve: _Curve, epsilon: float) -> str:
    reached = curve.goal.summary(curve.values[epsilon])
    return (
        f"not reached: at ε = {epsilon:g}, where hardly any noise is left, it is {reached:.3g}; "
        "what remains is a prior, or the sample of Stage I"
    )
