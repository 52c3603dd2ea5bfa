"""Tables measured and candidates chosen for one synthesis, pure or with a δ.

Neighbours as given. A table is one histogram: L1 sensitivity 1 (one record added or removed) or 2
(one replaced), squared L2 sensitivity the same. Pure: discrete Laplace noise, permute-and-flip.
With a δ: discrete Gaussian noise and the exponential mechanism, both of rho: see
:mod:`core.gaussian_noise`. Parts add up by sequential composition, of ε or of rho. Public: columns
and their states; the number of records where one is replaced.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.errors import EquipoiseError
from core.gaussian_noise import GaussianBudget, gaussian_budget
from core.methods.randomness import (
    STEPS,
    Candidates,
    Histograms,
    Randomness,
    noted,
    whole_gaussian,
    whole_laplace,
)
from core.methods.selection import Selection, chance, choices
from core.privacy import Neighbours, check_epsilon
from core.table import Array, Variable

TRIFLE = 1e-9
"""Part of the budget that is never spent."""

Columns = tuple[int, ...]
"""Columns of a table, by position, ascending."""


@dataclass(frozen=True)
class Purse:
    """ε, δ (zero: pure) and neighbours; amounts are of ε, or of rho where there is a δ."""

    epsilon: float
    delta: float
    neighbours: Neighbours

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)

    @property
    def gaussian(self) -> bool:
        """Whether noise is Gaussian."""
        return self.delta > 0

    @property
    def total(self) -> float:
        """All there is to spend."""
        return self.budget.rho if self.gaussian else self.epsilon

    @property
    def budget(self) -> GaussianBudget:
        """What ε and δ allow Gaussian noise."""
        return gaussian_budget(self.epsilon, self.delta)

    def scale(self, amount: float) -> float:
        """Laplace scale or Gaussian deviation of a table's cell for so much."""
        if math.isinf(amount):
            return 0.0
        if self.gaussian:
            return self.budget.deviation(self.neighbours.l1_sensitivity, amount)
        return self.neighbours.l1_sensitivity / amount

    def deviation(self, amount: float) -> float:
        """Standard deviation of a cell for so much."""
        return self.scale(amount) * (1.0 if self.gaussian else math.sqrt(2))

    def choosing(self, amount: float) -> float:
        """The ε of a choice for so much."""
        return math.sqrt(amount / self.budget.choice) if self.gaussian else amount

    @property
    def law(self) -> Selection:
        """How a choice is drawn."""
        return Selection.EXPONENTIAL if self.gaussian else Selection.PERMUTE_AND_FLIP


@dataclass(frozen=True, eq=False)
class NoisyTable:
    """A noisy table over some columns, the variance of its cells, and what was expected of it.

    ``prior`` are probabilities of a model made before it was measured; none: independence.
    """

    columns: Columns
    values: Array
    variance: float
    prior: Array | None = None


@dataclass(frozen=True)
class TableStep:
    """One table of a synthesis, how it was chosen among ``candidates``, and its ``cost``.

    Score and probability come from exact counts: for study, not for publication; a release has
    none. The cost is of ε or rho, the choice's and the table's together.
    """

    columns: Columns
    cost: float
    score: float = 0.0
    sensitivity: float = 0.0
    probability: float = 1.0
    candidates: int = 1


@dataclass(eq=False)
class Bench:
    """Where one synthesis measures: the source, the purse, what was spent and in which steps."""

    source: CountSource
    variables: tuple[Variable, ...]
    purse: Purse
    rng: Randomness
    tables: list[NoisyTable] = field(default_factory=list)
    steps: list[TableStep] = field(default_factory=list)
    amounts: list[float] = field(default_factory=list)
    measured: list[Columns] = field(default_factory=list)
    choices: float = 0.0

    def __post_init__(self) -> None:
        """Streams for tables and choices apart: what one draws does not move the other."""
        streams: list[Randomness] = [*self.rng.spawn(2)]
        self._measuring, self._choosing = streams

    @property
    def spent(self) -> float:
        """Everything so far."""
        return math.fsum(self.amounts) + self.choices

    @property
    def left(self) -> float:
        """What is left to spend; a release rounds the other way, so a trifle is not touched."""
        return self.purse.total * (1 - TRIFLE) - self.spent

    def exact(self, sets: Sequence[Columns]) -> list[Array]:
        """Exact counts. Private: for scores and for noise alone."""
        families = [tuple(self.variables[c] for c in columns) for columns in sets]
        return [table.values for table in self.source.counts(families)]

    def measure(
        self,
        sets: Sequence[Columns],
        amounts: Sequence[float],
        priors: Sequence[Array | None] = (),
    ) -> None:
        """Tables for so much, all checked against what is left before anything is counted."""
        self._check(math.fsum(amounts))
        exact = self.exact(sets)
        sizes = [values.size for values in exact]
        names = tuple(tuple(self.variables[c].name for c in columns) for columns in sets)
        histograms = Histograms(names, np.repeat(np.arange(len(sizes)), sizes))
        scales = np.array([self.purse.scale(amount) for amount in amounts])
        draw = whole_gaussian if self.purse.gaussian else whole_laplace
        drawn = draw(histograms, scales, replicates=1, rng=self._measuring)
        drawn += np.concatenate([values.ravel() for values in exact])
        noted(histograms, drawn, rng=self._measuring)
        self.amounts += amounts
        self.measured += sets
        split = np.split(drawn[0], np.cumsum(sizes)[:-1])
        for place, (columns, values, own) in enumerate(zip(sets, exact, split, strict=True)):
            variance, prior = self.purse.deviation(amounts[place]) ** 2, None
            if priors:
                prior = priors[place]
            self.tables.append(NoisyTable(columns, own.reshape(values.shape), variance, prior))

    def choose(
        self, candidates: Sequence[Columns], scores: NDArray[np.int64], amount: float
    ) -> Columns:
        """One candidate by whole scores that one record moves by the L1 sensitivity at most.

        ``amount`` is paid for the choice, and is the step's cost until its table is measured.
        """
        self._check(amount)
        self.choices += amount
        moved = self.purse.neighbours.l1_sensitivity
        names = tuple(tuple(self.variables[c].name for c in columns) for columns in candidates)
        steps = scores * (STEPS // moved)
        law, epsilon = self.purse.law, self.purse.choosing(amount)
        if not isinstance(self._choosing, np.random.Generator):
            place = self._choosing.choice(
                Candidates(names, steps, Fraction(moved), law.value), epsilon
            )
            score = probability = math.nan
        else:
            own = steps.astype(np.float64)
            knobs = {"epsilon": epsilon, "sensitivity": float(STEPS)}
            (place,) = choices(law, own, **knobs, replicates=1, rng=self._choosing).tolist()
            score, probability = float(scores[place]), chance(law, own, place, **knobs)
        self.steps.append(
            TableStep(candidates[place], amount, score, float(moved), probability, len(candidates))
        )
        return candidates[place]

    def _check(self, amount: float) -> None:
        if amount > self.left * (1 + 1e-9) and not math.isinf(self.purse.total):
            raise EquipoiseError(
                f"a step costs {amount:.6g} and {self.left:.6g} is left; correct the method"
            )
