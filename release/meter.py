"""Meter: release noise for one method, every table charged in exact arithmetic before its draw.

The meter is the source of randomness that a method draws from when it is released. It knows the
budget, turns the plan's scales into fractions that provably fit, refuses what does not, and asks a
drawer for whole numbers. What it lets through is the record of the release.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.gaussian_noise import MOST_CHANGED
from core.methods.randomness import STEPS, Candidates, Histograms
from core.methods.selection import Selection
from core.privacy import Neighbours
from core.table import Array
from release.published import GAUSSIAN, LAPLACE, Measurement
from release.rationals import (
    MOST_SIDES,
    amplified,
    choosing_epsilon,
    decimal,
    floored,
    gaussian_deviation,
    laplace_scale,
    proved_budget,
    within,
)

Whole = NDArray[np.int64]
EXPONENTIAL = Selection.EXPONENTIAL.value


class Drawer(Protocol):
    """Draws whole numbers from fresh entropy, exactly."""

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """``cells[t]`` numbers of ``scales[t]`` for each t, one after the other."""

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        """How many of each count a Poisson sample of that rate keeps."""

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """The place of one candidate; ``gaps`` say how far each is behind the best."""


@dataclass(eq=False)
class Kept:
    """What a release has drawn: whole noisy tables, in order, and the place of each choice.

    ``records`` is their number where a method took it as public.
    """

    tables: list[Whole] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    records: int | None = None


class Meter:
    """Noise of one release (a ``core.methods.randomness.Fresh``), with what is left to spend.

    ``epsilon`` is the pure budget; with a ``delta`` the budget is the rho that both allow, and all
    noise is Gaussian.
    """

    def __init__(
        self, epsilon: Fraction, delta: Fraction, neighbours: Neighbours, drawer: Drawer
    ) -> None:
        self._gaussian = proved_budget(epsilon, delta) if delta else None
        self.rho = self._gaussian.rho if self._gaussian else None
        self.total = epsilon if self.rho is None else self.rho
        self.left = self.total
        self.measurements: list[Measurement] = []
        self.kept = Kept()
        self._sensitivity = neighbours.l1_sensitivity
        self._changed = 0
        self._drawer = drawer

    @property
    def cost(self) -> Fraction:
        """What all measurements so far cost together."""
        return self.total - self.left

    def spawn(self, streams: int, /) -> list[Self]:
        """Itself: fresh draws are independent."""
        return [self] * streams

    def laplace(self, histograms: Histograms, scales: Array, rate: float) -> Array:
        """Discrete Laplace noise; a table of scale b costs sensitivity / b.

        Tables of a Poisson sample cost together ln(1 + γ (e^x - 1)), x being their sum.
        """
        if self.rho is not None:
            raise EquipoiseError("a method with a δ draws Gaussian noise only; correct the method")
        share = decimal(rate)
        parts = [self._sensitivity / Fraction(scale) for scale in scales.tolist()]
        whole = sum(map(floored, parts), Fraction(0))  # a sample's sum may be larger than ε
        parts = list(within(parts, self.left if share == 1 else whole))
        cost = amplified(sum(parts, Fraction(0)), share)
        if cost > self.left:
            raise EquipoiseError(
                f"the sample's tables cost {float(cost):.15g} and {float(self.left):.15g} is left; "
                "the plan does not fit its budget"
            )
        exact = [laplace_scale(self._sensitivity, part) for part in parts]
        return self._draw(LAPLACE, histograms, (parts, exact, share), cost)

    def gaussian(self, histograms: Histograms, deviations: Array) -> Array:
        """Discrete Gaussian noise for parts of rho: see :mod:`core.gaussian_noise`.

        The square of a table's L2 sensitivity is its L1 sensitivity: cells change by one.
        """
        if self._gaussian is None:
            raise EquipoiseError("Gaussian noise needs a δ; correct the method's guarantee")
        rounding = self._gaussian.rounding
        self._changed += len(deviations) * self._sensitivity
        if rounding and self._changed > MOST_CHANGED:
            raise EquipoiseError(
                f"one record changes {self._changed:,} cells of the tables; at most "
                f"{MOST_CHANGED:,} are proved with Gaussian noise: measure fewer tables"
            )
        counted = [Fraction(d) ** 2 - rounding for d in deviations.tolist()]
        if min(counted) <= 0:
            raise EquipoiseError("Gaussian noise is below what is proved; correct the method")
        parts = list(within([self._sensitivity / (2 * own) for own in counted], self.left))
        exact = [gaussian_deviation(self._sensitivity, part, rounding) for part in parts]
        cost = sum(parts, Fraction(0))
        return self._draw(GAUSSIAN, histograms, (parts, exact, Fraction(1)), cost)

    def test(self, sensitivity: int, budget: Fraction) -> tuple[Fraction, int]:
        """One number of discrete Laplace noise for a whole statistic, paid before it is drawn."""
        if self.rho is not None or budget > self.left:
            raise EquipoiseError(
                f"a test costs {float(budget):.15g} and {float(self.left):.15g} is left; correct "
                "the acceptance"
            )
        self.left -= budget
        scale = laplace_scale(sensitivity, budget)
        return scale, int(self._drawer.noise(LAPLACE, [scale], [1])[0])

    def choice(self, candidates: Candidates, epsilon: float) -> int:
        """The exact exponential mechanism or permute-and-flip, paid before it is drawn.

        ε'-private for scores that one record moves by ``STEPS`` at most: chances go by
        exp(-ε' gap / 2 STEPS), a rational exponent. Source: McKenna and Sheldon 2020. What the
        exponential mechanism costs of rho: :mod:`core.gaussian_noise`; its range is bounded by ε',
        permute-and-flip's is not, which is refused.
        """
        if self.rho is not None and candidates.law != EXPONENTIAL:
            raise EquipoiseError(
                f"a method with a δ chooses by {candidates.law}; only the exponential mechanism is "
                "known to have a bounded range, so correct the method"
            )
        place = self._chosen(candidates, epsilon)
        self.kept.places.append(place)
        return place

    def _chosen(self, candidates: Candidates, epsilon: float) -> int:
        gaps = candidates.steps.max() - candidates.steps
        if not epsilon:
            return self._drawer.chosen(candidates.law, gaps, Fraction(0))
        asked = Fraction(epsilon)
        rate = self._gaussian and self._gaussian.choice
        (budget,) = within([asked**2 * rate if rate else asked], self.left)
        own = choosing_epsilon(budget, rate) if rate else budget
        self.left -= budget
        place = self._drawer.chosen(candidates.law, gaps, own / (2 * STEPS))
        scale = 2 * candidates.sensitivity / own
        names, number = candidates.tables[place], len(gaps)
        self.measurements.append(Measurement(names, number, candidates.law, budget, scale))
        return place

    def keep(self, histograms: Histograms, noisy: Array) -> None:
        """The noisy tables, in the order of their measurements; a public number before any."""
        if not self.measurements:
            self.kept.records = int(noisy[0])
            return
        self.kept.tables += [
            noisy[histograms.owner == place].astype(np.int64)
            for place in range(len(histograms.tables))
        ]

    def thinned(self, counts: Array, rate: float) -> Array:
        """A Poisson sample of each count; costs nothing until it is measured."""
        share = decimal(rate)
        if share.denominator > MOST_SIDES:
            raise EquipoiseError(
                f"the sampling rate γ = {rate!r} has more digits than coins can have; give at "
                "most 18 decimals"
            )
        whole = counts.astype(np.int64)
        kept = whole if share == 1 else self._drawer.thinned(whole, share)
        return kept.astype(np.float64)

    def _draw(
        self,
        kind: str,
        histograms: Histograms,
        plan: tuple[Sequence[Fraction], Sequence[Fraction], Fraction],
        cost: Fraction,
    ) -> Array:
        budgets, scales, rate = plan
        sizes = np.bincount(histograms.owner, minlength=len(histograms.tables)).tolist()
        self.left -= cost
        self.measurements += [
            Measurement(names, size, kind, budget, scale, rate)
            for names, size, budget, scale in zip(
                histograms.tables, sizes, budgets, scales, strict=True
            )
        ]
        drawn = self._drawer.noise(kind, scales, sizes)
        noise = np.empty(len(histograms.owner))
        noise[np.argsort(histograms.owner, kind="stable")] = drawn
        return noise
