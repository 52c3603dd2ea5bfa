"""Black-box check of every estimator of undirected models that promises something.

As methods are audited: neighbouring data, a trained attacker, events tested on fresh runs. What is
looked at is everything that comes from the records: the noisy tables where there are some, and the
potentials learned. Broken copies must be caught, one of them by no more than the 16 % of noise that
a root taken twice leaves out.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.markov.dpsgd import Training
from core.markov.synthetic import TrueField, chain_field, population_tables
from core.methods.noise import standard_laplace
from core.privacy import Guarantee, Neighbours
from core.undirected.estimators import ESTIMATORS, estimate
from core.undirected.sample import Sample, Setting
from release.audit.events import EVENTS, attacker, lower_bound
from sources.accounting import noise_multiplier

EPSILON, DELTA, CONFIDENCE = 1.0, 0.01, 0.99
PRIVATE = [name for name, e in ESTIMATORS.items() if e.guarantee.private]
FIELD = chain_field(3, 2)
TRUTH = TrueField(FIELD, np.zeros(FIELD.size))
COMMON, RARE = [0, 0, 0], [1, 1, 1]
CROWD = [COMMON] * 10 + [RARE] * 10
PAIRS = {
    Neighbours.ADD_REMOVE: (CROWD, [*CROWD, RARE]),
    Neighbours.REPLACE: (CROWD, [*CROWD[:-1], COMMON]),
}
"""The record that differs is in another cell of every table."""

AT_ONCE = Training(steps=1, rate=1.0, clip=0.5, pace=1.0, momentum=0.0)
"""One full step: what is learned is one Gaussian measurement, so nothing is lost on the way."""

SAMPLED = Training(steps=3, rate=0.5, clip=0.5, pace=1.0, momentum=0.5)


def population(records, setting, seed):
    """A sample that holds exactly these records, with fresh noise."""
    codes = np.array(records)
    cliques = []
    for clique in FIELD.tree.cliques:
        counts = np.zeros((1, *clique.shape), dtype=np.int64)
        np.add.at(counts[0], tuple(codes[:, v] for v in clique.variables), 1)
        cliques.append(counts)
    noise = standard_laplace((setting.repeats, FIELD.size), rng=np.random.default_rng(seed))
    exact = population_tables(FIELD, cliques)[:, None]
    return Sample(TRUTH, replace(setting, seed=seed), cliques, exact, noise[None])


def proven(outputs, neighbours, runs, training=AT_ONCE, spoiled=lambda sample: sample):
    """The ε that ``outputs`` of both neighbours prove."""
    setting = Setting(
        epsilon=EPSILON, records=len(CROWD), neighbours=neighbours, populations=1, repeats=runs,
        delta=DELTA, training=training,
    )  # fmt: skip
    left, right = (
        outputs(spoiled(population(records, setting, seed)))[0].round(9)
        for seed, records in enumerate(PAIRS[neighbours], start=11)
    )
    quarter = runs // 4
    scored = attacker(left[:quarter], right[:quarter])
    scores = [scored(side[quarter:]) for side in (left, right)]
    slip = (1 - CONFIDENCE) / (4 * EVENTS)
    return lower_bound(*scores, choosing=quarter, delta=DELTA, slip=slip)


def measured(name, accountant=noise_multiplier):
    return lambda sample: ESTIMATORS[name].measured(sample, accountant).noisy


def learned(name, accountant=noise_multiplier):
    return lambda sample: estimate(name, sample, accountant).theta


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("name", PRIVATE)
def test_no_event_proves_more_than_the_claimed_epsilon(name, neighbours):
    if ESTIMATORS[name].measured is not None:
        assert proven(measured(name), neighbours, 200_000) <= EPSILON
    for training in (AT_ONCE, SAMPLED):
        assert proven(learned(name), neighbours, 20_000, training) <= EPSILON
        if name != "dp-sgd":
            break


@pytest.mark.slow
def test_the_audit_catches_a_root_taken_of_an_l2_distance(monkeypatch):
    monkeypatch.setattr(
        Neighbours, "l2_over", lambda self, tables: math.sqrt(tables * self.l2_sensitivity)
    )
    assert proven(measured("gaussian"), Neighbours.REPLACE, 200_000) > EPSILON


@pytest.mark.parametrize("neighbours", Neighbours)
def test_gaussian_noise_is_as_wide_as_the_distance_of_the_neighbours_asks(neighbours):
    setting = Setting(
        epsilon=EPSILON, records=20, neighbours=neighbours, populations=1, repeats=20_000,
        delta=DELTA,
    )  # fmt: skip
    left, right = (population(records, setting, 3) for records in PAIRS[neighbours])
    distance = np.linalg.norm(left.exact - right.exact)
    noise = measured("gaussian")(left) - left.exact
    wanted = distance * noise_multiplier(EPSILON, DELTA, 1.0, 1)
    assert noise.std() == pytest.approx(wanted, rel=0.01)  # 240,000 draws: 0.0015 is a deviation


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("name", PRIVATE)
def test_a_copy_with_half_the_noise_is_caught(name, neighbours):
    def less(*asked):
        return 0.5 * noise_multiplier(*asked)

    def halved(sample):
        return replace(sample, noise=0.5 * sample.noise)

    look = learned if ESTIMATORS[name].measured is None else measured
    assert proven(look(name, less), neighbours, 60_000, spoiled=halved) > EPSILON


def test_every_estimator_that_promises_is_audited_on_what_it_measures_or_learns():
    assert {e.guarantee for e in ESTIMATORS.values()} == set(Guarantee)
    assert set(PRIVATE) == {"naive", "cgm", "gaussian", "dp-sgd"}
