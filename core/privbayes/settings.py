"""What a synthesis is asked to do: the knobs, the recipe, and how the budget is divided."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from core.errors import EquipoiseError
from core.methods.plans import check_parts
from core.methods.selection import Selection
from core.options import PLAIN
from core.privacy import Guarantee, Neighbours, check_epsilon, check_fraction
from core.privbayes.scores import Score
from core.privbayes.sensitivity import Bound, check_score

RECORDS_SHARE = Fraction(1, 50)
"""Share of ε that counts the records where their number is private (add-remove)."""


class Exact(enum.Enum):
    """Which phase works without noise, to see where the error comes from. For study only."""

    NOTHING = "nothing"
    STRUCTURE = "structure"
    """The paper's BestNetwork."""
    TABLES = "tables"
    """The paper's BestMarginal."""


@dataclass(frozen=True)
class Recipe:
    """How a method works, step by step."""

    name: str
    title: str
    source: str
    split: float
    """β where none is asked for."""
    degree: int | None
    """Most parents where none is asked for."""
    selection: Selection
    bound: Bound
    penalised: bool
    """Every set of parents, its score less the noise of its table; or maximal sets only."""
    improved: bool
    """Tables measured and made consistent as method equipoise does; or as published."""
    way: str = ""
    """A way of :mod:`core.synthesis` that is gone instead of a search for parents."""
    gaussian: bool = False
    """(ε, δ) with Gaussian noise; else pure ε."""


PRIVBAYES = Recipe(
    "privbayes",
    "PrivBayes as published",
    "Zhang et al. 2017 (TODS)",
    split=0.3,
    degree=None,
    selection=Selection.EXPONENTIAL,
    bound=Bound.PUBLISHED,
    penalised=False,
    improved=False,
)
PLUS = Recipe(
    "privbayes-plus",
    "PrivBayes with better choices and estimators",
    "this project; see docs/methods.md",
    split=0.2,
    degree=2,
    selection=Selection.PERMUTE_AND_FLIP,
    bound=Bound.TIGHT,
    penalised=True,
    improved=True,
)
DEFAULT, ADAPTIVE, VIEWS = "equipoise-synthesis", "adaptive", "views"
TITLES = {
    ADAPTIVE: ("adaptive", "Pairs chosen where the model is most wrong"),
    VIEWS: ("views", "Every pair, in small blocks of columns of few states"),
    DEFAULT: ("best", "The way with the least error forecast"),
}
GROWN = tuple(
    replace(
        PLUS,
        name=name + ending,
        title=title + (", Gaussian noise" if ending else ""),
        source="this project; see docs/methods.md",
        degree=None,
        way=way,
        gaussian=bool(ending),
        selection=Selection.EXPONENTIAL if ending else Selection.PERMUTE_AND_FLIP,
    )
    for name, (way, title) in TITLES.items()
    for ending in ("", "-zcdp")
)
"""Recipes of :mod:`core.synthesis`: β, θ, score and parents are not theirs."""

RECIPES = {recipe.name: recipe for recipe in (PRIVBAYES, PLUS, *GROWN)}
COMPARED = (PRIVBAYES.name, PLUS.name, DEFAULT, f"{DEFAULT}-zcdp")
"""Recipes that are set against each other; the others are parts of the last two."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """ε, β ``split`` (share of the structure), θ, the score, and at most ``degree`` parents.

    β and the degree are the recipe's own where they are None.
    """

    epsilon: float = 1.0
    split: float | None = None
    theta: float = 4.0
    score: Score = Score.DEPENDENCE
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    degree: int | None = None
    recipe: Recipe = PLUS
    delta: float = PLAIN.delta
    exact: Exact = Exact.NOTHING

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_fraction("beta (the split)", self.beta)
        check_fraction("delta", self.delta)
        check_score(self.score, self.neighbours)
        if self.recipe.way and self.exact is not Exact.NOTHING:
            raise EquipoiseError(
                f"{self.recipe.name!r} has no phase that is done without noise; choose privbayes "
                "or privbayes-plus to see where their error comes from"
            )
        if not 0 < self.theta < math.inf:
            raise EquipoiseError(f"theta is {self.theta:g}; it must be positive, such as 4")
        if self.degree is not None and self.degree < 0:
            raise EquipoiseError(f"the most parents are {self.degree}; it must not be negative")

    @property
    def beta(self) -> float:
        """The share of ε that the structure may spend."""
        return self.recipe.split if self.split is None else self.split

    @property
    def most_parents(self) -> int | None:
        """Most parents of a variable; None where θ alone decides."""
        return self.recipe.degree if self.degree is None else self.degree

    @property
    def guarantee(self) -> Guarantee:
        """What is promised."""
        return Guarantee.APPROXIMATE if self.recipe.gaussian else Guarantee.PURE

    @property
    def spending(self) -> Spending:
        """What each phase may spend when there is a structure to choose."""
        if math.isinf(self.epsilon):
            return Spending(math.inf, 0.0, math.inf, math.inf)
        return Spending(self.epsilon, *(float(share) * self.epsilon for share in self.shares))

    @property
    def shares(self) -> tuple[Fraction, Fraction, Fraction]:
        """Shares of ε for the number of records, the structure and the tables: one in all."""
        private = self.neighbours is Neighbours.ADD_REMOVE
        records = RECORDS_SHARE if private else Fraction(0)
        structure = Fraction(repr(self.beta)) * (1 - records)
        return records, structure, 1 - records - structure


@dataclass(frozen=True)
class Spending:
    """ε of each phase; checked when made, before any count is read."""

    epsilon: float
    records: float
    structure: float
    tables: float

    def __post_init__(self) -> None:
        parts = np.array([self.records, self.structure, self.tables])
        check_parts(parts[parts > 0], self.epsilon)

    @property
    def total(self) -> float:
        """Everything that is spent, by sequential composition."""
        return self.records + self.structure + self.tables

    def without_structure(self) -> Spending:
        """The same where there is nothing to choose: the structure's part goes to the tables.

        Source: Zhang et al. 2017 (TODS), footnote 6.
        """
        return Spending(self.epsilon, self.records, 0.0, self.structure + self.tables)
