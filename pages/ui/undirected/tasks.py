"""The work behind each view of Undirected, cut into steps that a job does one after the other."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import EquipoiseError
from core.markov.loopy import loopy_marginals
from core.markov.mobility import Town
from core.markov.synthetic import TrueField
from core.parallel import cores
from core.table import Array
from core.undirected import mobility
from core.undirected.estimators import ESTIMATORS, estimate
from core.undirected.sample import Setting, draw
from core.undirected.study import EstimatorOutcome, Point, measuring, points
from core.undirected.views import (
    PENALTIES,
    MeanSquares,
    penalty_steps,
    projection_steps,
    scatter_steps,
    square_steps,
    step_divergences,
)
from pages.ui.undirected.numbers import BUDGETS, Store, around
from pages.ui.undirected.numbers import strength as strength_of
from sources.accounting import noise_multiplier

EM_STEPS = 20
"""EM steps of the picture that shows where to stop."""


@dataclass(frozen=True)
class Task:
    """One step of a job: what it is about, whether it is done, and how to do it."""

    label: str
    done: bool
    run: Callable[[], None]


def steps(tasks: Iterable[Task], refused: dict[str, str]) -> Iterator[None]:
    """Do the tasks; one that is refused says why and does not stop the others."""
    for task in tasks:
        try:
            task.run()
        except EquipoiseError as problem:
            refused[task.label] = str(problem)
        yield


def todo(tasks: Sequence[Task], store: Store) -> list[Task]:
    """Tasks that are neither done nor refused."""
    return [task for task in tasks if not task.done and task.label not in store.refused]


def _all(work: Iterator[None]) -> None:
    deque(work, maxlen=0)


def curves(
    store: Store,
    truth: TrueField,
    setting: Setting,
    names: Sequence[str],
    epsilons: Sequence[float],
    records: Sequence[int],
) -> list[Task]:
    """KL of every estimator: small populations first, those that need the accountant last.

    They are measured on all cores, in the order of the tasks, from the first that is run.
    """
    late = [name for name in names if ESTIMATORS[name].guarantee.has_delta]
    early = [name for name in names if name not in late]
    wanted = [
        point
        for epsilon in epsilons
        for group in (early, late)
        for point in points(group, around(epsilon), records)
    ]

    labels = {point: f"{point[0]} at ε = {point[1]:g} and {point[2]:,} records" for point in wanted}
    missing = [p for p in labels if p not in store.curves and labels[p] not in store.refused]
    measured = measuring(truth, setting, missing, noise_multiplier, workers=cores())

    def run(point: Point) -> None:
        outcome = next(measured)
        if isinstance(outcome, EquipoiseError):
            raise outcome
        store.curves[point] = outcome

    return [
        Task(label, point in store.curves, functools.partial(run, point))
        for point, label in labels.items()
    ]


def marginals(store: Store, truth: TrueField, setting: Setting, names: Sequence[str]) -> list[Task]:
    """Marginals that each estimator learns from one release; ``loopy`` are those of the truth."""
    place = (setting.epsilon, setting.records)

    def run(name: str) -> None:
        fresh: dict[str, Array] = {}
        if name == "loopy":
            fresh[name] = loopy_marginals(truth.field, truth.theta)[0]
        else:
            _all(scatter_steps(fresh, truth, setting, [name], noise_multiplier))
        store.marginals[name, place] = fresh[name]

    return [
        Task(f"marginals of {name}", (name, place) in store.marginals, functools.partial(run, name))
        for name in names
    ]


def squares(store: Store, truth: TrueField, setting: Setting, records: Sequence[int]) -> list[Task]:
    """Mean squared error of marginals at each N."""

    def run(size: int) -> None:
        fresh: dict[int, MeanSquares] = {}
        _all(square_steps(fresh, truth, setting, [size]))
        store.squares[setting.epsilon, size] = fresh[size]

    return [
        Task(
            f"squared error with {size:,} records",
            (setting.epsilon, size) in store.squares,
            functools.partial(run, size),
        )
        for size in records
    ]


def projections(
    store: Store, truth: TrueField, setting: Setting, records: Sequence[int]
) -> list[Task]:
    """The naive estimator with and without projection at each N."""

    def run(size: int) -> None:
        fresh: dict[tuple[bool, int], EstimatorOutcome] = {}
        _all(projection_steps(fresh, truth, setting, [size]))
        for (projected, _), outcome in fresh.items():
            store.projected[projected, (setting.epsilon, size)] = outcome

    return [
        Task(
            f"projection with {size:,} records",
            (False, (setting.epsilon, size)) in store.projected,
            functools.partial(run, size),
        )
        for size in records
    ]


def penalties(store: Store, truth: TrueField, setting: Setting) -> list[Task]:
    """The naive estimator for each λ, from noisy and from exact tables: the one in use first."""
    place = (setting.epsilon, setting.records)
    used = strength_of(truth, setting)

    def run(strength: float) -> None:
        fresh: dict[tuple[str, float], Array] = {}
        _all(penalty_steps(fresh, truth, setting, [strength]))
        for (tables, _), values in fresh.items():
            store.penalties[tables, strength, place] = values

    return [
        Task(
            f"λ = {strength:g}",
            ("exact", strength, place) in store.penalties,
            functools.partial(run, strength),
        )
        for strength in sorted({*PENALTIES, used}, key=lambda s: abs(np.log(s / used)))
    ]


def em_steps(store: Store, truth: TrueField, setting: Setting) -> list[Task]:
    """KL after each EM step, from the naive solution and from θ = 0."""
    place = (setting.epsilon, setting.records)

    def walk(zero: bool) -> Iterator[Array]:
        sample = draw(truth, setting)
        start = np.zeros(sample.noise.shape) if zero else estimate("naive", sample).theta
        yield from step_divergences(sample, EM_STEPS, start=start)

    def run(zero: bool, step: int, walking: Iterator[Array]) -> None:
        store.steps[zero, step, place] = next(walking)

    walks = []
    for zero in (False, True):
        walking = walk(zero)  # begins with its first step
        done = (zero, EM_STEPS, place) in store.steps
        walks += [
            Task(
                f"EM step {step} from {'zero' if zero else 'naive'}",
                done,
                functools.partial(run, zero, step, walking),
            )
            for step in range(EM_STEPS + 1)
        ]
    return walks


def tuning(store: Store, truth: TrueField, setting: Setting) -> list[Task]:
    """λ and EM steps, in an order in which both pictures soon show something."""
    strengths, walks = penalties(store, truth, setting), em_steps(store, truth, setting)
    half = len(walks) // 2
    return [*strengths[:3], *walks[:half], *strengths[3:], *walks[half:]]


def holdouts(
    store: Store, town: Town, setting: Setting, names: Sequence[str], epsilon: float
) -> list[Task]:
    """Holdout log-likelihood of generated people at each ε."""
    wished = [name for name in names if name in mobility.ESTIMATORS]
    budgets = dict.fromkeys((*around(epsilon), *BUDGETS))

    def run(name: str, budget: float) -> None:
        if town not in store.cases:
            store.cases[town] = mobility.make_case(
                town, seed=setting.seed, repeats=setting.populations * setting.repeats
            )
        fresh: dict[tuple[str, float], mobility.Holdout] = {}
        steps = mobility.holdout_steps(
            fresh, store.cases[town], [(name, budget)],
            neighbours=setting.neighbours, share=setting.share, steps=setting.steps,
        )  # fmt: skip
        _all(steps)
        store.holdouts[town, name, budget] = fresh[name, budget]

    return [
        Task(
            f"{name} of the town at ε = {budget:g}",
            (town, name, budget) in store.holdouts,
            functools.partial(run, name, budget),
        )
        for budget in budgets
        for name in wished
    ]
