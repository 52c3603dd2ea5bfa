"""Products of factors in logarithms: nothing underflows, however small.

From the leaves to the root each clique keeps the distribution of its own variables given those it
shares with its parent, computed with the largest logarithm of every row taken off: nothing
overflows, and only a row of impossible cells sums to zero. From the root to the leaves these
conditionals multiply to marginals.
"""

import numpy as np

from core.inference.axes import spread
from core.inference.junction import JunctionTree
from core.table import Array


def log_conditionals(tree: JunctionTree, logs: Array) -> tuple[Array, list[Array]]:
    """The log of the whole sum, and each clique's own variables given those of its parent.

    ``logs`` are gathered; arrays are ``(*clique axes, *batch)``. Impossible rows stay zero.
    """
    batch = logs.shape[1:]
    inbox: list[list[Array]] = [[] for _ in tree.cliques]
    tables: list[Array] = [np.empty(0)] * len(tree.cliques)
    for position in range(len(tree.cliques) - 1, -1, -1):
        clique = tree.cliques[position]
        total = tables[position] = np.zeros(clique.shape + batch)
        for where, shape in clique.factors:
            total += spread(logs[where].reshape(shape + batch), total.shape)
        for message in inbox[position]:
            total += spread(message, total.shape)
        rows = total.reshape(clique.split + batch)
        top = rows.max(axis=1)
        impossible = np.isneginf(top)
        top[impossible] = 0.0
        rows -= top[:, None]
        np.exp(rows, out=rows)
        mass = rows.sum(axis=1)
        mass[impossible] = 1.0
        rows /= mass[:, None]
        top += np.log(mass)
        top[impossible] = -np.inf
        if position:
            inbox[clique.parent].append(top.reshape(clique.message_shape + batch))
    return top[0], tables


def distribute(tree: JunctionTree, beliefs: list[Array]) -> None:
    """Conditionals to marginals, in place."""
    for position in range(1, len(tree.cliques)):
        clique = tree.cliques[position]
        share = np.add.reduce(beliefs[clique.parent], axis=clique.parent_sum)
        rows = beliefs[position].reshape(*clique.split, *share.shape[clique.shared :])
        rows *= share.reshape(clique.split[0], 1, *share.shape[clique.shared :])
