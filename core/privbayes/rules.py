"""The public rules of one search: which pairs are compared, and what noise would cost them."""

from __future__ import annotations

import contextlib
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.privbayes.attributes import Attribute
from core.privbayes.candidates import (
    Parents,
    SearchError,
    all_parent_sets,
    check_candidates,
    maximal_parent_sets,
    useful_cells,
    useful_degree,
)
from core.privbayes.scores import Score
from core.privbayes.sensitivity import sensitivity
from core.privbayes.settings import Settings, Spending
from core.table import CELL_LIMIT, Variable

CandidatePair = tuple[int, Parents]
"""A child and its parents, by position among the attributes."""

ATTRIBUTE_LIMIT = 200
"""Most attributes a search may have, after encoding."""

STATE_LIMIT = 1_000
"""Most states of one variable."""

LOOKED_AHEAD = (0.25, 0.5, 0.75, 1.0)
"""How much of the network is placed in the rounds that a forecast of the search looks at."""

PENALTY = 0.7
"""Part of a table's expected noise that is taken off its score; half is its distance, and a table
of parents is read in turn by the children of its child."""

SETS_COMPARED = 25_000
"""Most pairs in one round that a recipe compares which decides the number of parents itself."""

TYPICAL_DEPENDENCE = 0.06
"""Score R below which a pair is not worth its noise: a public guess, the same for all data."""


@dataclass(frozen=True)
class Rules:
    """What is allowed, from public facts: attributes, settings, number of records as published."""

    attributes: tuple[Attribute, ...]
    settings: Settings
    records: float
    spending: Spending
    most: float
    """Most cells of a table."""
    degree: int
    """Most parents."""
    binary: bool
    """Whether the paper's algorithms for binary variables apply (2 and 1 instead of 4 and 3)."""

    @classmethod
    def of(cls, attributes: Sequence[Attribute], settings: Settings, records: float) -> Rules:
        """Degree and cells by θ-usefulness; everything to the tables where nothing is to choose."""
        check_attributes(attributes, settings)
        count = len(attributes)
        spending = settings.spending
        shared = (records, count, spending.tables, settings.theta, settings.neighbours)
        two = all(a.variable.cardinality == 2 for a in attributes)
        deep = useful_degree(*shared) if two else 0
        room = CELL_LIMIT // count  # all tables together are no larger than one may be
        deep = min(deep, room.bit_length() - 2)
        if settings.recipe.penalised:
            deep = _comparable(count, deep)
        # θ finds more parents useful than a recipe's own cap, which is for columns of many states,
        # and none is asked for: tables of two-state columns tell far more with many than with two
        deeper = settings.degree is None and deep > (settings.recipe.degree or 0)
        binary = two and (not settings.recipe.penalised or deeper)
        cap = settings.degree if binary else settings.most_parents
        limit = count - 1 if cap is None else min(cap, count - 1)
        if binary:
            degree, most = min(limit, deep), float(room)
        else:
            degree, most = limit, min(useful_cells(*shared), room)
        rules = cls(tuple(attributes), settings, records, spending, most, degree, binary)
        smallest = sorted(min(v.cardinality for v in a.levels) for a in attributes)
        nothing_fits = math.prod(smallest[:2]) > most
        if degree == 0 or nothing_fits or rules._independence_is_better():
            return replace(rules, spending=spending.without_structure(), degree=0)
        return rules

    def _independence_is_better(self) -> bool:
        """Whether no structure (k = 0) is predicted to be better, by public facts alone.

        Either a choice would be lost in its own noise: its error, 2 S (d - 1) ln(candidates) / ε₁,
        exceeds the whole range of R and F. Or no parent pays: the cheapest adds (its states - 1)
        times the child's states to the cells, and for half of the children the noise of those
        exceeds what a pair is expected to tell. Between columns of two states θ decides alone.
        """
        if not self.settings.recipe.penalised or self.binary:
            return False
        sizes = sorted(a.variable.cardinality for a in self.attributes)
        sizes = [size for size in sizes if size > 1]
        if len(sizes) < 2 or self._selection_error(sizes) > 1:
            return True
        added = [size * (sizes[0] - 1) for size in sizes[1:]]
        share = self.noise(1) / self.unit
        return 0.5 * share * statistics.median(added) > TYPICAL_DEPENDENCE

    def _selection_error(self, sizes: Sequence[int]) -> float:
        """How far below the best a choice may fall, half of the attributes being placed."""
        half = len(self.attributes) / 2
        sets = sum(half**parents / math.factorial(parents) for parents in range(self.degree + 1))
        moved = float(self.sensitivity((sizes[-1], sizes[-2]))) / self.unit
        choices = len(self.attributes) - 1
        return 2 * moved * choices * math.log(half * sets) / self.spending.structure

    def noise(self, cells: int) -> float:
        """Expected sum of the noise of a table, in records, at an even share of ε₂."""
        scale = self.settings.neighbours.l1_sensitivity / self.spending.tables
        return cells * len(self.attributes) * scale

    @property
    def unit(self) -> float:
        """What scores in records are divided by to be on the paper's scale."""
        return max(self.records, 1)

    def penalty(self, shape: tuple[int, int]) -> Fraction:
        """What is taken off the score of a pair of this shape, in records."""
        if not self.settings.recipe.penalised or math.isinf(self.spending.tables):
            return Fraction(0)
        return Fraction(PENALTY * self.noise(shape[0] * shape[1]))

    def sensitivity(self, shape: tuple[int, int]) -> Fraction:
        """How far one record moves the score of a pair of (settings, states), in records."""
        settings = self.settings
        records = 1 if settings.neighbours is Neighbours.ADD_REMOVE else int(self.unit)
        return records * sensitivity(
            settings.score,
            settings.recipe.bound,
            settings.neighbours,
            records=int(self.records),
            settings=shape[0],
            states=shape[1],
        )

    def family(self, pair: CandidatePair) -> tuple[Variable, ...]:
        """Variables of a pair, the child last."""
        child, parents = pair
        return (*self.above(parents), self.attributes[child].variable)

    def above(self, parents: Parents) -> tuple[Variable, ...]:
        """Variables of some parents, at their levels."""
        return tuple(self.attributes[a].levels[level] for a, level in parents)

    @property
    def kind(self) -> tuple[int, float]:
        """Equal where the number of records, else all alike, allows the same choices."""
        joint = math.prod(a.variable.cardinality for a in self.attributes)
        return self.degree, min(math.floor(self.most), joint)

    def searched(self, placed: Sequence[int]) -> list[CandidatePair]:
        """What a round compares: all candidates, or of those too many that have fewer parents.

        A release has paid when it gets here and may not fail. Public facts alone decide, the
        number of records as published among them.
        """
        deepest = min(self.degree, int(self.most).bit_length())  # parents have two states or more
        for degree in (self.degree, *range(deepest - 1, 0, -1)):
            with contextlib.suppress(SearchError):
                return replace(self, degree=degree).candidates(placed)
        return replace(self, degree=0).candidates(placed)

    def candidates(self, placed: Sequence[int]) -> list[CandidatePair]:
        """Every pair of a variable not placed yet and parents among those placed."""
        sizes = [[v.cardinality for v in self.attributes[a].levels] for a in placed]
        every = self.settings.recipe.penalised and not self.binary
        find = all_parent_sets if every else maximal_parent_sets
        pairs: list[CandidatePair] = []
        sets: dict[int, list[Parents]] = {}
        for child in sorted(set(range(len(self.attributes))) - set(placed)):
            states = self.attributes[child].variable.cardinality
            if states not in sets:
                sets[states] = [
                    tuple((placed[a], level) for a, level in parents)
                    for parents in find(sizes, self.most / states, self.degree)
                ] or [()]
            pairs.extend((child, parents) for parents in sets[states])
            check_candidates(len(pairs))
        return pairs

    def pairs_ahead(self) -> int:
        """Pairs that the whole search will compare, about; too many are refused before it begins.

        Looks at a few rounds as if attributes were placed in their own order: public facts alone.
        """
        if self.degree == 0:
            return 0
        rounds = len(self.attributes) - 1
        compared = [
            len(self.candidates(range(max(1, round(part * rounds))))) for part in LOOKED_AHEAD
        ]
        return round(rounds * sum(compared) / len(compared))


