"""A method that draws in turn, run on two data sets with the same noisy tables and choices."""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from core.counts import CountSource
from core.methods.method import Release
from core.methods.randomness import Candidates, Histograms, whole_gaussian, whole_laplace
from core.methods.registry import method_named
from core.scenario import Scenario
from core.table import Array
from release.audit.observed import exact_cells
from release.audit.worst_cases import NeighbourPair


@dataclass(frozen=True, eq=False)
class Requested:
    """One draw that a method asked for: noise of tables, or a choice of some ε."""

    histograms: Histograms | None = None
    scales: Array = field(default_factory=lambda: np.zeros(0))
    gaussian: bool = False
    exact: Array = field(default_factory=lambda: np.zeros(0))
    """Counts of the tables. Private, were they not made up."""
    candidates: Candidates | None = None
    epsilon: float = 0.0

    def told(self) -> tuple[object, ...]:
        """All but what may follow from the records."""
        own = None if self.candidates is None else (self.candidates.tables, self.candidates.law)
        tables = None if self.histograms is None else self.histograms.tables
        return tables, self.scales.tolist(), self.gaussian, own, self.epsilon


@dataclass(eq=False)
class Scripted:
    """Randomness (a ``core.methods.randomness.Fresh``) by which both sides see the same course."""

    pair: NeighbourPair
    counts: CountSource
    rng: np.random.Generator
    script: list[Array | int]
    asked: list[Requested] = field(default_factory=list)

    def spawn(self, streams: int, /) -> list[Self]:
        """Itself."""
        return [self] * streams

    def laplace(self, histograms: Histograms, scales: Array, rate: float) -> Array:
        """What makes the tables those of the script, or discrete Laplace noise that begins it."""
        return self._noise(histograms, scales, gaussian=False)

    def gaussian(self, histograms: Histograms, deviations: Array) -> Array:
        """The same with Gaussian noise."""
        return self._noise(histograms, deviations, gaussian=True)

    def thinned(self, counts: Array, rate: float) -> Array:
        """Never asked for."""
        raise NotImplementedError

    def choice(self, candidates: Candidates, epsilon: float) -> int:
        """The script's choice, or any of them."""
        place = len(self.asked)
        self.asked.append(Requested(candidates=candidates, epsilon=epsilon))
        if place == len(self.script):
            self.script.append(int(self.rng.integers(len(candidates.tables))))
        drawn = self.script[place]
        assert isinstance(drawn, int)
        return min(drawn, len(candidates.tables) - 1)

    def keep(self, histograms: Histograms, noisy: Array) -> None:
        """Nothing."""

    def _noise(self, histograms: Histograms, scales: Array, *, gaussian: bool) -> Array:
        place, exact = len(self.asked), exact_cells(self.pair.network, self.counts, histograms)
        self.asked.append(Requested(histograms, scales, gaussian, exact))
        if place == len(self.script):
            law = whole_gaussian if gaussian else whole_laplace
            self.script.append(exact + law(histograms, scales, replicates=1, rng=self.rng)[0])
        drawn = self.script[place]
        assert isinstance(drawn, np.ndarray)
        return drawn - exact if drawn.shape == exact.shape else np.zeros_like(exact)


def compared(
    method: str, scenario: Scenario, pair: NeighbourPair, seed: int
) -> tuple[list[Requested], list[Requested], bool]:
    """What each side asks for on one course, and whether all else is alike."""
    script: list[Array | int] = []
    once = replace(scenario, replicates=1)
    asked: list[list[Requested]] = []
    releases: list[Release] = []
    for counts in (pair.left, pair.right):
        rng = Scripted(pair, counts, np.random.default_rng(seed), script)
        releases.append(method_named(method).run(pair.network, counts, once, rng=rng))
        asked.append(rng.asked)
    left, right = releases
    alike = (
        [one.told() for one in asked[0]] == [one.told() for one in asked[1]]
        and left.model.network == right.model.network
        and left.records == right.records
        and bool((left.model.values == right.model.values).all())
    )
    return asked[0], asked[1], alike
