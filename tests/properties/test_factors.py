"""The graph's factors of a table against the whole joint distribution."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.estimation.effects import cells_of
from core.methods.factors import factorise, scopes_of, separated
from tests.brute_force import joint
from tests.strategies import SEEDS, networks, random_model


def marginal(whole, variables):
    """P(variables), axes in their order."""
    gone = tuple(v for v in range(whole.ndim) if v not in variables)
    order = [sorted(variables).index(v) for v in variables]
    return whole.sum(axis=gone).transpose(order)


def conditional(whole, scope):
    """P(last | others), zero where the others have no mass."""
    table = marginal(whole, scope)
    totals = table.sum(axis=-1, keepdims=True)
    return np.divide(table, totals, out=np.zeros_like(table), where=totals > 0)


@st.composite
def cases(draw):
    network = draw(networks(least=2, most=5, most_states=3))
    nodes = range(len(network.names))
    tables = st.lists(st.sampled_from(nodes), min_size=1, max_size=4, unique=True).map(sorted)
    chosen = draw(st.lists(tables.map(tuple), min_size=1, max_size=3))
    return network, tuple(chosen), draw(SEEDS)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_the_product_of_conditionals_is_the_tables_distribution(case):
    network, tables, seed = case
    whole = joint(random_model(network, rng=np.random.default_rng(seed)))
    factors = factorise(network, tables)
    given_scopes = [conditional(whole, s).ravel() for s in factors.scopes]
    conditionals = np.concatenate(given_scopes)[:, None]
    found = factors.expected(conditionals, np.array([1000.0]))[:, 0]
    exact = np.concatenate([1000 * marginal(whole, t).ravel() for t in tables])
    np.testing.assert_allclose(found, exact, atol=1e-9)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_sums_are_marginals_of_tables(case):
    network, tables, seed = case
    rng = np.random.default_rng(seed)
    sizes = [v.cardinality for v in network.variables]
    shapes = [tuple(sizes[v] for v in t) for t in tables]
    values = [rng.normal(size=shape) for shape in shapes]
    factors = factorise(network, tables)
    flat = np.concatenate([v.ravel() for v in values])[:, None]
    found = factors.sums(flat)[:, 0]
    parts = [(t, s) for t, table in enumerate(tables) for s in scopes_of(network, table)]
    for (t, scope), where, axes, owner in zip(
        parts, factors.slices, factors.axes, factors.table.tolist(), strict=True
    ):
        assert owner == t
        assert tuple(v for v, _ in axes) == scope
        places = [tables[t].index(v) for v in scope]
        gone = tuple(a for a in range(len(tables[t])) if a not in places)
        order = [sorted(places).index(a) for a in places]
        expected = values[t].sum(axis=gone).transpose(order).ravel()
        np.testing.assert_allclose(found[where], expected, atol=1e-9)
        np.testing.assert_array_equal(factors.sizes[where], values[t].size / cells_of(axes))


@settings(max_examples=150, deadline=None)
@given(networks(least=2, most=5, most_states=3), SEEDS, st.data())
def test_separated_variables_are_independent_whatever_the_parameters(network, seed, data):
    nodes = data.draw(st.permutations(range(len(network.names))))
    cut = data.draw(st.integers(1, len(nodes) - 1))
    one, others, held = nodes[0], set(nodes[1 : cut + 1]), set(nodes[cut + 1 :])
    held = {v for v in held if data.draw(st.booleans())}
    whole = joint(random_model(network, rng=np.random.default_rng(seed)))
    if separated(network, one, others, held):
        for other in sorted(others):
            table = marginal(whole, (*sorted(held), other, one))
            table = table.reshape(-1, *table.shape[-2:])
            totals = table.sum(axis=(1, 2), keepdims=True)
            product = table.sum(axis=2, keepdims=True) * table.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(table * totals, product, atol=1e-9)


def test_a_dependence_is_not_called_independent():
    """A collider opens when it is given, a chain closes."""
    from tests.unit.test_methods import NETWORKS

    collider, chain = NETWORKS["v-structure"], NETWORKS["chain"]
    assert separated(collider, 0, {1}, set())
    assert not separated(collider, 0, {1}, {2})
    assert not separated(chain, 0, {2}, set())
    assert separated(chain, 0, {2}, {1})
