"""Marginals of an undirected model: exact on its junction tree, in logarithms.

From the leaves to the root each clique keeps the distribution of its own variables given those it
shares with its parent, computed with the largest logarithm of every row taken off: nothing
overflows, and no row sums to zero. From the root to the leaves these conditionals multiply to
marginals. Replicates come last inside, where numpy's inner loops are longest.
"""

import numpy as np

from core.inference.junction import JunctionTree
from core.inference.propagation import blocks
from core.markov.graph import Field
from core.table import Array


def columns(values: Array) -> Array:
    """Replicates last: ``(*replicates, cells)`` as ``(cells, all replicates)``."""
    return np.ascontiguousarray(values.reshape(-1, values.shape[-1]).T)


def marginals(field: Field, theta: Array) -> tuple[Array, Array]:
    """A(θ) and the marginals of all tables: ``(*replicates,)`` and ``(*replicates, cells)``.

    ``theta`` are the log-potentials, ``(*replicates, cells)``. A table that several cliques share
    gets the sum of their marginals.
    """
    partition, expected = column_marginals(field, columns(theta))
    return partition.reshape(theta.shape[:-1]), np.ascontiguousarray(expected.T).reshape(
        theta.shape
    )


def column_marginals(field: Field, theta: Array) -> tuple[Array, Array]:
    """The same for log-potentials ``(cells, replicates)``, block by block."""
    partition, expected = np.empty(theta.shape[1]), np.empty(theta.shape)
    for block in blocks(theta.shape[1], field.tree.cells):
        partition[block], beliefs = conditionals(field.tree, theta[:, block])
        distribute(field.tree, beliefs)
        expected[:, block] = table_sums(field, beliefs)
    return partition, expected


def conditionals(tree: JunctionTree, theta: Array) -> tuple[Array, list[Array]]:
    """A(θ), and each clique's own variables given those it shares with its parent.

    Arrays are ``(*clique axes, replicates)``.
    """
    batch = theta.shape[1:]
    logs = theta.take(tree.index, axis=0)
    inbox: list[list[Array]] = [[] for _ in tree.cliques]
    tables: list[Array] = [np.empty(0)] * len(tree.cliques)
    for position in range(len(tree.cliques) - 1, -1, -1):
        clique = tree.cliques[position]
        total = tables[position] = np.zeros(clique.shape + batch)
        for where, shape in clique.factors:
            total += logs[where].reshape(shape + batch)
        for message in inbox[position]:
            total += message
        rows = total.reshape(clique.split + batch)
        top = rows.max(axis=1)
        rows -= top[:, None]
        np.exp(rows, out=rows)
        mass = rows.sum(axis=1)
        rows /= mass[:, None]
        top += np.log(mass)
        if position:
            inbox[clique.parent].append(top.reshape(clique.message_shape + batch))
    return top[0], tables


def distribute(tree: JunctionTree, beliefs: list[Array]) -> None:
    """Conditionals to marginals, in place."""
    for position in range(1, len(tree.cliques)):
        clique = tree.cliques[position]
        above = beliefs[clique.parent]
        share = np.add.reduce(above, axis=clique.parent_sum)
        rows = beliefs[position].reshape(*clique.split, above.shape[-1])
        rows *= share.reshape(clique.split[0], 1, above.shape[-1])


def table_sums(field: Field, cliques: list[Array]) -> Array:
    """Tables ``(cells, replicates)`` of arrays over the tree's cliques."""
    tree = field.tree
    gathered = np.empty((len(tree.index), cliques[0].shape[-1]))
    for clique, values in zip(tree.cliques, cliques, strict=True):
        for where, shape in clique.factors:
            gone = tuple(axis for axis, size in enumerate(shape) if size == 1)
            out = gathered[where].reshape(*(s for s in shape if s > 1), values.shape[-1])
            np.add.reduce(values, axis=gone, out=out)
    sums = np.zeros((field.size, cliques[0].shape[-1]))
    if len(tree.index) == field.size:  # no table is shared, so every cell is written once
        sums[tree.index] = gathered
    else:
        np.add.at(sums, tree.index, gathered)
    return sums
