"""Differentially private stochastic gradient descent on the records: (ε, δ), the general rival.

Each step draws a Poisson sample of the records, clips every record's gradient, adds Gaussian noise
to their sum and moves. The noise multiplier (noise over clipping norm) is an argument: an
accountant outside finds it for ε, δ, sampling rate and number of steps. Needs every record, not
only counts. Source: Abadi et al. 2016, Algorithm 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.markov.belief import column_marginals
from core.markov.graph import Field
from core.table import Array

Codes = NDArray[np.integer]


@dataclass(frozen=True)
class Training:
    """How DP-SGD runs; all of it public.

    ``rate`` is the share of the records in each step's sample, ``clip`` the largest norm of one
    record's gradient in units of sqrt(tables), ``pace`` the learning rate of the first steps: it
    falls to zero like a cosine, and ``momentum`` averages gradients.
    """

    steps: int = 100
    rate: float = 0.1
    clip: float = 1.0
    pace: float = 1.0
    momentum: float = 0.9

    def __post_init__(self) -> None:
        if self.steps < 1 or not 0 < self.rate <= 1 or not 0 <= self.momentum < 1:
            raise EquipoiseError(
                f"DP-SGD with {self.steps} steps, rate {self.rate:g} and momentum "
                f"{self.momentum:g} cannot run; take at least one step, a rate above 0 and at "
                "most 1, a momentum from 0 to below 1"
            )
        if not 0 < self.clip < math.inf or not 0 < self.pace < math.inf:
            raise EquipoiseError(
                f"DP-SGD has clipping norm {self.clip:g} and pace {self.pace:g}; both must be "
                "positive"
            )


def record_cells(field: Field, codes: Codes) -> Codes:
    """The cell of each table that each record is in: ``(*lead, records, tables)``."""
    cells = []
    for clique, shape, where in zip(field.tables, field.shapes, field.slices, strict=True):
        cell = np.zeros(codes.shape[:-1], dtype=np.int32)
        for v, size in zip(clique, shape, strict=True):
            cell = cell * size + codes[..., v]
        cells.append(cell + where.start)
    return np.stack(cells, axis=-1)


def train(
    field: Field,
    cells: Codes,
    multiplier: float,
    trainings: Sequence[Training],
    *,
    records: int,
    rng: np.random.Generator,
) -> Array:
    """θ after training once in each of several ways at the same time, ``(ways, cells)``.

    They agree in steps, rate and momentum, and share the populations evenly, in order. ``cells``
    is ``(populations, records, tables)`` from :func:`record_cells`; no table is shared.
    Neighbours: a record added or removed; the divisor is rate times ``records``, their public
    number.
    """
    first, replicates = trainings[0], len(trainings)
    norms = np.array([t.clip for t in trainings]) * math.sqrt(cells.shape[2])
    paces = np.array([t.pace for t in trainings])
    expected = first.rate * records
    theta, speed = np.zeros((2, field.size, replicates))
    for step in range(first.steps):
        _, mean = column_marginals(field, theta)
        total = _clipped_sum(cells, mean, norms, first.rate, rng=rng)
        total += multiplier * norms * rng.standard_normal(total.shape)
        fallen = 0.5 * (1 + math.cos(math.pi * step / first.steps))
        speed = first.momentum * speed + total / expected
        theta += fallen * paces * (1 - first.momentum) * speed
    return np.ascontiguousarray(theta.T)


def _clipped_sum(
    cells: Codes, mean: Array, norms: Array, rate: float, *, rng: np.random.Generator
) -> Array:
    """Sum over a Poisson sample of clipped gradients φ(x) - μ: ``(cells, replicates)``."""
    records, tables = cells.shape[1:]
    size, replicates = mean.shape
    repeats = replicates // len(cells)
    chosen = _sample(records * replicates, rate, rng=rng)
    replicate, record = np.divmod(chosen, records)
    held = cells[replicate // repeats, record]
    flat = held * replicates + replicate[:, None]
    own = mean.ravel().take(flat).sum(axis=1)
    length = np.sqrt(np.maximum(tables - 2 * own + (mean**2).sum(axis=0)[replicate], 0))
    weight = np.minimum(1.0, norms[replicate] / np.maximum(length, 1e-300))
    total = np.bincount(flat.ravel(), np.repeat(weight, tables), minlength=size * replicates)
    return total.reshape(mean.shape) - np.bincount(replicate, weight, replicates) * mean


def _sample(size: int, rate: float, *, rng: np.random.Generator) -> NDArray[np.intp]:
    """Positions below ``size``, each chosen independently with probability ``rate``."""
    if rate == 1:
        return np.arange(size)
    guess = int(size * rate + 6 * math.sqrt(size * rate) + 10)
    places = np.cumsum(rng.geometric(rate, guess)) - 1
    while places[-1] < size:
        places = np.concatenate([places, places[-1] + np.cumsum(rng.geometric(rate, guess))])
    return places[places < size]
