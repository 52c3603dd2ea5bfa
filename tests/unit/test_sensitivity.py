"""Eq. 7 in closed form against its twin: every derivative by summing out the whole joint."""

import itertools
import string

import numpy as np
import pytest
from hypothesis import given, settings

from core.methods.plans import sensitivities
from sources.networks import sample
from tests.strategies import SEEDS, networks, random_model


def derivative(network, arrays, node, cell, child):
    """∂ P[child] / ∂ Θ[cell] as P is linear in each parameter: all others of the node at zero."""
    only = np.zeros_like(arrays[node])
    only[cell] = 1.0
    changed = [only if i == node else array for i, array in enumerate(arrays)]
    letters = string.ascii_letters
    scopes = [
        "".join(letters[p] for p in (*parents, i))
        for i, parents in enumerate(network.parent_indices)
    ]
    return np.einsum(",".join(scopes) + "->" + letters[child], *changed, optimize="greedy")


def slow_sensitivities(model):
    """The mean over parameters, children and children's states, as Eq. 7 is printed."""
    network = model.network
    arrays = [table.values for table in model.conditionals]
    found = np.zeros(len(network.variables))
    for node, children in enumerate(network.children):
        if children:
            cells = itertools.product(*(range(r) for r in arrays[node].shape))
            each = [
                np.mean([derivative(network, arrays, node, c, y).mean() for y in children])
                for c in cells
            ]
            found[node] = np.mean(each)
    return found


@pytest.mark.parametrize("name", ["figure-one", "asia"])
def test_the_closed_form_is_the_mean_derivative_of_the_sample_networks(name):
    model = sample(name).model
    np.testing.assert_allclose(sensitivities(model.network), slow_sensitivities(model), atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(networks(most=4, most_states=3), SEEDS)
def test_the_closed_form_does_not_depend_on_the_parameters(network, seed):
    model = random_model(network, rng=np.random.default_rng(seed))
    np.testing.assert_allclose(sensitivities(network), slow_sensitivities(model), atol=1e-12)
