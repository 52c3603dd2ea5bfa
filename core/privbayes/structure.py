"""The network, learned privately pair by pair.

Source: Zhang et al. 2017 (TODS), Algorithms 2 and 4 with the exponential mechanism (section 4.2).
The whole is ε₁-private: d - 1 choices, each ε₁ / (d - 1)-private for scores whose sensitivity is
the largest among the candidates. Public: variables, states, levels, and the number of records
where one is replaced; where one is added or removed that number is measured first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.counts import CountSource
from core.privacy import Neighbours
from core.privbayes.attributes import Attribute
from core.privbayes.candidates import Parents
from core.privbayes.rules import CandidatePair, Rules
from core.privbayes.scores import scores
from core.privbayes.selection import select
from core.privbayes.settings import Exact
from core.table import Array

FAMILIES_AT_ONCE = 256
"""Tables asked for together: enough to share counting, few enough to plan quickly."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Pair:
    """A variable with its parents, and how it was chosen among ``candidates``.

    Score and probability come from the exact counts: for study, not for publication. The score
    and its sensitivity are on the paper's scale.
    """

    child: int
    parents: Parents
    score: float
    sensitivity: float
    probability: float
    candidates: int


@dataclass(frozen=True)
class Structure:
    """Pairs in the order chosen; parents come from earlier pairs only.

    ``degree`` is the paper's k where its algorithms for binary variables were used, else 0.
    """

    attributes: tuple[Attribute, ...]
    pairs: tuple[Pair, ...]
    degree: int = 0


@dataclass
class Book:
    """Scores of pairs on the scale that is compared, each counted once."""

    source: CountSource
    rules: Rules
    known: dict[CandidatePair, float] = field(default_factory=dict)

    def scores(self, pairs: Sequence[CandidatePair]) -> Array:
        """The score of each pair."""
        new = sorted(pair for pair in pairs if pair not in self.known)
        for start in range(0, len(new), FAMILIES_AT_ONCE):
            self._count(new[start : start + FAMILIES_AT_ONCE])
        return np.array([self.known[pair] for pair in pairs])

    def _count(self, pairs: Sequence[CandidatePair]) -> None:
        settings = self.rules.settings
        tables = self.source.counts([self.rules.family(pair) for pair in pairs])
        flat = [table.values.reshape(-1, table.values.shape[-1]) for table in tables]
        alike: dict[tuple[int, ...], list[int]] = {}
        for position, values in enumerate(flat):
            alike.setdefault(values.shape, []).append(position)
        scale = self.source.records if settings.neighbours is Neighbours.ADD_REMOVE else 1
        for positions in alike.values():
            found = scores(settings.score, np.stack([flat[p] for p in positions])) * scale
            for position, value in zip(positions, found.tolist(), strict=True):
                self.known[pairs[position]] = value


def learn(
    source: CountSource,
    rules: Rules,
    *,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> Structure:
    """A network over the attributes, pair by pair.

    Draws: the first variable, then one choice per round. Without a structure to choose, nothing
    is drawn or counted and no pair has parents. A search that is too large is refused before
    anything is counted.
    """
    count = len(rules.attributes)
    if rules.degree == 0:
        return Structure(
            rules.attributes, tuple(Pair(i, (), 0.0, 0.0, 1.0, 1) for i in range(count))
        )
    rules.pairs_ahead()
    book = Book(source, rules)
    pairs = [Pair(int(rng.integers(count)), (), 0.0, 0.0, 1 / count, count)]
    while len(pairs) < count:
        placed = sorted(pair.child for pair in pairs)
        pairs.append(_choose(book, rules.candidates(placed), rng=rng))
        if progress is not None:
            progress(len(pairs), count)
    return Structure(rules.attributes, tuple(pairs), rules.degree if rules.binary else 0)


def _choose(book: Book, candidates: Sequence[CandidatePair], *, rng: np.random.Generator) -> Pair:
    """One round: all candidates scored, one drawn."""
    rules = book.rules
    found = book.scores(candidates)
    shapes = [_shape(rules, pair) for pair in candidates]
    bound = {shape: rules.sensitivity(shape) for shape in set(shapes)}
    charge = {shape: rules.penalty(shape) for shape in bound}
    largest = max(bound.values())
    budget = rules.spending.structure / (len(rules.attributes) - 1)
    chosen = select(
        rules.settings.recipe.selection,
        found - np.array([charge[shape] for shape in shapes]),
        epsilon=math.inf if rules.settings.exact is Exact.STRUCTURE else budget,
        sensitivity=largest,
        rng=rng,
    )
    child, parents = candidates[chosen.index]
    score = float(found[chosen.index]) / rules.unit
    return Pair(child, parents, score, largest / rules.unit, chosen.probability, len(candidates))


def _shape(rules: Rules, pair: CandidatePair) -> tuple[int, int]:
    """Settings of the parents and states of the child."""
    child, parents = pair
    settings = math.prod(rules.attributes[a].levels[level].cardinality for a, level in parents)
    return settings, rules.attributes[child].variable.cardinality
