"""Another order or other names give the same plan and model, permuted."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.methods.registry import METHODS
from core.network import Network
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.table import Variable
from sources.networks import sample
from tests.strategies import SEEDS, networks

PRIVATE = [m for m in METHODS if METHODS[m].guarantee.private]
PUBLIC = [m for m in PRIVATE if not METHODS[m].needs_stage_one]


def release(method, network, codes, **knobs):
    counts = Rows(Dataset(network.variables, codes))
    return next(rehearsals(method, network, counts, Scenario(replicates=1, **knobs)))


def records(network, seed, size=300):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(v.cardinality, size=size) for v in network.variables]
    return np.stack(columns, axis=1)


def reordered(network, order):
    variables = tuple(network.variables[j] for j in order)
    return Network(variables, tuple(network.parents[j] for j in order))


def renamed(network):
    names = {name: f"other {name}" for name in network.names}
    variables = tuple(Variable(names[v.name], v.states) for v in network.variables)
    return Network(variables, tuple(tuple(names[p] for p in ps) for ps in network.parents))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=15, deadline=None)
@given(network=networks(least=2, most=5), seed=SEEDS, data=st.data())
def test_another_order_permutes_the_exact_model(method, network, seed, data):
    order = data.draw(st.permutations(range(len(network.names))))
    assert_permuted(method, network, order, records(network, seed))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("sizes", "parents", "order", "seed"),
    [
        ((2, 4, 4, 4, 4), ((), ("v4", "v3", "v2"), ("v4", "v0"), (), ()), [0, 2, 1, 3, 4], 494),
        ((2, 1, 4, 4, 4), (("v2", "v4", "v3"), (), (), (), ()), [0, 1, 2, 4, 3], 1),
    ],
    ids=["consistency", "filter"],
)
def test_a_row_without_records_stays_one_in_any_order(method, sizes, parents, order, seed):
    """Rounding, in tables made consistent and in filters, once left 1e-17 records in such a row."""
    variables = tuple(
        Variable(f"v{j}", tuple(f"s{i}" for i in range(k))) for j, k in enumerate(sizes)
    )
    network = Network(variables, parents)
    assert_permuted(method, network, order, records(network, seed))


def assert_permuted(method, network, order, codes):
    plain = release(method, network, codes, epsilon=math.inf).model
    moved = release(method, reordered(network, order), codes[:, order], epsilon=math.inf).model
    for place, variable in enumerate(order):
        np.testing.assert_allclose(
            moved.conditional(place).values, plain.conditional(variable).values, atol=1e-9
        )


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10, deadline=None)
@given(network=networks(least=2, most=5), seed=SEEDS)
def test_other_names_change_nothing(method, network, seed):
    codes = records(network, seed)
    plain = release(method, network, codes, epsilon=0.5)
    other = release(method, renamed(network), codes, epsilon=0.5)
    np.testing.assert_array_equal(plain.model.values, other.model.values)
    if plain.plan is not None:
        np.testing.assert_array_equal(plain.plan.node_epsilon, other.plan.node_epsilon)


@pytest.mark.parametrize("method", PUBLIC)
@settings(max_examples=25, deadline=None)
@given(network=networks(least=2, most=5), data=st.data())
def test_another_order_permutes_the_plan(method, network, data):
    """Exactly where variables differ; among interchangeable ones as a whole."""
    order = data.draw(st.permutations(range(len(network.names))))
    codes = records(network, 0, size=5)
    plain = release(method, network, codes).plan
    moved = release(method, reordered(network, order), codes[:, order]).plan
    assert sorted(plain.cells) == sorted(moved.cells)
    np.testing.assert_allclose(sorted(plain.parts), sorted(moved.parts), rtol=1e-9)
    np.testing.assert_allclose(sorted(plain.node_epsilon), sorted(moved.node_epsilon), rtol=1e-9)


@pytest.mark.parametrize("method", PUBLIC)
@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_another_order_permutes_the_plan_of_the_benchmarks(method, name):
    network = sample(name).model.network
    order = np.random.default_rng(1).permutation(len(network.names)).tolist()
    codes = records(network, 0, size=5)
    plain = release(method, network, codes).plan.node_epsilon
    moved = release(method, reordered(network, order), codes[:, order]).plan.node_epsilon
    back = np.empty(len(order))
    back[order] = moved
    # siblings with the same parents, children and states are interchangeable
    parts = {}
    for i, parents in enumerate(network.parents):
        alike = (frozenset(parents), network.children[i], network.variables[i].cardinality)
        parts.setdefault(alike, []).append(i)
    for alike in parts.values():
        np.testing.assert_allclose(sorted(back[alike]), sorted(plain[alike]), rtol=1e-9)
