"""Errors of the published methods on one network, under every reading of "error"."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.inference.evidence import Query
from core.inference.queries import answer
from core.parameters import Model
from core.reproduce.sampled import DATA_SEEDS, drawn_states, truth_and_counts
from core.scenario import Scenario
from core.study.experiments import Point, rehearsals
from core.study.fixed_questions import fixed_questions
from core.study.metrics import METRICS, Truth, cells_mean, cells_sum, distance, divergences
from core.table import Array, cells

SETTING = (
    "Asia, Sachs, Child, Alarm; 10,000 records sampled from each network with seeds 0, 1, 2; "
    "Stage I has 0.1 ε and a sample of rate 0.1"
)
EPSILONS = (1.0, 1.5, 2.0, 2.5, 3.0)
"""Those of Chowdhury et al."""

UNIFORM, ARXIV, ICML = "uniform", "data-dependent-arxiv", "data-dependent-icml"
THEIRS = (ARXIV, ICML)
OURS = ("equipoise", "equipoise-filter")
GRID = (0.5, *EPSILONS, 4.0, 5.0, 7.0, 10.0)
SETS = 5
"""Sets of questions where each run has its own: runs take turns."""

MOST_CELLS = 4096
"""Largest joint answer that is asked for."""

PARAMETERS = {
    "mean over rows seen": ("l1_row", "kl_row"),
    "rows weighted by how common they are": ("l1_weighted", "kl_weighted"),
    "mean over parameters": ("l1_parameter", "kl_parameter"),
    "sum over parameters": ("l1_sum", "kl_sum"),
    "mean over parameters, cells that never occur left out": ("l1_parameter", "kl_occurring"),
}
"""Readings of "error of the parameters": L1 and KL."""

ASKED = ("fixed questions", "new questions in each run", "questions of any size")
MARGINAL, CONDITIONAL = "marginal", "conditional"


def kl_occurring(truth: Truth, model: Model) -> Array:
    """Mean of the terms of KL(private || truth), without cells that never occur in truth."""
    some = truth.model.values > 0
    return np.asarray(divergences(model.values[..., some], truth.model.values[some]).mean(axis=-1))


ALL_METRICS: dict[str, Callable[[Truth, Model], Array]] = {
    **{n: METRICS[n] for pair in PARAMETERS.values() for n in pair if n in METRICS},
    "kl_parameter": functools.partial(cells_mean, terms=divergences),
    "kl_sum": functools.partial(cells_sum, terms=divergences),
    "kl_occurring": kl_occurring,
}


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """Questions of one kind and reading, with the exact answers."""

    queries: tuple[Query, ...]
    exact: tuple[Array, ...]

    @classmethod
    def of(cls, model: Model, queries: Sequence[Query]) -> QuestionSet:
        """Answered once."""
        return cls(tuple(queries), answer(model, queries))

    def errors(self, model: Model) -> tuple[Array, Array]:
        """Mean L1 and mean KL over the questions, for each replicate."""
        pairs = list(zip(answer(model, self.queries), self.exact, strict=True))
        flat = (*model.replicates, -1)
        each = [
            [terms(p, q).reshape(flat).sum(axis=-1) for p, q in pairs]
            for terms in (distance, divergences)
        ]
        return np.mean(each[0], axis=0), np.mean(each[1], axis=0)


def random_queries(
    model: Model, kind: str, count: int, most: int, *, rng: np.random.Generator
) -> list[Query]:
    """Questions with up to ``most`` targets and as many given, at states of a drawn record."""
    names, queries = model.network.names, []
    for record in drawn_states(model, 4 * count, rng=rng):
        sizes = rng.integers(1, most + 1, size=2)
        chosen = rng.permutation(len(names))
        targets = [names[i] for i in chosen[: sizes[0]]]
        given = chosen[sizes[0] : sizes[0] + (sizes[1] if kind == CONDITIONAL else 0)]
        asked = [model.network.variables[i] for i in chosen[: sizes[0]]]
        if cells(asked) <= MOST_CELLS:
            queries.append(Query(tuple(targets), {names[i]: record[names[i]] for i in given}))
    return queries[:count]


def question_sets(truth: Truth, seed: int) -> dict[tuple[str, str], list[QuestionSet]]:
    """By reading and kind; several sets where runs take turns."""
    model = truth.model
    fixed = fixed_questions(model)
    half = max(1, len(truth.network.variables) // 2)
    sets: dict[tuple[str, str], list[QuestionSet]] = {
        (ASKED[0], MARGINAL): [QuestionSet.of(model, fixed[:10])],
        (ASKED[0], CONDITIONAL): [QuestionSet.of(model, fixed[10:])],
    }
    for reading, most, number in ((ASKED[1], 3, SETS), (ASKED[2], half, 1)):
        for kind in (MARGINAL, CONDITIONAL):
            rng = np.random.default_rng([seed, 11, most, kind == CONDITIONAL])
            sets[reading, kind] = [
                QuestionSet.of(model, random_queries(model, kind, 10, most, rng=rng))
                for _ in range(number)
            ]
    return sets


def _answers(model: Model, sets: Sequence[QuestionSet]) -> tuple[Array, Array]:
    """Errors of replicates that take turns at the sets."""
    errors = np.empty((2, *model.replicates))
    for turn, some in enumerate(sets):
        part = Model(model.network, model.values[turn :: len(sets)])
        errors[0, turn :: len(sets)], errors[1, turn :: len(sets)] = some.errors(part)
    return errors[0], errors[1]


@functools.lru_cache(maxsize=8)
def error_study(model: Model, replicates: int, seed: int) -> tuple[Point, ...]:
    """Every method at every ε of the grid under every reading; replicates of three data sets.

    The last block, the methods of this project, is measured at ε = 1 alone.
    """
    values: dict[tuple[str, float, str], list[Array]] = {}
    for data in range(DATA_SEEDS):
        truth, counts = truth_and_counts(model, seed + data)
        sets = question_sets(truth, seed + data)
        for method in (UNIFORM, *THEIRS, *OURS):
            for epsilon in GRID if method not in OURS else (1.0,):
                scenario = Scenario(epsilon=epsilon, replicates=replicates, seed=seed + data)
                for release in rehearsals(method, model.network, counts, scenario):
                    for name, errors in _errors(truth, release.model, sets).items():
                        values.setdefault((method, epsilon, name), []).append(errors)
    return tuple(Point(*key, np.concatenate(parts)) for key, parts in values.items())


def _errors(
    truth: Truth, model: Model, sets: dict[tuple[str, str], list[QuestionSet]]
) -> dict[str, Array]:
    errors = {name: metric(truth, model) for name, metric in ALL_METRICS.items()}
    for (reading, kind), some in sets.items():
        errors[f"{kind} L1, {reading}"], errors[f"{kind} KL, {reading}"] = _answers(model, some)
    return errors
