"""The network, learned privately pair by pair.

Source: Zhang et al. 2017 (TODS), Algorithms 2 and 4 with the exponential mechanism (section 4.2).
The whole is ε₁-private: d - 1 choices, each ε₁ / (d - 1)-private for scores whose sensitivity is
the largest among the candidates. Public: variables, states, levels, and the number of records
where one is replaced; where one is added or removed that number is measured first.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.methods.randomness import STEPS, Candidates, Randomness
from core.methods.selection import Selection, chance, choices
from core.privbayes.attributes import Attribute
from core.privbayes.candidates import Parents
from core.privbayes.rules import CandidatePair, Rules
from core.privbayes.scores import in_records
from core.privbayes.settings import Exact

FAMILIES_AT_ONCE = 256
"""Tables asked for together: enough to share counting, few enough to plan quickly."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Pair:
    """A variable with its parents, and how it was chosen among ``candidates``.

    Score and probability come from the exact counts: for study, not for publication, and a release
    has none. The score and its sensitivity are on the paper's scale.
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
    """Scores of pairs in records, each counted once."""

    source: CountSource
    rules: Rules
    known: dict[CandidatePair, Fraction] = field(default_factory=dict)

    def scores(self, pairs: Sequence[CandidatePair]) -> list[Fraction]:
        """The score of each pair."""
        new = sorted(pair for pair in pairs if pair not in self.known)
        for start in range(0, len(new), FAMILIES_AT_ONCE):
            self._count(new[start : start + FAMILIES_AT_ONCE])
        return [self.known[pair] for pair in pairs]

    def _count(self, pairs: Sequence[CandidatePair]) -> None:
        tables = self.source.counts([self.rules.family(pair) for pair in pairs])
        flat = [table.values.reshape(-1, table.values.shape[-1]) for table in tables]
        alike: dict[tuple[int, ...], list[int]] = {}
        for position, values in enumerate(flat):
            alike.setdefault(values.shape, []).append(position)
        for positions in alike.values():
            scored = in_records(self.rules.settings.score, np.stack([flat[p] for p in positions]))
            for position, value in zip(positions, scored, strict=True):
                self.known[pairs[position]] = value


def learn(
    source: CountSource,
    rules: Rules,
    *,
    rng: Randomness,
    replicates: int = 1,
    progress: Progress | None = None,
) -> list[tuple[Structure, int]]:
    """Networks over the attributes, pair by pair, each with how many of the replicates it is.

    Draws: the first variable, then one choice per round; replicates that have chosen alike so far
    choose together. Without a structure to choose, nothing is drawn or counted and no pair has
    parents.
    """
    count = len(rules.attributes)
    if rules.degree == 0:
        single = tuple(Pair(i, (), 0.0, 0.0, 1.0, 1) for i in range(count))
        return [(Structure(rules.attributes, single), replicates)]
    book = Book(source, rules)
    begun: list[tuple[tuple[Pair, ...], int]] = [
        ((Pair(first, (), 0.0, 0.0, 1 / count, count),), times)
        for first, times in _first(rules, replicates, rng=rng)
    ]
    for placed in range(1, count):
        begun = [
            ((*pairs, pair), times)
            for pairs, alike in begun
            for pair, times in _choose(book, sorted(p.child for p in pairs), alike, rng=rng)
        ]
        if progress is not None:
            progress(placed + 1, count)
    degree = rules.degree if rules.binary else 0
    return [(Structure(rules.attributes, pairs, degree), times) for pairs, times in begun]


def _first(rules: Rules, replicates: int, *, rng: Randomness) -> Iterator[tuple[int, int]]:
    """The variable that each replicate begins with: any, with the same chance."""
    count = len(rules.attributes)
    if isinstance(rng, np.random.Generator):
        yield from _counted(rng.integers(count, size=replicates))
        return
    names = tuple((a.variable.name,) for a in rules.attributes)
    law = rules.settings.recipe.selection.value
    even = Candidates(names, np.zeros(count, dtype=np.int64), Fraction(0), law)
    yield rng.choice(even, 0.0), 1


def _counted(values: NDArray[np.integer]) -> Iterator[tuple[int, int]]:
    times = np.bincount(values)
    yield from ((value, int(times[value])) for value in np.flatnonzero(times).tolist())


def _choose(
    book: Book, placed: Sequence[int], replicates: int, *, rng: Randomness
) -> Iterator[tuple[Pair, int]]:
    """One round: all candidates scored, one drawn for each replicate."""
    rules = book.rules
    pairs = rules.searched(placed)
    scores = book.scores(pairs)
    candidates = compared(rules, pairs, scores)
    moved = float(candidates.sensitivity) / rules.unit
    exact = rules.settings.exact is Exact.STRUCTURE
    budget = math.inf if exact else rules.spending.structure / (len(rules.attributes) - 1)
    constant = not candidates.sensitivity
    if not isinstance(rng, np.random.Generator):
        place = int(np.argmax(candidates.steps)) if constant else rng.choice(candidates, budget)
        yield Pair(*pairs[place], math.nan, moved, math.nan, len(pairs)), 1
        return
    law, steps = Selection(candidates.law), candidates.steps.astype(np.float64)
    limit = 0.0 if constant else STEPS
    drawn = choices(law, steps, epsilon=budget, sensitivity=limit, replicates=replicates, rng=rng)
    for place, times in _counted(drawn):
        score = float(scores[place]) / rules.unit
        told = chance(law, steps, place, epsilon=budget, sensitivity=limit)
        yield Pair(*pairs[place], score, moved, told, len(pairs)), times


def compared(
    rules: Rules, pairs: Sequence[CandidatePair], scores: Sequence[Fraction]
) -> Candidates:
    """The candidates of one round as they are compared: scores less penalties, in steps."""
    above = {parents: rules.above(parents) for parents in {parents for _, parents in pairs}}
    settings = {p: math.prod(v.cardinality for v in own) for p, own in above.items()}
    names = {parents: tuple(v.name for v in own) for parents, own in above.items()}
    children = [a.variable for a in rules.attributes]
    shapes = [(settings[parents], children[child].cardinality) for child, parents in pairs]
    largest = max(rules.sensitivity(shape) for shape in set(shapes))
    step = largest / STEPS if largest else Fraction(1, STEPS)
    charge = {shape: rules.penalty(shape) // step for shape in set(shapes)}
    many, few = step.denominator, step.numerator  # whole numbers: Fractions take ten times as long
    steps = [
        score.numerator * many // (score.denominator * few) - charge[shape]
        for score, shape in zip(scores, shapes, strict=True)
    ]
    return Candidates(
        tuple((*names[parents], children[child].name) for child, parents in pairs),
        np.array(steps, dtype=np.int64),
        largest,
        rules.settings.recipe.selection.value,
    )
