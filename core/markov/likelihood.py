"""Maximum likelihood from tables of counts, exact or noisy: the naive estimator and references.

b is the Laplace scale of a cell, N the number of records, λ the penalty on the squared
log-potentials; everything is divided by N, so the objective is A(θ) - θ·y/N + λ |θ|². In all
functions ``records`` may have the replicates' shape, and ``scale`` any shape that broadcasts to
``(*replicates, cells)``.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from core.estimation.projection import project
from core.markov.belief import column_marginals
from core.markov.descent import Flags, Index, minimise
from core.markov.graph import Field
from core.table import Array, replicates_last

PENALTY = 0.3
"""λ in units of b/N: a strong choice for graphs with random potentials."""

FAMILY_PENALTY = 0.1
"""The same for the moral graph of a Bayesian network."""

SLACK = 0.3
"""Largest gradient of a solution in units of b/N, or of 1/N without noise: below it is noise."""

ROUNDS = 1000
"""Most steps of one solution."""


@dataclass(frozen=True, eq=False)
class Learned:
    """Log-potentials ``(*replicates, cells)``, and which replicates were solved to tolerance.

    One that was not is a model all the same, on the way to the solution: it stopped after the most
    rounds, or at rounding. Studies say how many; a release goes on, since what it has paid for is
    its noisy tables, and anything made of them is as private.
    """

    theta: Array
    converged: Flags


def penalty(scale: float | Array, records: float | Array, share: float = PENALTY) -> Array:
    """λ = share · b/N, with the mean of b where it differs between cells."""
    return np.asarray(share * _mean(scale) / np.asarray(records))


def _mean(scale: float | Array) -> Array:
    return np.asarray(np.atleast_1d(np.asarray(scale, dtype=np.float64)).mean(axis=-1))


def pseudo_marginals(field: Field, noisy: Array, records: float | Array) -> Array:
    """Each noisy table divided by N, then put on its simplex: non-negative, with the right total.

    Euclidean projection. Source: Bernstein et al. 2017, section 3.1; Duchi et al. 2008.
    """
    lead = noisy.shape[:-1]
    tables = replicates_last(noisy / np.asarray(records)[..., None])
    proper = np.empty_like(tables)
    order = sorted(range(len(field.shapes)), key=lambda t: field.shapes[t])
    for _, group in itertools.groupby(order, key=lambda t: np.prod(field.shapes[t])):
        members = list(group)
        rows = np.stack([tables[field.slices[t]] for t in members])
        goal = field.multiplicity[members][:, None]
        rows += ((goal - rows.sum(axis=1)) / rows.shape[1])[:, None]
        nearest, _ = project(rows)
        for t, values in zip(members, nearest, strict=True):
            proper[field.slices[t]] = values
    return proper.T.reshape(*lead, field.size)


def fit(
    field: Field,
    target: Array,
    *,
    penalty: float | Array,
    tolerance: float | Array,
    start: Array | None = None,
) -> Learned:
    """θ that maximises θ·target - A(θ) - λ |θ|².

    ``target`` are marginals or pseudo-marginals; λ and the largest gradient left may differ
    between replicates.
    """
    lead = target.shape[:-1]
    goal = replicates_last(target)
    weight = np.broadcast_to(penalty, lead).ravel()
    least = np.broadcast_to(tolerance, lead).ravel()

    def objective(theta: Array, active: Index) -> tuple[Array, Array]:
        partition, expected = column_marginals(field, theta)
        wanted, strength = goal[:, active], weight[active]
        value = partition - (wanted * theta).sum(axis=0) + strength * (theta**2).sum(axis=0)
        return value, expected - wanted + 2 * strength * theta

    first = np.zeros(goal.shape) if start is None else replicates_last(start)
    best = minimise(objective, first, tolerance=least, rounds=ROUNDS)
    return Learned(best.point.T.reshape(target.shape), best.converged.reshape(lead))


def naive(
    field: Field,
    noisy: Array,
    records: float | Array,
    scale: float | Array,
    *,
    penalty: float | Array,
    projected: bool = True,
    start: Array | None = None,
) -> Learned:
    """θ by maximum likelihood as if the noisy tables were exact: "naive MLE".

    Without ``projected`` the tables are used as they are. Source: Bernstein et al. 2017, section
    3.1.
    """
    if projected:
        target = pseudo_marginals(field, noisy, records)
    else:
        target = noisy / np.asarray(records)[..., None]
    least = np.minimum(slack(scale, records), 3 * np.asarray(penalty))  # or λ would not bite
    return fit(field, target, penalty=penalty, tolerance=least, start=start)


def slack(scale: float | Array, records: float | Array, share: float = SLACK) -> Array:
    """Largest gradient that is left: a share of the noise, or of one record."""
    least = _mean(scale)
    return np.asarray(share * np.where(least > 0, least, 1.0) / np.asarray(records))


def divergence(field: Field, truth: Array, other: Array) -> Array:
    """KL of a model from the true one, in nats: ``(*replicates,)``; exact, not sampled.

    ``truth`` is ``(cells,)`` or has the replicates' axes.
    """
    own, mean = column_marginals(field, replicates_last(truth))
    partition, _ = column_marginals(field, replicates_last(other))
    apart = (mean * (replicates_last(truth) - replicates_last(other))).sum(axis=0)
    return np.asarray(apart - own + partition).reshape(other.shape[:-1])
