"""As accurate as a random sample of the records: an error put in terms that everyone knows.

A private release of all records and an exact table of a few of them are both wrong. The share of
the records whose exact tables are wrong by as much says how much of the data the noise costs.
Every record is kept with the same chance, by itself; then the cells of one table are independent
binomial counts, which is how they are drawn. Tables of one sample overlap, and drawn one by one
they do not: exact for errors of rows, and for answers as :func:`core.study.solve.resampled` is.
Compares with the truth: study only.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.parameters import Model
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.metrics import METRICS, RISING, Truth, check_metrics
from core.table import Array

SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95)
"""Samples that are drawn; between them an error is read off on log scales."""

COMPARED = ("l1_weighted", "l1_row", "marginal_l1", "query_l1")
"""Errors that are put so."""

SAMPLES = 40
"""Samples of each size."""


def as_a_sample(share: float, told: str) -> str:
    """How accurate that is, in words; ``told`` is the share as it is written.

    >>> as_a_sample(0.12, "12 %"), as_a_sample(0.0, "")
    ('as accurate as a random 12 % of the records', 'less accurate than the smallest random sample')
    """
    if share > 0:
        return f"as accurate as a random {told} of the records"
    return "less accurate than the smallest random sample"


def subsampled(truth: Truth, share: float, samples: int, *, rng: np.random.Generator) -> Model:
    """Exact models of so many random samples, each record kept with chance ``share``."""
    if not 0 < share <= 1:
        raise EquipoiseError(f"the sample is {share:g} of the records; it lies between 0 and 1")
    counts = truth.counts.astype(np.int64)
    drawn = rng.binomial(counts, share, size=(samples, counts.size)).astype(np.float64)
    return truth.fitted(drawn)


@dataclass(frozen=True, eq=False)
class SamplingCurve:
    """Mean error of the exact model of a random sample, by its share of the records."""

    metric: str
    shares: tuple[float, ...]
    errors: Array

    def equivalent(self, error: float) -> float | None:
        """The share whose samples are wrong by as much; none where the metric says nothing of it.

        Zero where even the smallest samples drawn are right more. Errors of larger samples than
        are drawn fall to zero with √((1 − s)/s).
        """
        if self.metric in RISING or not np.isfinite(error) or error < 0:
            return None
        falling = np.minimum.accumulate(self.errors)
        if error >= falling[0]:
            return 0.0 if error > falling[0] else self.shares[0]
        if error <= falling[-1]:
            return _beyond(self.shares[-1], float(falling[-1]), error)
        logs = np.log(np.maximum(falling[::-1], 1e-12))
        return float(np.exp(np.interp(math.log(error), logs, np.log(self.shares)[::-1])))


def _beyond(share: float, known: float, error: float) -> float:
    """The share above the last one drawn, by the law that holds for large samples."""
    if known == 0:
        return 1.0
    odds = (1 - share) / share * (error / known) ** 2
    return 1 / (1 + odds)


def sample_equivalents(
    method: str,
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    curves: Mapping[str, SamplingCurve],
) -> dict[str, float | None]:
    """For each metric the share of the records whose exact model errs as a method does here."""
    errors = measure(method, truth, counts, scenario, tuple(curves))
    return {m: curve.equivalent(float(errors[m].mean())) for m, curve in curves.items()}


def sampling_curves(
    truth: Truth, metrics: Sequence[str], *, seed: int = 0
) -> dict[str, SamplingCurve]:
    """One curve for each metric, from the same samples."""
    check_metrics(metrics)
    shares = tuple(s for s in SHARES if s * truth.records >= 1) or SHARES[-1:]
    errors: dict[str, list[float]] = {metric: [] for metric in metrics}
    for share in shares:
        model = subsampled(truth, share, SAMPLES, rng=np.random.default_rng([seed, 0x5B]))
        for metric in metrics:
            errors[metric].append(float(METRICS[metric](truth, model).mean()))
    return {m: SamplingCurve(m, shares, np.array(values)) for m, values in errors.items()}
