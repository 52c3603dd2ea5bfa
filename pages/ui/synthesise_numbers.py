"""What Synthesise computes: one synthesis, its curves over ε, a classifier."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.counts import Rows
from core.privbayes.baselines import majority
from core.privbayes.comparison import VARIANTS, Plan, compare, methods_for
from core.privbayes.distances import distances, marginals_of, normalised
from core.privbayes.encoding import Encoding
from core.privbayes.settings import RECIPES, Settings
from core.privbayes.structure import Progress
from core.privbayes.synthesis import Synthesis, plain_network, synthesise
from core.recoding import halves
from core.table import Array
from pages.ui.board import QUANTILES
from sources.classifier import TRAINING, misclassified
from sources.records import Records
from sources.study import Study

GRID = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Budgets at which methods are compared."""

WAYS = (2, 3)
REPETITIONS = 4

Found = dict[tuple[str, float], Array]
"""Mean distances ``(repetitions, ways)`` by method and ε."""


@dataclass(frozen=True, eq=False)
class Setting:
    """Records, how they are shown to the search, and the knobs."""

    records: Records
    encoding: Encoding
    settings: Settings
    seed: int
    taxonomy: str = ""
    """Digest of the taxonomies, which an encoding follows."""

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


@dataclass(frozen=True, eq=False)
class Made:
    """One synthesis with the records drawn from it, and how far its marginals are off."""

    synthesis: Synthesis
    rows: Rows
    errors: tuple[float, ...]


def digest(data: bytes) -> str:
    """A name for a file's content."""
    return hashlib.sha256(data).hexdigest()


def made(setting: Setting, progress: Progress | None = None) -> Made:
    """The synthesis of this seed. Errors compare with the truth: study only."""
    rng = np.random.default_rng([setting.seed, 0])
    rows = setting.records.rows
    found = synthesise(
        setting.encoding.encode(rows), setting.encoding, setting.settings, rng=rng,
        progress=progress,
    )  # fmt: skip
    drawn = found.draw(rng=rng)
    errors = []
    for ways in WAYS:
        marginals = marginals_of(rows.dataset.variables, ways)
        errors.append(float(distances(rows, drawn, marginals).mean()) if marginals else 0.0)
    return Made(found, drawn, tuple(errors))


def shares(rows: Rows, first: str, second: str) -> Array:
    """How often each pair of states of two columns occurs."""
    column = {v.name: v for v in rows.dataset.variables}
    (table,) = rows.counts([(column[first], column[second])])
    return normalised(table.values)


def learned_study(setting: Setting, found: Synthesis) -> Study:
    """The learned graph with the records it is about, for the other pages.

    An encoding in bits leaves a graph over bits, so the records become bits as well.
    """
    network = plain_network(found)
    encoded = setting.encoding.encode(setting.records.rows)
    names = set(network.names)
    columns = [j for j, v in enumerate(encoded.dataset.variables) if v.name in names]
    kept = replace(
        encoded.dataset,
        variables=tuple(encoded.dataset.variables[j] for j in columns),
        codes=encoded.dataset.codes[:, columns],
    )
    spent = found.spending.structure + found.spending.records
    note = f"The graph was learned with ε = {spent:.3g}; what is spent on tables comes on top."
    records = setting.records
    return Study(
        f"{records.name}, learned",
        network,
        kept,
        sampled=records.sampled,
        inferred=records.inferred,
        notes=(*records.notes, note),
        spent=spent,
        graph="rehearsed",
        missing=records.missing,
        source=records.source,
        before_dropping=records.before_dropping,
        declared=records.declared,
    )


def compared(setting: Setting) -> tuple[str, ...]:
    """Methods of the curves, those with one phase exact last."""
    return (*methods_for(setting.records.rows), *VARIANTS)


def todo(setting: Setting, found: Found) -> Plan | None:
    """What is still to be measured, or nothing."""
    methods = compared(setting)
    missing = [m for m in methods if any((m, e) not in found for e in GRID)]
    if not missing:
        return None
    ways = tuple(w for w in WAYS if w <= len(setting.records.rows.dataset.variables))
    return Plan(
        methods=tuple(missing),
        epsilons=GRID,
        ways=ways,
        repetitions=REPETITIONS,
        seed=setting.seed,
    )


def steps(setting: Setting, plan: Plan, found: Found) -> Iterator[None]:
    """Measure point by point; each is kept when it is done."""
    rows, encoding = setting.records.rows, setting.encoding
    for point in compare(rows, encoding, setting.settings, plan):
        found[point.method, point.epsilon] = point.values
        yield


def bands(found: Found, method: str, ways: int) -> tuple[list[float], Array]:
    """Budgets measured so far, and quantiles over repetitions ``(7, points)``."""
    epsilons = [e for e in GRID if (method, e) in found]
    if not epsilons:
        return [], np.zeros((len(QUANTILES), 0))
    values = [found[method, e][:, WAYS.index(ways)] for e in epsilons]
    return epsilons, np.quantile(np.array(values), QUANTILES, axis=1)


def at(epsilons: list[float], quantiles: Array, epsilon: float) -> Array | None:
    """Quantiles at one ε between measured ones, on log scales."""
    if not epsilons or not epsilons[0] <= epsilon <= epsilons[-1]:
        return None
    logs = np.log(np.maximum(quantiles, 1e-12))
    across = np.log(epsilons)
    return np.exp([np.interp(np.log(epsilon), across, row) for row in logs])


def classified(setting: Setting, target: str) -> list[tuple[str, float]]:
    """Share misclassified on held-out records, by what the classifier was trained on."""
    rng = np.random.default_rng([setting.seed, 1])
    training, testing = halves(setting.records.rows, TRAINING, rng=rng)
    found = [("the records themselves, no privacy", misclassified(training, testing, target))]
    for name, recipe in RECIPES.items():
        settings = replace(setting.settings, recipe=recipe)
        source = setting.encoding.encode(training)
        synthesis = synthesise(source, setting.encoding, settings, rng=rng)
        rows = synthesis.draw(rng=rng)
        found.append((f"synthetic records of {name}", misclassified(rows, testing, target)))
    place = [v.name for v in testing.dataset.variables].index(target)
    guess = majority(
        training,
        testing.dataset.variables[place],
        epsilon=setting.settings.epsilon,
        neighbours=setting.settings.neighbours,
        rng=rng,
    )
    wrong = float((testing.dataset.codes[:, place] != guess).mean())
    found.append(("nothing: the most frequent state (Majority)", wrong))
    return found
