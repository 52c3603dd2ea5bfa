"""The work behind each view of Undirected, cut into steps that a job does one after the other."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from core.errors import EquipoiseError
from core.markov.loopy import loopy_marginals
from core.markov.mobility import Town
from core.markov.synthetic import TrueField
from core.parallel import cores
from core.table import Array
from core.undirected import mobility, views
from core.undirected.estimators import ESTIMATORS, estimate
from core.undirected.sample import Setting, draw
from core.undirected.study import Point, measuring, points
from pages.ui.undirected.numbers import BUDGETS, Store, around
from pages.ui.undirected.numbers import strength as strength_of
from sources.accounting import noise_multiplier

EM_STEPS = 20
"""EM steps of the picture that shows where to stop."""


Of = TypeVar("Of")


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


def _tasks(
    every: Iterable[Of], label: str, done: Callable[[Of], bool], run: Callable[[Of], None]
) -> list[Task]:
    return [Task(label.format(one), done(one), functools.partial(run, one)) for one in every]


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
        store.marginals[name, place] = (
            loopy_marginals(truth.field, truth.theta)[0]
            if name == "loopy"
            else views.learned_marginals(name, truth, setting, noise_multiplier)
        )

    return _tasks(names, "marginals of {}", lambda n: (n, place) in store.marginals, run)


def squares(store: Store, truth: TrueField, setting: Setting, records: Sequence[int]) -> list[Task]:
    """Mean squared error of marginals at each N."""
    kept, epsilon = store.squares, setting.epsilon

    def run(size: int) -> None:
        kept[epsilon, size] = views.mean_squares(truth, replace(setting, records=size))

    label = "squared error with {:,} records"
    return _tasks(records, label, lambda size: (epsilon, size) in kept, run)


def projections(
    store: Store, truth: TrueField, setting: Setting, records: Sequence[int]
) -> list[Task]:
    """The naive estimator with and without projection at each N."""
    kept, epsilon = store.projected, setting.epsilon

    def run(size: int) -> None:
        for how, outcome in views.projected(truth, replace(setting, records=size)).items():
            kept[how, (epsilon, size)] = outcome

    label = "projection with {:,} records"
    return _tasks(records, label, lambda size: (False, (epsilon, size)) in kept, run)


def penalties(store: Store, truth: TrueField, setting: Setting) -> list[Task]:
    """The naive estimator for each λ, from noisy and from exact tables: the one in use first."""
    place = (setting.epsilon, setting.records)
    used = strength_of(truth, setting)

    def run(strength: float) -> None:
        for tables, values in views.penalised(truth, setting, strength).items():
            store.penalties[tables, strength, place] = values

    strengths = sorted({*views.PENALTIES, used}, key=lambda s: abs(np.log(s / used)))
    done = lambda s: ("exact", s, place) in store.penalties  # noqa: E731 - beside its like
    return _tasks(strengths, "λ = {:g}", done, run)


def em_steps(store: Store, truth: TrueField, setting: Setting) -> list[Task]:
    """KL after each EM step, from the naive solution and from θ = 0."""
    place = (setting.epsilon, setting.records)

    def walk(zero: bool) -> Iterator[Array]:
        sample = draw(truth, setting)
        start = np.zeros(sample.noise.shape) if zero else estimate("naive", sample).theta
        yield from views.step_divergences(sample, EM_STEPS, start=start)

    def run(zero: bool, step: int, walking: Iterator[Array]) -> None:
        store.steps[zero, step, place] = next(walking)

    walks = []
    for zero in (False, True):
        walking = walk(zero)  # begins with its first step
        done = (zero, EM_STEPS, place) in store.steps
        start = "zero" if zero else "naive"
        for step in range(EM_STEPS + 1):
            act = functools.partial(run, zero, step, walking)
            walks.append(Task(f"EM step {step} from {start}", done, act))
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
        store.holdouts[town, name, budget] = mobility.holdout(
            store.cases[town], name, budget,
            neighbours=setting.neighbours, share=setting.share, steps=setting.steps,
        )  # fmt: skip

    tasks = []
    for name, budget in ((name, budget) for budget in budgets for name in wished):
        done, act = (town, name, budget) in store.holdouts, functools.partial(run, name, budget)
        tasks.append(Task(f"{name} of the town at ε = {budget:g}", done, act))
    return tasks
