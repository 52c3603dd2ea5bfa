"""The slow, obvious twin of undirected models: every state of the whole joint."""

import itertools

import numpy as np


def features(field):
    """Row of each joint state: how often it falls into each cell of each table."""
    states = list(itertools.product(*(range(v.cardinality) for v in field.variables)))
    found = np.zeros((len(states), field.size))
    numbers = sorted(set(field.shares))
    for clique, share in zip(field.cliques, field.shares, strict=True):
        where = field.slices[numbers.index(share)]
        shape = field.shapes[numbers.index(share)]
        for row, state in enumerate(states):
            code = tuple(state[v] for v in clique)
            cell = np.ravel_multi_index(code, shape) if code else 0
            found[row, where.start + cell] += 1
    return found


def marginals(field, theta):
    """A(θ) and marginals, by the sum over all states."""
    table = features(field)
    scores = theta @ table.T
    top = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - top)
    mass = weights.sum(axis=-1, keepdims=True)
    return (np.log(mass) + top)[..., 0], weights / mass @ table
