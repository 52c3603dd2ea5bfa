"""Mechanisms with a planted bug: what an audit is for, to be shown in class and held by tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from core.counts import CountSource
from core.methods.method import Method, Release, Run, packed_counts
from core.methods.randomness import Drawn, Randomness, Watched
from core.network import Network
from core.parameters import fit
from core.scenario import Scenario
from core.table import Array
from release.meter import Drawer, Whole


@dataclass(frozen=True)
class Bug:
    """What is wrong, how a method is made to do it, and how whoever draws release noise is."""

    name: str
    title: str
    plant: Callable[[Run], Run]
    drawer: Callable[[Drawer], Drawer] | None = None


@dataclass(frozen=True)
class Passing:
    """A drawer that asks another."""

    drawer: Drawer

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """As it is."""
        return self.drawer.noise(kind, scales, cells)

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        """As it is."""
        return self.drawer.thinned(counts, rate)

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """As it is."""
        return self.drawer.chosen(law, gaps, rate)


class Halved(Passing):
    """A drawer of half the noise it is asked for."""

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """Noise of half of each scale."""
        return self.drawer.noise(kind, [scale / 2 for scale in scales], cells)


class Reused(Passing):
    """A drawer that gives all tables of one scale the same noise."""

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """The first numbers of each scale again and again."""
        most = {s: max(c for t, c in zip(scales, cells, strict=True) if t == s) for s in scales}
        drawn = self.drawer.noise(kind, [*most], [*most.values()])
        own = dict(zip(most, np.split(drawn, np.cumsum([*most.values()])[:-1]), strict=True))
        parts = [own[scale][:size] for scale, size in zip(scales, cells, strict=True)]
        return np.concatenate(parts)


class _Reusing(Watched):
    """The same mistake in a rehearsal."""

    def give(self, drawn: Drawn) -> Array:
        owner, noise = drawn.histograms.owner, drawn.noise
        for table in range(1, len(drawn.histograms.tables)):
            same = (drawn.scales[..., :table] == drawn.scales[..., [table]]).reshape(-1, table)
            first = next(iter(np.flatnonzero(same.all(axis=0))), table)
            source, target = (np.flatnonzero(owner == t) for t in (first, table))
            noise[:, target] = noise[:, np.resize(source, target.size)]
        return super().give(replace(drawn, noise=noise))


def _reused(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Watched
    ) -> Release:
        return run(network, counts, scenario, rng=_Reusing(rng.bit_generator, rng.drawn))

    return broken  # type: ignore[return-value]  # audits alone rehearse it, and they watch


def _half(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        twice = replace(scenario, epsilon=2 * scenario.epsilon)
        return run(network, counts, twice, rng=rng)

    return broken


def _probability(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        raised = replace(scenario, epsilon=scenario.epsilon * max(counts.records, 1))
        return run(network, counts, raised, rng=rng)

    return broken


def _observed(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        release = run(network, counts, scenario, rng=rng)
        noisy = np.where(packed_counts(network, counts) > 0, release.noisy, 0.0)
        return replace(release, noisy=noisy, model=fit(network, noisy.copy()))

    return broken


PLANTED: dict[str, Bug] = {
    bug.name: bug
    for bug in (
        Bug("half-noise", "half the noise that ε asks for", _half, Halved),
        Bug("observed-cells", "noise on cells with records only", _observed),
        Bug("probability-scale", "noise of probabilities on counts", _probability),
        Bug("reused-noise", "the same noise in all tables of one scale", _reused, Reused),
    )
}


def planted(method: Method, bug: str) -> Method:
    """The same method with a bug; it goes on claiming what it claimed."""
    return replace(method, run=PLANTED[bug].plant(method.run))


def planted_drawing(method: Method, bug: str, drawer: Drawer) -> tuple[Method, Drawer]:
    """Method and drawer of a release with a bug, wherever it sits; as they are without one."""
    if not bug:
        return method, drawer
    plant = PLANTED[bug].drawer
    return (planted(method, bug), drawer) if plant is None else (method, plant(drawer))
