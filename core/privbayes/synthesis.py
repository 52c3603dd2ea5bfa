"""From counts to a private model and synthetic records: all of PrivBayes as one function."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource, Rows
from core.inference.sampling import sample
from core.methods.noise import discrete_laplace
from core.network import Network
from core.parameters import Model
from core.privacy import Neighbours
from core.privbayes.conditionals import improved_model, published_model
from core.privbayes.encoding import Encoding
from core.privbayes.rules import Rules
from core.privbayes.settings import Exact, Settings, Spending
from core.privbayes.structure import Progress, Structure, learn


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

    def draw(self, *, rng: np.random.Generator, records: int | None = None) -> Rows:
        """Synthetic records over the original variables; drawing costs nothing."""
        count = self.records if records is None else records
        return self.encoding.decode(Rows(sample(self.model, count, rng=rng)))


def synthesise(
    source: CountSource,
    encoding: Encoding,
    settings: Settings,
    *,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> Synthesis:
    """A private model of the records behind ``source``, which answers over the encoded variables.

    ε-private for the neighbours of the settings: number of records (add-remove only), structure
    and tables, by sequential composition; the budget is checked before anything is counted.
    Public: variables, states, levels; the number of records where one is replaced. Source: Zhang
    et al. 2017 (TODS), Theorem 3.2.

    Draws: three child generators, for the number of records, the structure and the tables.
    """
    counting, choosing, measuring = rng.spawn(3)
    spending = settings.spending
    records = _records(source, spending, settings.neighbours, rng=counting)
    rules = Rules.of(encoding.attributes, settings, records)
    structure = learn(source, rules, rng=choosing, progress=progress)
    make = improved_model if settings.recipe.improved else published_model
    model = make(
        source,
        structure,
        epsilon=math.inf if settings.exact is Exact.TABLES else rules.spending.tables,
        neighbours=settings.neighbours,
        rng=measuring,
    )
    return Synthesis(settings, encoding, rules.spending, structure, model, records)


def _records(
    source: CountSource, spending: Spending, neighbours: Neighbours, *, rng: np.random.Generator
) -> int:
    """Number of records: as it is where it is public, else with noise and at least one."""
    if neighbours is Neighbours.REPLACE or not spending.records:
        return source.records
    return max(1, source.records + int(discrete_laplace((), 1 / spending.records, rng=rng)))


def plain_network(synthesis: Synthesis) -> Network:
    """The learned graph over attributes alone, coarse parents replaced by the attribute itself.

    A table that gets too large by this is refused, with the variable and what to do.
    """
    structure = synthesis.structure
    attributes = structure.attributes
    parents = {p.child: p.parents for p in structure.pairs}
    return Network(
        tuple(a.variable for a in attributes),
        tuple(
            tuple(attributes[a].variable.name for a, _ in parents[child])
            for child in range(len(attributes))
        ),
    )
