"""The other views of undirected models: marginals, their error, projection, penalty."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.markov.belief import marginals
from core.markov.collective import em_steps
from core.markov.likelihood import divergence, fit, slack
from core.markov.synthetic import TrueField
from core.table import Array
from core.undirected.estimators import estimate
from core.undirected.sample import Accountant, Sample, Setting, draw
from core.undirected.study import EstimatorOutcome, measure

PENALTIES = (1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
"""λ of the sweep."""


def true_marginals(truth: TrueField) -> Array:
    """Marginals of the true model, ``(cells,)``: what Fig. 3a draws the others against."""
    return marginals(truth.field, truth.theta)[1]


def learned_marginals(
    name: str, truth: TrueField, setting: Setting, accountant: Accountant | None = None
) -> Array:
    """Marginals ``(cells,)`` learned from one noisy release by an estimator: Fig. 3a."""
    one = draw(truth, replace(setting, populations=1, repeats=1))
    return marginals(truth.field, estimate(name, one, accountant).theta[0, 0])[1]


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Mean squared error of marginals at one N: what Proposition 4 says, and what is measured.

    ``sampling`` falls as 1/N, ``privacy`` as 1/N². ``each`` are the replicates' own errors, under
    ``noisy`` those of the noisy tables and under an estimator's name those of its marginals.
    """

    sampling: float
    privacy: float
    each: Mapping[str, Array]

    @property
    def noisy(self) -> float:
        """Measured on the noisy tables."""
        return float(self.each["noisy"].mean())

    @property
    def predicted(self) -> float:
        """Mean squared error of a noisy table's cell, over N². Bernstein et al. 2017, Eq. 4."""
        return self.sampling + self.privacy


def mean_squares(
    truth: TrueField, setting: Setting, names: Sequence[str] = ("naive", "cgm")
) -> MeanSquares:
    """Mean squared errors at one N: Fig. 1a."""
    exact, size = true_marginals(truth), setting.records
    sample = draw(truth, setting)
    learned = {"noisy": sample.noisy / size} | {
        name: marginals(truth.field, estimate(name, sample).theta)[1] for name in names
    }
    return MeanSquares(
        float(np.mean(exact * (1 - exact))) / size,
        2 * (sample.scale / size) ** 2,
        {name: np.mean((p - exact) ** 2, axis=-1).ravel() for name, p in learned.items()},
    )


def slopes(points: Mapping[int, float]) -> tuple[float, ...]:
    """Slope of log error over log N between neighbouring points: from -2 (noise) to -1 (sample)."""
    pairs = sorted(points.items())
    return tuple(
        math.log(high / low) / math.log(more / less)
        for (less, low), (more, high) in itertools.pairwise(pairs)
    )


def projected(truth: TrueField, setting: Setting) -> dict[bool, EstimatorOutcome]:
    """KL of the naive estimator with and without projection: Fig. 1b."""
    return {
        how: measure("naive", draw(truth, replace(setting, projected=how))) for how in (True, False)
    }


def penalised(truth: TrueField, setting: Setting, strength: float) -> dict[str, Array]:
    """KL of every replicate for one λ, from ``noisy`` and from ``exact`` tables: Fig. 1c."""
    sample = draw(truth, replace(setting, strength=strength))
    size = setting.records
    exact, tolerance = sample.exact / size, slack(0.0, size)
    theta = fit(truth.field, exact, penalty=strength, tolerance=tolerance).theta
    return {
        "noisy": measure("naive", sample).divergence,
        "exact": divergence(truth.field, truth.theta, theta).ravel(),
    }


def step_divergences(sample: Sample, steps: int, *, start: Array) -> Iterator[Array]:
    """KL of every replicate at the start and after each EM step: where to stop.

    ``start`` is ``(populations, repeats, cells)`` or broadcasts to it.
    """
    field, theta = sample.truth.field, sample.truth.theta
    yield divergence(field, theta, np.broadcast_to(start, sample.noise.shape)).ravel()
    iterates = em_steps(field, sample.noisy, sample.setting.records, sample.scale, start)
    for _, learned in zip(range(steps), iterates, strict=False):
        yield divergence(field, theta, learned.theta).ravel()
