"""From counts to a private model and synthetic records: all of PrivBayes as one function."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource, Rows
from core.errors import EquipoiseError
from core.inference.sampling import sample
from core.methods.randomness import Histograms, Randomness, noted, whole_laplace
from core.network import Network
from core.parameters import Model
from core.privacy import Neighbours
from core.privbayes.attributes import Attribute
from core.privbayes.conditionals import Estimate, improved_model, published_model
from core.privbayes.encoding import Encoding
from core.privbayes.rules import Rules, check_attributes
from core.privbayes.scores import Score
from core.privbayes.settings import Exact, Settings, Spending
from core.privbayes.structure import Pair, Progress, Structure, learn
from core.synthesis.measuring import Purse, TableStep
from core.synthesis.ways import Grown, drawable, made, memory_bound
from core.synthesis.whole_records import draw_whole
from core.table import Array

MOST = 2**40
"""A number of records that noise alone has made is cut here: scores in steps stay whole numbers."""


@dataclass(frozen=True, eq=False)
class Synthesis:
    """What came out: the structure, the model over the encoded variables, and what it cost.

    ``records`` is how many to draw: the public or noisy number. A rehearsal: seeded, for study.
    """

    settings: Settings
    encoding: Encoding
    spending: Spending
    structure: Structure
    model: Model
    records: int
    rehearsal: bool = True
    grown: Grown | None = None
    """How the model grew, where no search for parents made it."""

    @property
    def costs(self) -> tuple[float, ...]:
        """What each pair cost of ε: its choice, and its table where both are paid together."""
        if self.grown is not None:
            share = self.settings.epsilon / self.grown.purse.total
            return tuple(share * step.cost for step in self.grown.steps)
        choices = len(self.structure.pairs) - 1
        each = self.spending.structure / max(choices, 1)
        return (0.0, *(each for _ in range(choices)))

    def compared_with(self, rows: Rows) -> Synthesis:
        """With no more records to draw than are worth comparing with these."""
        return replace(self, records=min(self.records, drawable(rows.records)))

    def draw(self, *, rng: np.random.Generator, records: int | None = None) -> Rows:
        """Synthetic records over the original variables; drawing costs nothing."""
        count = self.records if records is None else records
        if self.grown is not None:
            columns = len(self.encoding.attributes)
            return self.encoding.decode(Rows(draw_whole(self.model, count, columns, rng=rng)))
        return self.encoding.decode(Rows(sample(self.model, count, rng=rng)))


def synthesise(
    source: CountSource,
    encoding: Encoding,
    settings: Settings,
    *,
    rng: Randomness,
    progress: Progress | None = None,
) -> Synthesis:
    """A private model of the records behind ``source``, which answers over the encoded variables.

    ε-private for the neighbours of the settings: number of records (add-remove only), structure
    and tables, by sequential composition; the budget is checked before anything is counted.
    Public: variables, states, levels; the number of records where one is replaced. Source: Zhang
    et al. 2017 (TODS), Theorem 3.2.
    """
    if settings.recipe.way:
        return _grown(source, encoding, settings, rng=rng, progress=progress)
    (run,) = runs(source, encoding.attributes, settings, rng=rng, progress=progress, whole=True)
    estimate = run.estimated(source)
    model = Model(estimate.model.network, estimate.model.values[0])
    spending, records = run.rules.spending, int(run.records[0])
    return Synthesis(settings, encoding, spending, run.structure, model, records)


def _grown(
    source: CountSource,
    encoding: Encoding,
    settings: Settings,
    *,
    rng: Randomness,
    progress: Progress | None,
) -> Synthesis:
    """A model of :mod:`core.synthesis` over the attributes, its tables told as pairs."""
    check_attributes(encoding.attributes, replace(settings, score=Score.DEPENDENCE))
    variables = [a.variable for a in encoding.attributes]
    purse = _purse(settings)
    grown = made(settings.recipe.way, source, variables, purse, rng=rng, progress=progress)
    share = settings.epsilon / grown.purse.total
    choices, counted = share * grown.choices, share * grown.counted
    tables = share * math.fsum(grown.amounts) - counted
    spending = Spending(settings.epsilon, counted, choices, tables)
    structure = Structure(encoding.attributes, tuple(_told(s, grown.records) for s in grown.steps))
    return Synthesis(
        settings, encoding, spending, structure, grown.model, grown.records, grown=grown
    )


def _purse(settings: Settings) -> Purse:
    delta = settings.delta if settings.recipe.gaussian else 0.0
    return Purse(settings.epsilon, delta, settings.neighbours)


def memory_of(encoding: Encoding, settings: Settings, records: int) -> int:
    """Bytes that a model of so many records takes at most; for methods that are a way to grow one.

    What is compared with the truth afterwards is not in it.
    """
    variables = [a.variable for a in encoding.attributes]
    return memory_bound(variables, records, _purse(settings))


def _told(step: TableStep, records: int) -> Pair:
    """A table as a pair: its last column given the others; scores as shares of the records."""
    *others, child = step.columns
    return Pair(
        child,
        tuple((column, 0) for column in others),
        step.score / records,
        step.sensitivity / records,
        step.probability,
        step.candidates,
    )


@dataclass(frozen=True, eq=False)
class Alike:
    """Replicates of one structure: their published numbers of records, and their tables to be."""

    rules: Rules
    structure: Structure
    records: NDArray[np.int64]
    rng: Randomness

    def estimated(self, source: CountSource) -> Estimate:
        """The tables, with noise of their own for every replicate."""
        settings = self.rules.settings
        make = improved_model if settings.recipe.improved else published_model
        exact = settings.exact is Exact.TABLES
        return make(
            source,
            self.structure,
            epsilon=math.inf if exact else self.rules.spending.tables,
            neighbours=settings.neighbours,
            rng=self.rng,
            replicates=len(self.records),
        )


def runs(
    source: CountSource,
    attributes: Sequence[Attribute],
    settings: Settings,
    *,
    rng: Randomness,
    replicates: int = 1,
    progress: Progress | None = None,
    whole: bool = False,
) -> Iterator[Alike]:
    """Structures of so many runs, those alike together; nothing is measured for them yet.

    Draws: three child generators, for the number of records, the structure and the tables. A
    search that is too large is refused before it counts where the ``whole`` of it is wanted; else
    it compares fewer parents: a release has paid for it and may not fail.
    """
    counting, choosing, measuring = rng.spawn(3)
    records = _records(source, settings, replicates, rng=counting)
    numbers, place = np.unique(records, return_inverse=True)
    rules_of = [Rules.of(attributes, settings, number) for number in numbers.tolist()]
    kinds = {rules.kind: rules for rules in rules_of}
    for kind, rules in kinds.items():
        known, start = records[np.array([own.kind == kind for own in rules_of])[place]], 0
        if whole:
            rules.pairs_ahead()
        drawn = learn(source, rules, rng=choosing, replicates=len(known), progress=progress)
        for structure, times in drawn:
            yield Alike(rules, structure, known[start : start + times], measuring)
            start += times


def _records(
    source: CountSource, settings: Settings, replicates: int, *, rng: Randomness
) -> NDArray[np.int64]:
    """Number of records: as it is where it is public, else with noise, one to ``MOST``."""
    (total,) = source.counts([()])
    exact, part = total.values.reshape(1, 1), settings.spending.records
    everyone = Histograms(((),), np.zeros(1, dtype=np.intp))
    if settings.neighbours is Neighbours.REPLACE or not part:
        noise: Array = np.zeros((replicates, 1))
    else:
        noise = whole_laplace(everyone, np.array([1 / part]), replicates=replicates, rng=rng)
    noted(everyone, exact + noise, rng=rng)
    return np.clip(exact + noise, 1, MOST).astype(np.int64)[:, 0]


def plain_network(synthesis: Synthesis) -> Network:
    """The learned graph over attributes alone, coarse parents replaced by the attribute itself.

    A table that gets too large by this is refused, with the variable and what to do.
    """
    structure = synthesis.structure
    attributes = structure.attributes
    if synthesis.grown is not None:
        network = synthesis.model.network
        if len(network.variables) > len(attributes):
            raise EquipoiseError(
                "hidden classes stand between all columns, so there is no graph of columns alone; "
                "choose adaptive for one"
            )
        return network
    parents = {p.child: p.parents for p in structure.pairs}
    return Network(
        tuple(a.variable for a in attributes),
        tuple(
            tuple(attributes[a].variable.name for a, _ in parents[child])
            for child in range(len(attributes))
        ),
    )
