"""DP-SGD at its best: every way of training on a grid, judged by its true error.

As in the paper, "a grid search over all relevant parameters to ensure it performs as well as
possible" (Bernstein et al. 2017, section 4). The error is known because the model is: on private
records the search would cost budget of its own, which is not charged here. It runs on a population
drawn for it, so the populations that are reported had no part in the choice.
"""

import itertools
import math
from dataclasses import replace

import numpy as np

from core.errors import EquipoiseError
from core.markov.dpsgd import Training, record_cells, train
from core.markov.likelihood import divergence
from core.markov.synthetic import TrueField, population_cliques, population_records
from core.privacy import Neighbours
from core.undirected.sample import Accountant, Setting

SCHEDULES = ((100, 1.0), (300, 0.1), (100, 0.1), (300, 0.03), (100, 0.03))
"""Steps, and the share of the records in each: the most visits to a record first."""

CLIPS = (0.3, 1.0)
"""Clipping norms in units of sqrt(tables)."""

PACES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Learning rates."""

VISITS = 900_000
"""Most records that the steps of a schedule may visit."""

TRIED = 2
"""Schedules that are tried: those with the most visits within the limit."""

PILOT = 4_000
"""Most records of the population it is tuned on, with the noise of all: more choose no better."""

DRAWS = 2
"""Noise draws that judge one way of training."""


def grid(records: int) -> tuple[Training, ...]:
    """Every way of training that is tried for so many records."""
    within = [(steps, rate) for steps, rate in SCHEDULES if steps * rate * records <= VISITS]
    schedules = within[:TRIED] or SCHEDULES[-1:]
    return tuple(
        Training(steps=steps, rate=rate, clip=clip, pace=pace)
        for (steps, rate), clip, pace in itertools.product(schedules, CLIPS, PACES)
    )


def multiplier(accountant: Accountant | None, setting: Setting, rate: float, steps: int) -> float:
    """Noise over sensitivity of ``steps`` Gaussian measurements that one record is in or not.

    A record replaced is one removed and one added: by group privacy each gets ε/2 and
    δ / (1 + e^(ε/2)).
    """
    if accountant is None:
        raise EquipoiseError("an (ε, δ) estimator needs an accountant; pass sources.accounting's")
    epsilon, delta = setting.epsilon, setting.leak
    if setting.neighbours is Neighbours.REPLACE:
        epsilon /= 2
        delta /= 1 + math.exp(min(epsilon, 700.0))
    return accountant(epsilon, delta, rate, steps)


def tuned(truth: TrueField, setting: Setting, accountant: Accountant | None) -> Training:
    """The way of training on the grid with the least KL from the truth. Study only."""
    field, size = truth.field, min(setting.records, PILOT)
    rng = np.random.default_rng([setting.seed, setting.records, 4])
    pilot = population_cliques(truth, size, 1, rng=rng)
    cells = record_cells(field, population_records(field, pilot, 0, rng=rng))[None]
    judged: list[tuple[float, int, Training]] = []
    for _, ways in itertools.groupby(grid(setting.records), key=lambda t: (t.steps, t.rate)):
        some = list(ways)
        noise = multiplier(accountant, setting, some[0].rate, some[0].steps)
        each = [way for way in some for _ in range(DRAWS)]
        share = noise * size / setting.records
        theta = train(field, cells, share, each, records=size, rng=rng)
        away = divergence(field, truth.theta, theta).reshape(-1, DRAWS).mean(axis=1)
        judged += [
            (float(kl) if np.isfinite(kl) else math.inf, len(judged) + place, way)
            for place, (kl, way) in enumerate(zip(away, some, strict=True))
        ]
    return min(judged)[2]


def with_training(truth: TrueField, setting: Setting, accountant: Accountant | None) -> Setting:
    """The setting with its way of training: the one it names, or else the tuned one."""
    if setting.training is not None:
        return setting
    return replace(setting, training=tuned(truth, setting, accountant))
