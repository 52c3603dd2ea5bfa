"""Criteria: closed forms, and attackers that are simulated: never above the bound."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.membership.bound import guaranteed_power
from core.membership.criteria import largest_belief, matched, right_guesses
from core.membership.curves import find, release_curves
from core.methods.noise import discrete_laplace
from core.methods.plans import BudgetPlan
from core.privacy import Neighbours
from sources.networks import sample

TRIALS = 100_000
epsilons = st.floats(0.01, 5)
priors = st.floats(0.01, 0.99)


def pure(epsilon, neighbours):
    return lambda alphas: np.array([guaranteed_power(a, epsilon, neighbours) for a in alphas])


@given(epsilons, st.sampled_from(list(Neighbours)), priors)
def test_pure_epsilon_in_closed_form(epsilon, neighbours, prior):
    swap = epsilon if neighbours is Neighbours.REPLACE else 2 * epsilon
    exact = max(prior, 1 - prior, 1 / (1 + math.exp(-swap)))
    bound = right_guesses(pure(epsilon, neighbours), prior)
    assert exact - 1e-12 <= bound <= exact + 1 / 4000
    assert largest_belief(epsilon, neighbours, prior) == pytest.approx(
        math.exp(swap) * prior / (math.exp(swap) * prior + 1 - prior)
    )


def test_the_numbers_of_the_text():
    """At ε = 1 and one half: 73 % where replaced, 88 % where added or removed; at 0.1: 52, 55."""
    for epsilon, shares in ((1.0, (73, 88)), (0.1, (52, 55))):
        for neighbours, share in zip(
            (Neighbours.REPLACE, Neighbours.ADD_REMOVE), shares, strict=True
        ):
            assert round(100 * largest_belief(epsilon, neighbours, 0.5)) == share
            assert right_guesses(pure(epsilon, neighbours), 0.5) == pytest.approx(
                largest_belief(epsilon, neighbours, 0.5), abs=1 / 4000
            )


def plan(neighbours, scales=(1.0, 2.0, 4.0)):
    """Three tables of some cells with noise of these scales."""
    parts = neighbours.l1_sensitivity / np.array(scales)
    names = tuple((f"t{i}",) for i in range(len(scales)))
    return BudgetPlan(float(parts.sum()), neighbours, names, (4,) * len(scales), parts, parts)


def curve(planned):
    curves = release_curves(planned, "discrete laplace", sample("asia").network, 1000)
    return find(curves, "composed").powers


def losses(planned, actual, rng):
    """ln P(a) / P(b) of noisy tables where a is true, and where b is: two cells differ in each."""
    noisy = [discrete_laplace((TRIALS, 2), np.full(2, s), rng=rng) for s in actual]
    sides = []
    for shift in (np.array([1, 0]), np.array([0, 1])):  # a: a record in the first cell; b: second
        total = np.zeros(TRIALS)
        for noise, scale in zip(noisy, planned.scales, strict=True):
            y = noise + shift
            far = np.abs(y - [0, 1]).sum(axis=1) - np.abs(y - [1, 0]).sum(axis=1)
            total += far / scale
        sides.append(total)
    return sides


def low(share):
    """Lower end of what a share of so many trials allows, four deviations."""
    return share - 4 * math.sqrt(share * (1 - share) / TRIALS)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("prior", [0.5, 0.1, 0.8])
def test_the_best_attacker_is_right_no_more_often(neighbours, prior):
    planned, rng = plan(neighbours), np.random.default_rng(7)
    bound = right_guesses(curve(planned), prior)

    def right(actual):
        a, b = losses(planned, actual, rng)
        limit = math.log((1 - prior) / prior)
        return prior * (a > limit).mean() + (1 - prior) * (b <= limit).mean()

    measured = right(planned.scales)
    assert low(measured) <= bound
    assert measured >= bound - 0.02  # the bound is near: the attacker is the best there is
    assert low(right(planned.scales / 3)) > bound  # too little noise is noticed


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_a_description_singles_out_no_more_often(neighbours):
    """Ten people over 200 cells; the attacker describes the cell with the largest noisy count."""
    people, cells, rng = 10, 200, np.random.default_rng(8)
    powers = curve(plan(neighbours, (0.7,)))

    def isolated(scale):
        alone = named = 0
        for _ in range(10):
            rows = rng.integers(cells, size=(TRIALS // 10, people))
            counts = np.zeros((len(rows), cells))
            np.add.at(counts, (np.arange(len(rows))[:, None], rows), 1)
            noisy = counts + discrete_laplace(counts.shape, np.full(cells, scale), rng=rng)
            hits = rows == noisy.argmax(axis=1)[:, None]
            alone += (hits.sum(axis=1) == 1).sum()
            named += hits[:, 0].sum()
        return alone / TRIALS, named / TRIALS

    alone, named = isolated(0.7)
    assert 1 / cells < named
    assert low(named) <= matched(powers, 1 / cells)
    assert low(alone) <= people * matched(powers, 1 / cells)
    if neighbours is Neighbours.REPLACE:
        assert named < matched(powers, 1 / cells)
