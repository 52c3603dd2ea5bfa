"""Methods and baselines side by side over a range of budgets. Compares with the truth: study."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.privbayes.baselines import BASELINES
from core.privbayes.encoding import Encoding
from core.privbayes.multiplicative import Wanted
from core.privbayes.rehearsal import Comparison, mean_distance
from core.privbayes.settings import COMPARED, RECIPES, Exact, Settings
from core.privbayes.synthesis import synthesise
from core.scenario import REPLICATE_LIMIT, check_count
from core.table import Array

VARIANTS = {"best network": Exact.STRUCTURE, "best marginals": Exact.TABLES}
"""The recipe on show with one phase exact: where the error comes from. Not private."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is compared: methods, budgets, marginals of so many variables, repetitions."""

    methods: tuple[str, ...]
    epsilons: tuple[float, ...]
    ways: tuple[int, ...] = (2,)
    repetitions: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        known = (*RECIPES, *BASELINES, *VARIANTS)
        for name in self.methods:
            if name not in known:
                raise EquipoiseError(f"no method {name!r} to compare; there are {', '.join(known)}")
        check_count("the number of repetitions", self.repetitions, REPLICATE_LIMIT)

    @property
    def points(self) -> tuple[tuple[str, float], ...]:
        """Every method at every ε."""
        return tuple(itertools.product(self.methods, self.epsilons))


@dataclass(frozen=True, eq=False)
class Measured:
    """Mean distance of marginals: ``values[repetition, k]`` for the k-th of the plan's ways.

    There are none where the method was ``refused`` at this ε, for the reason given.
    """

    method: str
    epsilon: float
    values: Array
    refused: str = ""


def methods_for(rows: Rows) -> tuple[str, ...]:
    """Recipes, then the baselines that can be used on these records."""
    fit = [name for name, b in BASELINES.items() if not b.unfit(rows.dataset.variables)]
    return (*COMPARED, *fit)


def compare(rows: Rows, encoding: Encoding, settings: Settings, plan: Plan) -> Iterator[Measured]:
    """Each method at each ε, as it is done; whoever has enough stops asking.

    One generator for each method and repetition, the same for every ε and for variants. A search
    that is refused at some ε leaves that point out and says why; the others are measured.
    """
    study = ComparedRecords.of(rows, encoding, plan.ways)
    for method, epsilon in plan.points:
        at = replace(settings, epsilon=epsilon)
        drawn_as = settings.recipe.name if method in VARIANTS else method
        number = zlib.crc32(drawn_as.encode())
        try:
            values = [
                study.errors(method, at, rng=np.random.default_rng([plan.seed, number, r]))
                for r in range(plan.repetitions)
            ]
        except EquipoiseError as problem:
            yield Measured(method, epsilon, np.zeros((0, len(study.comparison.ways))), str(problem))
        else:
            yield Measured(method, epsilon, np.array(values))


@dataclass(frozen=True, eq=False)
class ComparedRecords:
    """Records, coded once, with their exact marginals for each number of variables."""

    rows: Rows
    encoded: Rows
    encoding: Encoding
    comparison: Comparison

    @classmethod
    def of(cls, rows: Rows, encoding: Encoding, ways: Sequence[int]) -> ComparedRecords:
        """The marginals of so many variables, counted."""
        return cls(rows, encoding.encode(rows), encoding, Comparison.of(rows, ways))

    def errors(
        self, method: str, settings: Settings, *, rng: np.random.Generator
    ) -> tuple[float, ...]:
        """Mean distance of one release of a method, for each number of variables.

        A synthesis serves all of them; a baseline spends ε on each anew, as in the paper.
        """
        if method in BASELINES:
            variables, knobs = self.rows.dataset.variables, (settings.epsilon, settings.neighbours)
            wanted = (Wanted(self.rows, variables, m, *knobs) for m in self.comparison.marginals)
            return tuple(
                mean_distance(exact, BASELINES[method].run(one, rng=rng))
                for one, exact in zip(wanted, self.comparison.exact, strict=True)
            )
        recipe = RECIPES.get(method, settings.recipe)
        own = replace(settings, recipe=recipe, exact=VARIANTS.get(method, Exact.NOTHING))
        synthesis = synthesise(self.encoded, self.encoding, own, rng=rng)
        return self.comparison.errors(synthesis.compared_with(self.rows).draw(rng=rng))
