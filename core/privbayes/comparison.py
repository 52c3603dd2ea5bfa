"""Methods and baselines side by side over a range of budgets. Compares with the truth: study."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.experiments import Progress
from core.privbayes.baselines import BASELINES
from core.privbayes.distances import Marginal, distance, distributions, marginals_of
from core.privbayes.encoding import Encoding
from core.privbayes.settings import RECIPES, Settings
from core.privbayes.synthesis import synthesise
from core.scenario import REPLICATE_LIMIT, check_count
from core.table import Array


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is compared: methods, budgets, marginals of ``ways`` variables, repetitions."""

    methods: tuple[str, ...]
    epsilons: tuple[float, ...]
    ways: int
    repetitions: int
    seed: int

    def __post_init__(self) -> None:
        for name in self.methods:
            if name not in RECIPES and name not in BASELINES:
                known = ", ".join((*RECIPES, *BASELINES))
                raise EquipoiseError(f"no method {name!r} to compare; there are {known}")
        check_count("the number of repetitions", self.repetitions, REPLICATE_LIMIT)


@dataclass(frozen=True, eq=False)
class Measured:
    """Mean distance of all marginals of ``ways`` variables, one value for each repetition."""

    method: str
    epsilon: float
    ways: int
    values: Array


def methods_for(rows: Rows) -> tuple[str, ...]:
    """Recipes, then the baselines that can be used on these records."""
    fit = [name for name, b in BASELINES.items() if not b.unfit(rows.dataset.variables)]
    return (*RECIPES, *fit)


def compare(
    rows: Rows,
    encoding: Encoding,
    settings: Settings,
    plan: Plan,
    *,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[Measured]:
    """Each method at each ε, as it is done; it ends early when ``cancelled`` says so.

    One generator for each method and repetition, the same for every ε.
    """
    study = Study.of(rows, encoding, plan.ways)
    total = len(plan.methods) * len(plan.epsilons)
    for done, (method, epsilon) in enumerate(itertools.product(plan.methods, plan.epsilons)):
        if cancelled is not None and cancelled():
            return
        at = replace(settings, epsilon=epsilon)
        values = [
            study.error(method, at, rng=np.random.default_rng([plan.seed, _number(method), r]))
            for r in range(plan.repetitions)
        ]
        yield Measured(method, epsilon, plan.ways, np.array(values))
        if progress is not None:
            progress(done + 1, total)


def _number(method: str) -> int:
    return zlib.crc32(method.encode())


@dataclass(frozen=True, eq=False)
class Study:
    """Records, coded once, with their exact marginals."""

    rows: Rows
    encoded: Rows
    encoding: Encoding
    marginals: tuple[Marginal, ...]
    exact: tuple[Array, ...]

    @classmethod
    def of(cls, rows: Rows, encoding: Encoding, ways: int) -> Study:
        """The marginals of so many variables, counted."""
        marginals = marginals_of(rows.dataset.variables, ways)
        exact = tuple(distributions(rows, marginals))
        return cls(rows, encoding.encode(rows), encoding, tuple(marginals), exact)

    def error(self, method: str, settings: Settings, *, rng: np.random.Generator) -> float:
        """Mean distance of one release of a method."""
        if method in RECIPES:
            made = replace(settings, recipe=RECIPES[method])
            found = synthesise(self.encoded, self.encoding, made, rng=rng)
            tables = list(distributions(found.draw(rng=rng), self.marginals))
            return self._mean(tables)
        tables = BASELINES[method].run(
            self.rows,
            self.rows.dataset.variables,
            self.marginals,
            epsilon=settings.epsilon,
            neighbours=settings.neighbours,
            rng=rng,
        )
        return self._mean(tables)

    def _mean(self, tables: Sequence[Array]) -> float:
        pairs = zip(self.exact, tables, strict=True)
        return float(np.mean([distance(p, q) for p, q in pairs]))
