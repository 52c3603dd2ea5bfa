"""What Synthesise computes: one synthesis, its curves over ε, a classifier."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.privbayes.comparison import VARIANTS, Measured, Plan, compare, methods_for
from core.privbayes.encoding import Encoding
from core.privbayes.rehearsal import Rehearsal, marginal_sets, rehearse
from core.privbayes.rules import Rules
from core.privbayes.settings import Settings
from core.privbayes.structure import Progress
from core.study.bands import QUANTILES
from core.table import Array
from sources import classifier
from sources.records import Records

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Budgets at which methods are compared."""

REPETITIONS = 4

Compared = dict[tuple[str, float], Measured]
"""What was measured, by method and ε."""


@dataclass(frozen=True, eq=False)
class SynthesisSetting:
    """Records, how they are shown to the search, and the knobs."""

    records: Records
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
            tuple(sorted(self.records.ordered)),
            self.encoding.name,
            self.taxonomy,
            self.settings,
            self.seed,
        )

    @property
    def curve_key(self) -> Hashable:
        """The same for every ε on show."""
        return replace(self, settings=replace(self.settings, epsilon=1.0)).key


def digest(data: bytes) -> str:
    """A name for a file's content."""
    return hashlib.sha256(data).hexdigest()


def rehearsed(setting: SynthesisSetting, progress: Progress | None = None) -> Rehearsal:
    """The synthesis of this seed, as the shell makes it. Compares with the truth: study only."""
    return rehearse(
        setting.records.rows,
        setting.encoding,
        setting.settings,
        seed=setting.seed,
        progress=progress,
    )


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


def compared(setting: SynthesisSetting) -> tuple[str, ...]:
    """Methods of the curves, those with one phase exact last."""
    return (*methods_for(setting.records.rows), *VARIANTS)


def ways(setting: SynthesisSetting) -> tuple[int, ...]:
    """Numbers of columns whose marginals are compared."""
    return tuple(marginal_sets(setting.records.rows.dataset.variables))


def todo(setting: SynthesisSetting, measured: Compared) -> Plan | None:
    """What is still to be measured, or nothing."""
    methods = compared(setting)
    missing = [m for m in methods if any((m, e) not in measured for e in GRID)]
    if not missing:
        return None
    return Plan(
        methods=tuple(missing),
        epsilons=GRID,
        ways=ways(setting),
        repetitions=REPETITIONS,
        seed=setting.seed,
    )


def steps(setting: SynthesisSetting, plan: Plan, measured: Compared) -> Iterator[None]:
    """Measure point by point; each is kept when it is done."""
    rows, encoding = setting.records.rows, setting.encoding
    for point in compare(rows, encoding, setting.settings, plan):
        measured[point.method, point.epsilon] = point
        yield


def bands(
    setting: SynthesisSetting, measured: Compared, method: str, way: int
) -> tuple[list[float], Array]:
    """Budgets measured so far, and quantiles over repetitions ``(7, points)``."""
    points = [measured[method, e] for e in GRID if (method, e) in measured]
    points = [point for point in points if not point.refused]
    if not points:
        return [], np.zeros((len(QUANTILES), 0))
    values = [point.values[:, ways(setting).index(way)] for point in points]
    return [point.epsilon for point in points], np.quantile(np.array(values), QUANTILES, axis=1)


def refused(measured: Compared) -> list[Measured]:
    """Points that were left out because the search was refused there."""
    return [point for point in measured.values() if point.refused]


def at(epsilons: list[float], quantiles: Array, epsilon: float) -> Array | None:
    """Quantiles at one ε between measured ones, on log scales."""
    if not epsilons or not epsilons[0] <= epsilon <= epsilons[-1]:
        return None
    logs = np.log(np.maximum(quantiles, 1e-12))
    across = np.log(epsilons)
    return np.exp([np.interp(np.log(epsilon), across, row) for row in logs])


def classified(setting: SynthesisSetting, target: str) -> list[tuple[str, float]]:
    """Share misclassified on held-out records, by what the classifier was trained on."""
    rng = np.random.default_rng([setting.seed, 1])
    rows, encoding = setting.records.rows, setting.encoding
    return classifier.classified(rows, encoding, setting.settings, target, rng=rng)
