"""What Synthesise computes: one synthesis, its curves over ε, a classifier."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.privbayes.comparison import VARIANTS, Measured, Plan, compare, methods_for
from core.privbayes.encoding import Encoding
from core.privbayes.rehearsal import NamedPair, Rehearsal, marginal_sets
from core.privbayes.rules import Rules
from core.privbayes.settings import Settings
from core.study.bands import QUANTILES
from core.study.error_curves import ErrorCurve
from pages.ui.graph.drawing import Edge
from sources import classifier
from sources.records import ordered
from sources.study import Study

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Budgets at which methods are compared."""

REPETITIONS = 4

Compared = dict[tuple[str, float], Measured]
"""What was measured, by method and ε."""


@dataclass(frozen=True, eq=False)
class SynthesisSetting:
    """Records, how they are shown to the search, and the knobs."""

    records: Study
    encoding: Encoding
    settings: Settings
    seed: int
    taxonomy: str = ""
    """Digest of the taxonomies, which an encoding follows."""
    data: str = "--data FILE --schema FILE"
    """What a shell is told of the records."""

    @property
    def key(self) -> Hashable:
        """Equal exactly for equal results."""
        return (
            "synthesis",
            self.records.rows.dataset.fingerprint,
            tuple(sorted(ordered(self.records))),
            self.encoding.name,
            self.taxonomy,
            self.settings,
            self.seed,
        )

    @property
    def curve_key(self) -> Hashable:
        """The same for every ε on show."""
        return replace(self, settings=replace(self.settings, epsilon=1.0)).key


def rules(rehearsal: Rehearsal) -> Rules:
    """The rules that the search followed, by the number of records that it went by itself.

    Where that number is private the search has a noisy one; rules made from the exact number may
    say that nothing is worth its noise where the search found an edge.
    """
    synthesis = rehearsal.synthesis
    return Rules.of(synthesis.encoding.attributes, synthesis.settings, synthesis.records)


def held(rehearsal: Rehearsal, shown: int, one: str, other: str) -> bool:
    """Whether an edge is there when so many tables are: its child placed, or a table holds both.

    A coarser level follows its own variable, and a hidden class is there from the beginning.
    """
    if rehearsal.synthesis.grown is None:
        return "(level" in other or other in {pair.name for pair in rehearsal.pairs[:shown]}
    names = {v.name for v in rehearsal.rows.dataset.variables}
    hidden = rehearsal.synthesis.encoding.name in ("vanilla", "hierarchical") and one not in names
    tables = ({pair.name, *pair.parents} for pair in rehearsal.pairs[:shown])
    return hidden or any({one, other} <= table for table in tables)


def placed(rehearsal: Rehearsal, shown: int, edges: Sequence[Edge]) -> dict[str, NamedPair]:
    """The choice that each node tells of: of one model's tables the best shared with a parent."""
    pairs = rehearsal.pairs[:shown]
    told = {pair.name: pair for pair in pairs}
    if rehearsal.synthesis.grown is None:
        return told
    for name in {edge.child for edge in edges}:
        parents = {edge.parent for edge in edges if edge.child == name}
        columns = ((pair, {pair.name, *pair.parents}) for pair in pairs)
        if shared := [pair for pair, among in columns if name in among and among & parents]:
            told[name] = max(shared, key=lambda pair: pair.score)
    return told


def compared(setting: SynthesisSetting) -> tuple[str, ...]:
    """Methods of the curves, those with one phase exact last where the method has two phases."""
    variants = () if setting.settings.recipe.way else VARIANTS
    return (*methods_for(setting.records.rows), *variants)


def ways(setting: SynthesisSetting) -> tuple[int, ...]:
    """Numbers of columns whose marginals are compared."""
    return tuple(marginal_sets(setting.records.rows.dataset.variables))


def todo(setting: SynthesisSetting, measured: Compared) -> Plan | None:
    """What is still to be measured, or nothing."""
    missing = [m for m in compared(setting) if any((m, e) not in measured for e in GRID)]
    if not missing:
        return None
    return Plan(
        methods=tuple(missing), epsilons=GRID, ways=ways(setting), repetitions=REPETITIONS,
        seed=setting.seed,
    )  # fmt: skip


def steps(setting: SynthesisSetting, plan: Plan, measured: Compared) -> Iterator[None]:
    """Measure point by point; each is kept when it is done."""
    rows, encoding = setting.records.rows, setting.encoding
    for point in compare(rows, encoding, setting.settings, plan):
        measured[point.method, point.epsilon] = point
        yield


def curve(setting: SynthesisSetting, measured: Compared, method: str, way: int) -> ErrorCurve:
    """One method over the budgets measured so far."""
    points = [measured[method, e] for e in GRID if (method, e) in measured]
    points = [point for point in points if not point.refused]
    if not points:
        return ErrorCurve(method, (), np.zeros((len(QUANTILES), 0)))
    values = np.array([point.values[:, ways(setting).index(way)] for point in points])
    epsilons = tuple(point.epsilon for point in points)
    return ErrorCurve(method, epsilons, np.quantile(values, QUANTILES, axis=1))


def refused(measured: Compared, methods: Sequence[str]) -> list[Measured]:
    """Points of these methods that were left out because the search was refused there."""
    return [point for point in measured.values() if point.refused and point.method in methods]


def classified(setting: SynthesisSetting, target: str) -> list[tuple[str, float]]:
    """Share misclassified on held-out records, by what the classifier was trained on."""
    rng = np.random.default_rng([setting.seed, 1])
    rows, encoding = setting.records.rows, setting.encoding
    return classifier.classified(rows, encoding, setting.settings, target, rng=rng)
