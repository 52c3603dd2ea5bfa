"""The work behind each view of Undirected, cut into steps that a job does one after the other."""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.errors import EquipoiseError
from core.markov.loopy import loopy_marginals
from core.parallel import cores
from core.table import Array
from core.undirected import mobility, views
from core.undirected.estimators import ESTIMATORS, estimate
from core.undirected.mobility import Holdout
from core.undirected.sample import draw
from core.undirected.study import EstimatorOutcome, measuring, points
from pages.ui.undirected.numbers import BUDGETS, Asked, around, strength
from sources.accounting import noise_multiplier

EM_STEPS = 20
"""EM steps of the picture that shows where to stop."""


@dataclass(frozen=True)
class Task:
    """One step of a job: what it is about, where its result is kept, and how to come by it.

    ``last`` is kept when it need not be done any more, where that is not its own result.
    """

    label: str
    kept: dict[Any, Any]
    key: Hashable
    work: Callable[[], Any]
    last: Hashable = None


def steps(tasks: Iterable[Task], refused: dict[str, str]) -> Iterator[None]:
    """Do the tasks; one that is refused says why and does not stop the others."""
    for task in tasks:
        try:
            task.kept[task.key] = task.work()
        except EquipoiseError as problem:
            refused[task.label] = str(problem)
        yield


def todo(tasks: Iterable[Task], refused: dict[str, str]) -> list[Task]:
    """Tasks that are neither done nor refused."""
    return [t for t in tasks if (t.last or t.key) not in t.kept and t.label not in refused]


def learning(asked: Asked) -> list[Task]:
    """KL at both budgets."""
    return _curves(asked, (asked.setting.epsilon, asked.other))


def times(asked: Asked) -> list[Task]:
    """KL, and with it how long it takes, at one measured budget."""
    return _curves(asked, around(asked.setting.epsilon)[:1])


def _curves(asked: Asked, epsilons: tuple[float, ...]) -> list[Task]:
    """KL of every estimator: small populations first, those that need the accountant last.

    They are measured on all cores, in the order of the tasks, from the first that is run.
    """
    kept, refused = asked.store.curves, asked.store.refused
    late = [name for name in asked.estimators if ESTIMATORS[name].guarantee.has_delta]
    early = [name for name in asked.estimators if name not in late]
    labels = {
        (name, budget, size): f"{name} at ε = {budget:g} and {size:,} records"
        for epsilon in epsilons
        for group in (early, late)
        for name, budget, size in points(group, around(epsilon), asked.sizes)
    }
    missing = [p for p, label in labels.items() if p not in kept and label not in refused]
    measured = measuring(asked.truth, asked.setting, missing, noise_multiplier, workers=cores())

    def work() -> EstimatorOutcome:
        outcome = next(measured)
        if isinstance(outcome, EquipoiseError):
            raise outcome
        return outcome

    return [Task(label, kept, point, work) for point, label in labels.items()]


def marginals(asked: Asked) -> list[Task]:
    """Marginals that each estimator learns from one release; ``loopy`` are those of the truth."""
    truth = asked.truth

    def work(name: str) -> Array:
        if name == "loopy":
            return loopy_marginals(truth.field, truth.theta)[0]
        return views.learned_marginals(name, truth, asked.setting, noise_multiplier)

    kept, place = asked.store.marginals, asked.place
    return [
        Task(f"marginals of {name}", kept, (name, place), functools.partial(work, name))
        for name in asked.pictured
    ]


def squares(asked: Asked) -> list[Task]:
    """Mean squared error of marginals at each N."""
    return _by_size(asked, "squared error", asked.store.squares, views.mean_squares)


def projections(asked: Asked) -> list[Task]:
    """The naive estimator with and without projection at each N."""
    return _by_size(asked, "projection", asked.store.projected, views.projected)


def _by_size(asked: Asked, what: str, kept: dict[Any, Any], work: Callable[..., Any]) -> list[Task]:
    each = [(size, replace(asked.setting, records=size)) for size in asked.sizes]
    return [
        Task(f"{what} with {size:,} records", kept, (asked.setting.epsilon, size),
             functools.partial(work, asked.truth, setting))
        for size, setting in each
    ]  # fmt: skip


def tuning(asked: Asked) -> list[Task]:
    """λ and EM steps, in an order in which both pictures soon show something."""
    strengths, walks = _penalties(asked), _em_steps(asked)
    half = len(walks) // 2
    return [*strengths[:3], *walks[:half], *strengths[3:], *walks[half:]]


def _penalties(asked: Asked) -> list[Task]:
    """The naive estimator for each λ, from noisy and from exact tables: the one in use first."""
    truth, setting = asked.truth, asked.setting
    used = strength(truth, setting)
    return [
        Task(f"λ = {one:g}", asked.store.penalties, (one, asked.place),
             functools.partial(views.penalised, truth, setting, one))
        for one in sorted({*views.PENALTIES, used}, key=lambda one: abs(np.log(one / used)))
    ]  # fmt: skip


def _em_steps(asked: Asked) -> list[Task]:
    """KL after each EM step, from the naive solution and from θ = 0."""

    def walk(zero: bool) -> Iterator[Array]:
        sample = draw(asked.truth, asked.setting)
        start = np.zeros(sample.noise.shape) if zero else estimate("naive", sample).theta
        yield from views.step_divergences(sample, EM_STEPS, start=start)

    walks = []
    for zero, start in ((False, "naive"), (True, "zero")):
        work = functools.partial(next, walk(zero))  # begins with its first step
        walks += [
            Task(f"EM step {step} from {start}", asked.store.steps, (zero, step, asked.place), work,
                 last=(zero, EM_STEPS, asked.place))
            for step in range(EM_STEPS + 1)
        ]  # fmt: skip
    return walks


def holdouts(asked: Asked) -> list[Task]:
    """Holdout log-likelihood of generated people at each ε."""
    store, town, setting = asked.store, asked.town, asked.setting

    def work(name: str, budget: float) -> Holdout:
        if town not in store.cases:
            store.cases[town] = mobility.make_case(
                town, seed=setting.seed, repeats=setting.populations * setting.repeats
            )
        return mobility.holdout(
            store.cases[town], name, budget,
            neighbours=setting.neighbours, share=setting.share, steps=setting.steps,
        )  # fmt: skip

    return [
        Task(f"{name} of the town at ε = {budget:g}", store.holdouts, (town, name, budget),
             functools.partial(work, name, budget))
        for budget in dict.fromkeys((*around(setting.epsilon), *BUDGETS))
        for name in asked.estimators
        if name in mobility.ESTIMATORS
    ]  # fmt: skip
