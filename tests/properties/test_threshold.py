"""The noisy threshold of a domain: its δ computed exactly, for every kind of neighbour."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.membership.intervals import least_share, most_share
from core.methods.threshold import Threshold, passing, tail, threshold
from core.privacy import Neighbours

EPSILONS = st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(1), Fraction(3)])
DELTAS = st.sampled_from([Fraction(1, 10), Fraction(1, 100), Fraction(1, 10**6)])


def planned(epsilon, delta, neighbours, per_unit):
    return threshold(neighbours.l1_sensitivity * per_unit / epsilon, delta, per_unit)


@given(st.floats(0.3, 20), st.integers(-30, 30))
def test_the_tail_is_the_sum_of_its_probabilities(scale, least):
    ratio = math.exp(-1 / scale)
    own = math.fsum((1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(least, 900))
    assert tail(scale, least) == pytest.approx(own, rel=1e-9)


@st.composite
def pairs(draw):
    """Counts of a few values without one person, and what the person adds before and after."""
    per_unit = draw(st.integers(1, 3))
    neighbours = draw(st.sampled_from(Neighbours))
    near = planned(draw(EPSILONS), Fraction(1, 100), neighbours, per_unit).least
    others = draw(st.lists(st.sampled_from([0, 0, 1, near - 1, near]), min_size=4, max_size=4))

    def own():
        left, found = per_unit, []
        for _ in others:
            found.append(draw(st.integers(0, left)))
            left -= found[-1]
        return found

    before = own() if neighbours is Neighbours.REPLACE else [0] * len(others)
    return neighbours, per_unit, others, before, own()


def hockey_stick(epsilon, first, second):
    """Σ max(0, P(o) - e^ε Q(o)) over all outputs, the states being independent."""
    total = []
    for output in itertools.product((False, True), repeat=len(first)):
        p, q = (
            math.prod(c if shows else 1 - c for c, shows in zip(chances, output, strict=True))
            for chances in (first, second)
        )
        total.append(max(0.0, p - math.exp(epsilon) * q))
    return math.fsum(total)


@settings(max_examples=300, deadline=None)
@given(pair=pairs(), epsilon=EPSILONS, delta=DELTAS)
def test_no_neighbour_shows_more_than_epsilon_and_delta(pair, epsilon, delta):
    neighbours, per_unit, others, before, after = pair
    limit = planned(epsilon, delta, neighbours, per_unit)
    first, second = (
        [limit.chance(c + x) for c, x in zip(others, own, strict=True)] for own in (before, after)
    )
    for one, two in ((first, second), (second, first)):
        assert hockey_stick(float(epsilon), one, two) <= float(delta) * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(EPSILONS, DELTAS, st.sampled_from(Neighbours), st.integers(1, 4))
def test_the_threshold_is_the_smallest_that_is_safe(epsilon, delta, neighbours, per_unit):
    limit = planned(epsilon, delta, neighbours, per_unit)

    def shows(least):
        one = tail(limit.scale, least - 1)
        return max(per_unit * one, tail(limit.scale, least - per_unit))

    most = min(float(delta), -math.expm1(-1 / limit.scale))
    assert shows(limit.least) <= most * (1 + 1e-9)
    assert limit.least == per_unit + 1 or shows(limit.least - 1) > most * (1 - 1e-9)
    assert limit.chance(1) <= float(delta) * (1 + 1e-9)
    assert limit.chance(limit.count_for(0.95)) >= 0.95 > limit.chance(limit.count_for(0.95) - 1)


@pytest.mark.parametrize("per_unit", [1, 3])
def test_a_delta_hardly_below_a_chance_takes_the_next_threshold(per_unit):
    """By one part in 10^45, where one in 10^40 is allowed for rounding."""
    with mpmath.workdps(90):
        ratio = mpmath.exp(-mpmath.mpf(1) / 2)
        chance = per_unit * ratio**19 / (1 + ratio)  # of values with 1 record at a threshold of 20
        below, above = (
            Fraction(mpmath.nstr(chance * (1 + mpmath.mpf(x)), 80)) for x in ("-1e-45", "1e-35")
        )
    assert threshold(Fraction(2), above, per_unit).least == 20
    assert threshold(Fraction(2), below, per_unit).least == 21


def test_a_value_that_nobody_has_never_shows_and_counts_follow_from_chances():
    limit = Threshold(2.0, 12)
    assert limit.chance(0) == 0
    assert [limit.count_for(limit.chance(count)) for count in range(1, 40)] == [*range(1, 40)]


@pytest.mark.parametrize("count", [1, 5, 12, 15, 30])
def test_states_show_as_often_as_computed(count):
    limit = planned(Fraction(1, 2), Fraction(1, 100), Neighbours.ADD_REMOVE, 1)
    runs, chance = 20_000, limit.chance(count)
    rng = np.random.default_rng(count)
    shown = passing("c", np.array([float(count)]), limit, replicates=runs, rng=rng).sum()
    error = math.sqrt(max(runs * chance * (1 - chance), 1.0))
    assert abs(shown - runs * chance) <= 5 * error


RUNS, SURE = 4000, 1e-6


def caught(limit, epsilon, delta, rng):
    """Whether runs prove that a value of one person, or one record more, shows too much."""

    def shares(count):
        drawn = passing("c", np.array([float(count)]), limit, replicates=RUNS, rng=rng)
        hits = int(drawn.sum())
        return least_share(hits, RUNS, SURE), most_share(hits, RUNS, SURE)

    alone = shares(1)[0] > delta
    near = planned(epsilon, delta, Neighbours.ADD_REMOVE, 1).least
    more = shares(near)[0] > math.exp(epsilon) * shares(near - 1)[1] + delta
    return alone or more


def test_an_audit_catches_no_noise_and_a_low_threshold():
    """Its power is computed: each bug shows with probability above 1 - 1e-6."""
    epsilon, delta = Fraction(1, 2), Fraction(1, 50)
    limit = planned(epsilon, delta, Neighbours.ADD_REMOVE, 1)
    low, silent = Threshold(limit.scale, limit.least - 2), Threshold(0.0, limit.least)
    # fewest hits that prove more than δ, and how likely the low threshold gives fewer
    needed = next(h for h in range(RUNS) if least_share(h, RUNS, SURE) > delta)
    p = low.chance(1)
    logs = [
        math.lgamma(RUNS + 1) - math.lgamma(h + 1) - math.lgamma(RUNS - h + 1)
        + h * math.log(p) + (RUNS - h) * math.log1p(-p)
        for h in range(needed)
    ]  # fmt: skip
    assert math.fsum(map(math.exp, logs)) < SURE
    rng = np.random.default_rng(0)
    assert not caught(limit, epsilon, delta, rng)
    assert caught(low, epsilon, delta, rng)
    assert caught(silent, epsilon, delta, rng)


@pytest.mark.parametrize(("delta", "per_unit"), [(Fraction(0), 1), (Fraction(1), 1)])
def test_a_threshold_needs_a_delta(delta, per_unit):
    with pytest.raises(EquipoiseError, match="between 0 and 1"):
        threshold(Fraction(2), delta, per_unit)


def test_the_records_that_show_a_value_are_found_at_any_noise():
    """Not by trying one number after the other: a tiny ε asks for trillions."""
    limit = Threshold(1e12, 3 * 10**13)
    assert limit.count_for(0.95) > 3 * 10**13
    assert limit.chance(limit.count_for(0.95)) >= 0.95 > limit.chance(limit.count_for(0.95) - 10**9)
