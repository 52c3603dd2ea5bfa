"""The printed bounds, by hand and against brute force where the theorem says something."""

import math

import numpy as np
import pytest
from hypothesis import given

from core.network import Network
from core.parameters import Model
from core.study.bounds import degree, error_bounds
from core.table import Variable
from tests.strategies import SEEDS, random_model

BINARY = ("0", "1")


def network(parents):
    names = list(parents)
    return Network(tuple(Variable(n, BINARY) for n in names), tuple(parents[n] for n in names))


CHAIN = network({"a": (), "b": ("a",)})
STAR = network({"a": (), "b": ("a",), "c": ("a",), "d": ("a",)})
FIGURE_ONE = network({"A": (), "B": (), "C": ("A", "B"), "D": ("C",), "E": ("C",), "F": ("D", "E")})


def test_both_bounds_by_hand():
    exact = Model.from_conditionals(
        CHAIN, [np.array([0.2, 0.8]), np.array([[0.3, 0.7], [0.4, 0.6]])]
    )
    private = Model.from_conditionals(
        CHAIN, [np.array([0.25, 0.75]), np.array([[0.5, 0.5], [0.41, 0.59]])]
    )
    found = error_bounds(exact, private)
    assert (found.eta, found.kappa, found.domain) == (2, 1, 2)
    assert found.lower == pytest.approx(0.01)  # sqrt(1) * 0.01 * 0.2^0
    assert found.upper == pytest.approx(2 * 2 * 2 * 0.2)
    assert found.normalised(np.array(0.41)) == pytest.approx((0.41 - 0.01) / 1.59)


def test_the_example_of_the_paper_has_treewidth_two():
    exact = random_model(FIGURE_ONE, rng=np.random.default_rng(0))
    found = error_bounds(exact, random_model(FIGURE_ONE, (3,), rng=np.random.default_rng(1)))
    assert degree(FIGURE_ONE) == found.eta == 5  # C has two parents and two children
    assert found.kappa == 2
    errors = np.abs(
        random_model(FIGURE_ONE, (3,), rng=np.random.default_rng(1)).values - exact.values
    )
    np.testing.assert_allclose(found.upper, 2 * 5 * 2**2 * errors.max(axis=-1))
    np.testing.assert_allclose(
        found.lower, math.sqrt(4) * errors.min(axis=-1) * exact.values.min() ** 3
    )


@pytest.mark.parametrize("graph", [CHAIN, STAR], ids=["chain", "star"])
@given(left=SEEDS, right=SEEDS)
def test_no_sum_product_term_is_off_by_more_than_the_upper_bound(graph, left, right):
    """Eliminating the common parent multiplies all parameters: the term of the theorem."""
    exact = random_model(graph, rng=np.random.default_rng(left))
    private = random_model(graph, (4,), rng=np.random.default_rng(right))
    bounds = error_bounds(exact, private)
    children = "bcd"[: len(graph.names) - 1]
    spec = "...a," + ",".join(f"...a{c}" for c in children) + "->..." + children
    term = np.einsum(spec, *(t.values for t in private.conditionals))
    truth = np.einsum(spec, *(t.values for t in exact.conditionals))
    errors = np.abs(term - truth).reshape(4, -1).sum(axis=-1)
    assert (errors <= bounds.upper + 1e-12).all()
    assert (bounds.lower <= bounds.upper).all()


def test_a_parameter_of_zero_makes_the_lower_bound_zero():
    exact = random_model(STAR, rng=np.random.default_rng(3), zeros=True)
    assert exact.values.min() == 0
    private = random_model(STAR, (5,), rng=np.random.default_rng(4))
    assert (error_bounds(exact, private).lower == 0).all()


def test_variables_without_edges_have_bounds_too():
    lonely = network({"a": (), "b": ()})
    exact = random_model(lonely, rng=np.random.default_rng(3))
    found = error_bounds(exact, exact)
    assert (found.eta, found.kappa) == (1, 0)
    assert found.lower == found.upper == 0
    assert found.normalised(np.array(0.0)) == 0
