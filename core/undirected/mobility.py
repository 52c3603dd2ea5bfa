"""Holdout log-likelihood of the mobility chain over ε: Fig. 3b on generated people. Study only."""

from dataclasses import dataclass

import numpy as np

from core.errors import EquipoiseError
from core.markov.belief import marginals
from core.markov.collective import STEPS, collective
from core.markov.graph import Field
from core.markov.likelihood import PENALTY, Learned, fit, naive, penalty
from core.markov.mobility import (
    TABLES,
    Town,
    generate,
    mean_segment,
    people_tables,
    split,
    town_field,
)
from core.methods.noise import standard_laplace
from core.privacy import Neighbours, check_epsilon
from core.table import Array

ESTIMATORS = ("naive", "cgm", "non-private")


@dataclass(frozen=True, eq=False)
class Case:
    """Generated people: exact tables of those to learn from, mean segment of those to test on.

    Tables are in units of people; noise is standard and stretched by ε.
    """

    field: Field
    people: int
    exact: Array
    test: Array
    noise: Array


def make_case(town: Town, *, seed: int, repeats: int = 10) -> Case:
    """One generated town, split into people to learn from and people to test on."""
    rng = np.random.default_rng([seed, town.people])
    field = town_field(town)
    learn, test = split(generate(town, rng=rng))
    exact = people_tables(field, learn)
    if not test.any() or not exact.any():
        raise EquipoiseError("nobody was seen anywhere; raise presence or the number of people")
    noise = standard_laplace((repeats, field.size), rng=rng)
    return Case(field, len(learn), exact, mean_segment(field, test), noise)


@dataclass(frozen=True, eq=False)
class Holdout:
    """Mean log-likelihood of a test segment for each noise draw.

    ``unfinished`` draws were not solved to tolerance.
    """

    log_likelihood: Array
    unfinished: int


def learned(
    case: Case,
    name: str,
    epsilon: float,
    *,
    steps: int = STEPS,
    share: float = PENALTY,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
) -> Learned:
    """What one estimator learns from every noise draw; it does not know the number of people."""
    field, lengths = case.field, case.field.multiplicity[case.field.owner]
    if name == "non-private":
        total = case.exact[field.slices[0]].sum()
        fitted = fit(field, case.exact / total * lengths, penalty=1 / total, tolerance=0.1 / total)
        everywhere = np.broadcast_to(fitted.converged, case.noise.shape[:-1])
        return Learned(np.broadcast_to(fitted.theta, case.noise.shape), everywhere)
    scale = neighbours.l1_over(TABLES) / check_epsilon(epsilon)
    noisy = case.exact + scale * case.noise
    starts, moves = (noisy[:, where].sum(axis=1) for where in field.slices)
    sizes = [where.stop - where.start for where in field.slices]
    people = np.maximum((starts / sizes[0] + moves / sizes[1]) / sum(1 / s for s in sizes), 1.0)
    noisy, scales = noisy * lengths, scale * lengths
    strength = penalty(scale, people, share)
    start = naive(field, noisy, people, scales, penalty=strength)
    if name == "naive":
        return start
    more = collective(field, noisy, people, scales, start=start.theta, steps=steps)
    return Learned(more.theta, start.converged & more.converged)


def holdout(
    case: Case,
    name: str,
    epsilon: float,
    *,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
    share: float = PENALTY,
    steps: int = STEPS,
) -> Holdout:
    """Holdout log-likelihood of one estimator at one ε."""
    if name not in ESTIMATORS:
        raise EquipoiseError(f"no estimator {name!r} here; there are {', '.join(ESTIMATORS)}")
    model = learned(case, name, epsilon, neighbours=neighbours, share=share, steps=steps)
    return Holdout(likelihoods(case, model.theta), int((~model.converged).sum()))


def likelihoods(case: Case, theta: Array) -> Array:
    """Mean log-likelihood of a segment of the people held out, for each θ."""
    partition, _ = marginals(case.field, theta)
    return np.asarray(theta @ case.test - partition)