def _comparable(count: int, degree: int) -> int:
    """Most parents, at most ``degree``, whose sets can all be compared in every round."""
    while degree > 1 and _widest(count, degree) > SETS_COMPARED:
        degree -= 1
    return degree


def _widest(count: int, degree: int) -> int:
    """Pairs in the largest round of a search for so many parents each."""
    return max((count - placed) * math.comb(placed, degree) for placed in range(degree, count))


def check_attributes(attributes: Sequence[Attribute], settings: Settings) -> None:
    """Refuse what cannot be searched, before any count is read."""
    if len(attributes) < 2:
        raise EquipoiseError(
            f"there is {len(attributes) or 'no'} column to synthesise, and a structure needs at "
            "least two; add a column, or release a single one with a graph of no edges"
        )
    if len(attributes) > ATTRIBUTE_LIMIT:
        raise EquipoiseError(
            f"there are {len(attributes):,} columns to synthesise, bits counted; at most "
            f"{ATTRIBUTE_LIMIT} are searched, so choose fewer columns"
        )
    for attribute in attributes:
        own = attribute.variable
        if own.cardinality > STATE_LIMIT:
            raise EquipoiseError(
                f"column {own.name!r} has {own.cardinality:,} states; at most {STATE_LIMIT:,} are "
                "synthesised, so give it bins or merge states"
            )
        if settings.score is Score.PEAK and own.cardinality > 2:
            raise EquipoiseError(
                f"score F needs variables of two states and {own.name!r} has {own.cardinality}; "
                "use score R, or a binary or Gray encoding"
            )
