import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from core.errors import EquipoiseError
from core.membership.bound import (
    PublishedBound,
    complexity_span,
    guaranteed_auc,
    guaranteed_power,
    swap_epsilon,
)
from core.network import Network
from core.privacy import Neighbours
from core.table import Variable

RATES = st.floats(1e-6, 1 - 1e-6)


@given(st.integers(1, 10**5), st.integers(2, 10**7), RATES)
def test_power_is_the_optimal_test_of_two_normals(complexity, records, alpha):
    bound = PublishedBound(complexity, records)
    threshold = stats.norm.isf(alpha)
    assert bound.power(alpha) == pytest.approx(stats.norm.sf(threshold, loc=bound.mu), abs=1e-9)
    assert bound.power(alpha) >= alpha - 1e-12


def test_auc_is_the_area_and_advantage_the_largest_gap():
    bound = PublishedBound(509, 1000)
    area, _ = integrate.quad(bound.power, 0, 1, limit=200)
    assert bound.auc == pytest.approx(area, abs=1e-6)
    alphas = np.linspace(1e-4, 1 - 1e-4, 20_001)
    gaps = [bound.power(a) - a for a in alphas]
    assert bound.advantage == pytest.approx(max(gaps), abs=1e-6)


def test_alarm_needs_3966_records_for_an_auc_of_at_most_0_6():
    assert PublishedBound(509, 3966).auc <= 0.6 < PublishedBound(509, 3965).auc


@given(st.floats(0.01, 20), RATES)
def test_the_guarantee_is_symmetric_and_no_test_beats_it(epsilon, alpha):
    power = guaranteed_power(alpha, epsilon, Neighbours.REPLACE)
    assert alpha - 1e-12 <= power <= 1
    # the two inequalities of differential privacy, for the event and for its complement
    assert power <= math.exp(epsilon) * alpha * (1 + 1e-12)
    rounding = 1e-15 * math.exp(epsilon)  # 1 - power keeps few digits near one
    assert 1 - alpha <= math.exp(epsilon) * (1 - power) * (1 + 1e-6) + rounding


def test_the_guaranteed_auc_is_the_area_under_the_guarantee():
    for epsilon in (0.1, 1.0, 3.0):
        area, _ = integrate.quad(
            lambda a, e=epsilon: guaranteed_power(a, e, Neighbours.REPLACE),
            1e-12,
            1 - 1e-12,
            points=[1 / (1 + math.exp(epsilon))],
        )
        assert guaranteed_auc(epsilon, Neighbours.REPLACE) == pytest.approx(area, abs=1e-9)


def test_an_added_record_counts_twice_against_a_swap():
    assert swap_epsilon(1.0, Neighbours.ADD_REMOVE) == 2.0
    assert guaranteed_power(0.01, 1.0, Neighbours.ADD_REMOVE) == guaranteed_power(
        0.01, 2.0, Neighbours.REPLACE
    )


def test_span_counts_each_shared_subset_once():
    a, b = Variable("a", ("0", "1")), Variable("b", ("0", "1", "2"))
    network = Network((a, b), ((), ("a",)))
    assert complexity_span(network) == 1 + 2 + 2  # a, b, ab: the joint table has 5 free cells


@pytest.mark.parametrize("seed", range(20))
def test_span_is_the_sum_over_distinct_subsets(seed):
    rng, size = np.random.default_rng(seed), 7
    variables = tuple(
        Variable(f"v{i}", tuple(map(str, range(k))))
        for i, k in enumerate(rng.integers(1, 4, size=size))
    )
    order = [f"v{i}" for i in rng.permutation(size)]
    above = {name: order[: order.index(name)] for name in order}
    network = Network(
        variables, tuple(tuple(p for p in above[v.name] if rng.random() < 0.7) for v in variables)
    )
    for graph in (network, network.without_tables(["v0", "v3"])):
        subsets = {
            frozenset(subset)
            for family in graph.families
            for many in range(1, len(family) + 1)
            for subset in itertools.combinations(family, many)
        }
        expected = sum(math.prod(v.cardinality - 1 for v in subset) for subset in subsets)
        assert complexity_span(graph) == expected


def test_span_of_many_large_families_takes_no_memory():
    """Sixty families of nineteen took 13 s and 1.4 GB: every subset was held."""
    names = [f"v{i}" for i in range(44)]
    states = {name: ("a", "b") for name in names} | {f"one{i}": ("a",) for i in range(100)}
    parents = {name: tuple(names[max(0, i - 17) : i]) for i, name in enumerate(names)}
    parents[names[0]] = tuple(f"one{i}" for i in range(100))  # more than an array has axes
    network = Network(
        tuple(Variable(name, own) for name, own in states.items()),
        tuple(parents.get(name, ()) for name in states),
    )
    tracemalloc.start()
    assert complexity_span(network) == (44 - 17) * 2**17 + 2**17 - 1  # by the last member
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PublishedBound(5, 0), "records is 0"),
        (lambda: PublishedBound(5, 1), "records is 1"),
        (lambda: PublishedBound(0, 100), "no free parameters"),
        (lambda: PublishedBound(5, 100).power(0.0), "false-alarm rate is 0"),
        (lambda: PublishedBound(5, 100).power(1.0), "false-alarm rate is 1"),
        (lambda: guaranteed_power(0.1, -1.0, Neighbours.REPLACE), "epsilon is -1"),
    ],
)
def test_refusals_name_the_thing(call, words):
    with pytest.raises(EquipoiseError, match=words):
        call()
