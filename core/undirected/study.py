"""Estimators of undirected models, compared on populations drawn from a known model.

Every function that takes long is a generator that fills a mapping and yields after each step, so
that a job can be stopped between steps and keeps what it has. Study only: errors are measured
against the truth.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import EquipoiseError
from core.markov.collective import collective
from core.markov.dpsgd import record_cells, train, tuned
from core.markov.likelihood import divergence, fit, naive, slack
from core.markov.synthetic import Truth, population_records, random_potentials
from core.privacy import Neighbours
from core.table import Array
from core.undirected.sample import Accountant, Sample, Setting, draw, strength

ROW_LIMIT = 2_000_000
"""Most records of all populations together that DP-SGD may hold."""


Run = Callable[[Sample, Accountant | None], Array]


@dataclass(frozen=True)
class Estimator:
    """One way from a sample to log-potentials ``(populations, repeats, cells)``."""

    name: str
    title: str
    guarantee: str
    run: Run


def _naive(sample: Sample, _: Accountant | None) -> Array:
    setting = sample.setting
    return naive(
        sample.truth.field,
        sample.noisy,
        setting.records,
        sample.scale,
        penalty=sample.strength,
        projected=setting.projected,
    )


def _cgm(sample: Sample, accountant: Accountant | None) -> Array:
    setting = sample.setting
    noisy = sample.noisy
    start = np.zeros(noisy.shape) if setting.zero else _naive(sample, accountant)
    return collective(
        sample.truth.field,
        noisy,
        setting.records,
        sample.scale,
        start=start,
        steps=setting.steps,
    )


def _gaussian(sample: Sample, accountant: Accountant | None) -> Array:
    """The naive estimator with Gaussian noise on all tables at once, (ε, δ)."""
    setting, structure = sample.setting, sample.truth.field
    # one record more or less moves one cell of each table by 1, one replaced moves two
    reach = math.sqrt(setting.neighbours.histogram_distance * len(structure.tables))
    deviation = reach * _multiplier(accountant, setting.epsilon, setting.leak, 1.0, 1)
    rng = np.random.default_rng([setting.seed, setting.records, 1])
    noisy = sample.exact + deviation * rng.standard_normal(sample.noise.shape)
    scale = deviation / math.sqrt(2)  # the Laplace scale with the same variance
    weight = strength(scale, setting)
    return naive(structure, noisy, setting.records, scale, penalty=weight)


def _multiplier(
    accountant: Accountant | None, epsilon: float, delta: float, rate: float, steps: int
) -> float:
    if accountant is None:
        raise EquipoiseError("an (ε, δ) estimator needs an accountant; pass sources.accounting's")
    return accountant(epsilon, delta, rate, steps)


def _dpsgd(sample: Sample, accountant: Accountant | None) -> Array:
    setting, structure = sample.setting, sample.truth.field
    if setting.records * setting.populations > ROW_LIMIT:
        raise EquipoiseError(
            f"DP-SGD would hold {setting.populations} populations of {setting.records:,} records; "
            f"at most {ROW_LIMIT:,} in all fit, so take fewer records or populations"
        )
    rng = np.random.default_rng([setting.seed, setting.records, 2])
    rows = [
        population_records(structure, sample.cliques, p, rng=rng)
        for p in range(setting.populations)
    ]
    cells = np.stack([record_cells(structure, codes) for codes in rows])
    training = setting.training or tuned(setting.records, setting.epsilon)
    epsilon, delta = setting.epsilon, setting.leak
    if setting.neighbours is Neighbours.REPLACE:  # one removed and one added, by group privacy
        epsilon /= 2
        delta /= 1 + math.exp(min(epsilon, 700.0))
    noise = _multiplier(accountant, epsilon, delta, training.rate, training.steps)
    return train(structure, cells, noise, training, repeats=setting.repeats, rng=rng)


def _non_private(sample: Sample, _: Accountant | None) -> Array:
    records = sample.setting.records
    found = fit(
        sample.truth.field,
        sample.exact / records,
        penalty=1 / records,
        tolerance=slack(0.0, records),
    )
    return np.broadcast_to(found, sample.noise.shape)


def _random(sample: Sample, _: Accountant | None) -> Array:
    """Marginals of a model with random potentials: their maximum likelihood is that model."""
    rng = np.random.default_rng([sample.setting.seed, 3])
    return random_potentials(sample.truth.field, sample.noise.shape[:-1], rng=rng)


ESTIMATORS: dict[str, Estimator] = {
    e.name: e
    for e in (
        Estimator("naive", "Naive maximum likelihood", "pure ε-DP", _naive),
        Estimator("cgm", "Collective graphical model (EM)", "pure ε-DP", _cgm),
        Estimator("gaussian", "Naive with one Gaussian measurement", "(ε, δ)-DP", _gaussian),
        Estimator("dp-sgd", "Private stochastic gradient descent", "(ε, δ)-DP", _dpsgd),
        Estimator("non-private", "Maximum likelihood, no privacy", "none", _non_private),
        Estimator("random", "Random potentials, no data", "none", _random),
    )
}
"""Every estimator that the views compare."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """KL from the truth of each replicate ``(populations · repeats,)``, and seconds for all."""

    divergence: Array
    seconds: float


Found = dict[tuple[str, float, int], Outcome]
"""(estimator, ε, N) -> outcome."""


def estimate(name: str, sample: Sample, accountant: Accountant | None = None) -> Array:
    """Log-potentials of one estimator by name."""
    if name not in ESTIMATORS:
        raise EquipoiseError(f"no estimator {name!r}; there are {', '.join(ESTIMATORS)}")
    return ESTIMATORS[name].run(sample, accountant)


def measure(name: str, sample: Sample, accountant: Accountant | None = None) -> Outcome:
    """KL of one estimator from the truth, and how long it took."""
    began = time.thread_time()  # whatever else the machine does
    theta = estimate(name, sample, accountant)
    seconds = time.thread_time() - began
    return Outcome(divergence(sample.truth.field, sample.truth.theta, theta).ravel(), seconds)


def curve_steps(
    found: Found,
    truth: Truth,
    setting: Setting,
    points: Sequence[tuple[str, float, int]],
    accountant: Accountant | None = None,
) -> Iterator[None]:
    """KL at each (estimator, ε, N) into ``found``: Fig. 2, and times. One step for each point."""
    for name, epsilon, records in points:
        sample = draw(truth, replace(setting, epsilon=epsilon, records=records))
        found[name, epsilon, records] = measure(name, sample, accountant)
        yield
