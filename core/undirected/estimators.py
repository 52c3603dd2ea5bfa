"""Every way from a population to an undirected model that the views compare: ``ESTIMATORS``.

Those with a promise see the records through one measurement with noise (``measured``), or through
the noisy steps of DP-SGD; everything after is post-processing. The number of records is public.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.errors import EquipoiseError
from core.markov.collective import collective
from core.markov.dpsgd import record_cells, train
from core.markov.likelihood import Learned, fit, naive, slack
from core.markov.synthetic import population_records, random_potentials
from core.privacy import Guarantee
from core.table import Array
from core.undirected.sample import Accountant, Sample, strength
from core.undirected.tuning import multiplier, with_training

ROW_LIMIT = 2_000_000
"""Most records of all populations together that DP-SGD may hold."""

RANDOM_PENALTY = 0.01
"""λ of the random reference: random tables contradict each other, so some is needed to fit them."""


@dataclass(frozen=True, eq=False)
class NoisyTables:
    """Noisy tables ``(populations, repeats, cells)``, and the Laplace scale of their variance."""

    noisy: Array
    scale: float


Measure = Callable[[Sample, Accountant | None], NoisyTables]
Run = Callable[[Sample, Accountant | None], Learned]


@dataclass(frozen=True)
class Estimator:
    """One way from a sample to log-potentials ``(populations, repeats, cells)``.

    ``measured`` are the noisy tables it learns from, if that is what it does with the records.
    """

    name: str
    guarantee: Guarantee
    run: Run
    measured: Measure | None = None


def _laplace(sample: Sample, _: Accountant | None) -> NoisyTables:
    return NoisyTables(sample.noisy, sample.scale)


def _deviation(sample: Sample, accountant: Accountant | None) -> float:
    """Of Gaussian noise on all tables at once, (ε, δ): L2 sensitivity times multiplier."""
    setting = sample.setting
    if accountant is None:
        raise EquipoiseError("an (ε, δ) estimator needs an accountant; pass sources.accounting's")
    reach = setting.neighbours.l2_over(len(sample.truth.field.tables))
    return reach * accountant(setting.epsilon, setting.leak, 1.0, 1)


def _gaussian(sample: Sample, accountant: Accountant | None) -> NoisyTables:
    setting, deviation = sample.setting, _deviation(sample, accountant)
    rng = np.random.default_rng([setting.seed, setting.records, 1])
    noisy = sample.exact + deviation * rng.standard_normal(sample.noise.shape)
    return NoisyTables(noisy, deviation / math.sqrt(2))


def _likeliest(measure: Measure, sample: Sample, accountant: Accountant | None) -> Learned:
    """Maximum likelihood of noisy tables."""
    setting, tables = sample.setting, measure(sample, accountant)
    return naive(
        sample.truth.field, tables.noisy, setting.records, tables.scale,
        penalty=strength(tables.scale, setting), projected=setting.projected,
    )  # fmt: skip


def _cgm(sample: Sample, accountant: Accountant | None) -> Learned:
    setting = sample.setting
    noisy = sample.noisy
    start = Learned(np.zeros(noisy.shape), np.ones(noisy.shape[:-1], dtype=np.bool_))
    if not setting.zero:
        start = _likeliest(_laplace, sample, accountant)
    field, scale = sample.truth.field, sample.scale
    more = collective(field, noisy, setting.records, scale, start=start.theta, steps=setting.steps)
    return Learned(more.theta, start.converged & more.converged)


def _dpsgd(sample: Sample, accountant: Accountant | None) -> Learned:
    ready = prepared("dp-sgd", sample, accountant)
    setting, structure = ready.setting, sample.truth.field
    assert setting.training is not None
    rng = np.random.default_rng([setting.seed, setting.records, 2])
    rows = [
        population_records(structure, sample.cliques, p, rng=rng)
        for p in range(setting.populations)
    ]
    cells = np.stack([record_cells(structure, codes) for codes in rows])
    training = setting.training
    share = multiplier(accountant, setting, training.rate, training.steps)
    every = [training] * (setting.populations * setting.repeats)
    theta = train(structure, cells, share, every, records=setting.records, rng=rng)
    theta = theta.reshape(setting.populations, setting.repeats, -1)
    return Learned(theta, np.ones(theta.shape[:-1], dtype=np.bool_))  # it ends where it ends


def _non_private(sample: Sample, _: Accountant | None) -> Learned:
    field, records, shape = sample.truth.field, sample.setting.records, sample.noise.shape
    tolerance = slack(0.0, records)
    learned = fit(field, sample.exact / records, penalty=1 / records, tolerance=tolerance)
    converged = np.broadcast_to(learned.converged, shape[:-1])
    return Learned(np.broadcast_to(learned.theta, shape), converged)


def _random(sample: Sample, _: Accountant | None) -> Learned:
    """Random tables, then maximum likelihood: the paper's reference without any data.

    Source: Bernstein et al. 2017, section 4.1; tables are Dirichlet draws of concentration one, as
    the true potentials are.
    """
    rng = np.random.default_rng([sample.setting.seed, 3])
    field = sample.truth.field
    tables = np.exp(random_potentials(field, sample.noise.shape[:-1], rng=rng))
    goal = tables * field.multiplicity[field.owner]
    return fit(field, goal, penalty=RANDOM_PENALTY, tolerance=0.1 * RANDOM_PENALTY)


ESTIMATORS: dict[str, Estimator] = {
    e.name: e
    for e in (
        Estimator("naive", Guarantee.PURE, partial(_likeliest, _laplace), _laplace),
        Estimator("cgm", Guarantee.PURE, _cgm, _laplace),
        Estimator("gaussian", Guarantee.APPROXIMATE, partial(_likeliest, _gaussian), _gaussian),
        Estimator("dp-sgd", Guarantee.APPROXIMATE, _dpsgd),
        Estimator("non-private", Guarantee.NONE, _non_private),
        Estimator("random", Guarantee.NONE, _random),
    )
}
"""Every estimator that the views compare."""

WITHOUT_NOISE = tuple(name for name, e in ESTIMATORS.items() if not e.guarantee.private)
"""Estimators that no ε moves."""


def check_name(name: str) -> str:
    """The name of an estimator, or a sentence."""
    if name not in ESTIMATORS:
        raise EquipoiseError(f"no estimator {name!r}; there are {', '.join(ESTIMATORS)}")
    return name


def prepared(name: str, sample: Sample, accountant: Accountant | None) -> Sample:
    """The sample with what is found before the records are touched: for DP-SGD its training.

    What an accountant remembers is then ready too, so that neither is timed.
    """
    setting = sample.setting
    if ESTIMATORS[name].measured is _gaussian:
        _deviation(sample, accountant)
    if name != "dp-sgd":
        return sample
    if setting.records * setting.populations > ROW_LIMIT:
        raise EquipoiseError(
            f"DP-SGD would hold {setting.populations} populations of {setting.records:,} records; "
            f"at most {ROW_LIMIT:,} in all fit, so take fewer records or populations"
        )
    return replace(sample, setting=with_training(sample.truth, setting, accountant))


def estimate(name: str, sample: Sample, accountant: Accountant | None = None) -> Learned:
    """What one estimator learns, by name."""
    return ESTIMATORS[check_name(name)].run(sample, accountant)
