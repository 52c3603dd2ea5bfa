"""Mechanisms with a planted bug: what an audit is for, to be shown in class and held by tests."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from core.counts import CountSource
from core.methods.method import Method, Release, Run, packed_counts
from core.methods.randomness import Drawn, Randomness, Watched
from core.methods.registry import method_named
from core.network import Network
from core.parameters import fit
from core.privbayes.learners import recipe_of
from core.privbayes.settings import Exact, Settings, Spending
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
class HandedOn:
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


class Halved(HandedOn):
    """A drawer of half the noise it is asked for."""

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """Noise of half of each scale."""
        return self.drawer.noise(kind, [scale / 2 for scale in scales], cells)


class Reused(HandedOn):
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


def _more(times: Callable[[CountSource], float]) -> Callable[[Run], Run]:
    """Run with so many times the ε that is claimed."""

    def plant(run: Run) -> Run:
        def broken(
            network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
        ) -> Release:
            raised = replace(scenario, epsilon=scenario.epsilon * times(counts))
            return run(network, counts, raised, rng=rng)

        return broken

    return plant


def _observed(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        release = run(network, counts, scenario, rng=rng)
        noisy = np.where(packed_counts(network, counts) > 0, release.noisy, 0.0)
        return replace(release, noisy=noisy, model=fit(network, noisy.copy()))

    return broken


class HalvedChoice(HandedOn):
    """A drawer that chooses as if it had twice the budget."""

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """At twice the rate."""
        return self.drawer.chosen(law, gaps, 2 * rate)


class Best(HandedOn):
    """A drawer that chooses the best, whatever it is asked for."""

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """Without noise."""
        return int(np.argmin(gaps))


@dataclass(frozen=True)
class Overdrawn(Spending):
    """More than is charged, as long as there is a structure to choose."""

    honest: Spending

    def without_structure(self) -> Spending:
        """What is charged, with tables as careless as they are otherwise."""
        own = self.honest.without_structure()
        tables = own.tables * self.tables / self.honest.tables
        return Spending(own.records + tables, own.records, 0.0, tables)


@dataclass(frozen=True, kw_only=True)
class Careless(Settings):
    """Settings that draw structure or tables for more ε than they are charged."""

    choices: float = 1.0
    tables: float = 1.0

    @property
    def spending(self) -> Spending:
        """More than there is."""
        own = super().spending
        structure, tables = self.choices * own.structure, self.tables * own.tables
        return Overdrawn(own.records + structure + tables, own.records, structure, tables, own)


@dataclass(frozen=True)
class LearningBug:
    """What is wrong where a graph is learned: in the settings of a rehearsal, in a drawer."""

    title: str
    settings: Callable[[Settings], Settings]
    drawer: Callable[[Drawer], Drawer]


LEARNED_BUGS = {
    "half-noise": LearningBug(
        "half the noise that ε asks for",
        lambda own: replace(own, epsilon=2 * own.epsilon),
        lambda drawer: HalvedChoice(Halved(drawer)),
    ),
    "half-choice": LearningBug(
        "half the noise on every choice", lambda own: Careless(**vars(own), choices=2), HalvedChoice
    ),
    "best-choice": LearningBug(
        "no noise on any choice", lambda own: replace(own, exact=Exact.STRUCTURE), Best
    ),
    "half-tables": LearningBug(
        "half the noise on every table", lambda own: Careless(**vars(own), tables=2), Halved
    ),
}


@dataclass(frozen=True)
class GrownBug:
    """What is wrong where tables are chosen and measured in turn: how much more each is given."""

    title: str
    tables: float = 1.0
    choices: float = 1.0
    scores: int = 1


GROWN_BUGS = {
    "half-noise": GrownBug("half the noise that ε asks for", tables=2, choices=2),
    "half-choice": GrownBug("half the noise on every choice", choices=2),
    "half-score": GrownBug("scores of half their sensitivity", scores=2),
    "best-choice": GrownBug("no noise on any choice", choices=math.inf),
    "half-tables": GrownBug("half the noise on every table", tables=2),
}

PLANTED: dict[str, Bug] = {
    bug.name: bug
    for bug in (
        Bug("half-noise", "half the noise that ε asks for", _more(lambda _: 2), Halved),
        Bug("observed-cells", "noise on cells with records only", _observed),
        Bug("probability-scale", "noise of probabilities on counts",
            _more(lambda counts: max(counts.records, 1))),
        Bug("reused-noise", "the same noise in all tables of one scale", _reused, Reused),
    )
}  # fmt: skip

EVERY_BUG = tuple(dict.fromkeys([*PLANTED, *LEARNED_BUGS, *GROWN_BUGS]))


def bugs_of(method: str) -> Mapping[str, Bug | LearningBug | GrownBug]:
    """The bugs that can be planted in a method, by name."""
    if not method_named(method).learns:
        return PLANTED
    return GROWN_BUGS if recipe_of(method).way else LEARNED_BUGS


def planted(method: Method, bug: str) -> Method:
    """The same method with a bug; it goes on claiming what it claimed."""
    return replace(method, run=PLANTED[bug].plant(method.run))


def planted_drawing(method: Method, bug: str, drawer: Drawer) -> tuple[Method, Drawer]:
    """Method and drawer of a release with a bug, wherever it sits; as they are without one."""
    if not bug:
        return method, drawer
    plant = PLANTED[bug].drawer
    return (planted(method, bug), drawer) if plant is None else (method, plant(drawer))
