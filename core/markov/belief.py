"""Marginals of an undirected model: exact on its junction tree, in logarithms.

Replicates come last inside, where numpy's inner loops are longest.
"""

import numpy as np

from core.inference.junction import JunctionTree
from core.inference.logarithms import distribute, log_conditionals
from core.inference.propagation import blocks
from core.markov.graph import Field
from core.table import Array, replicates_last


def marginals(field: Field, theta: Array) -> tuple[Array, Array]:
    """A(θ) and the marginals of all tables: ``(*replicates,)`` and ``(*replicates, cells)``.

    ``theta`` are the log-potentials, ``(*replicates, cells)``. A table that several cliques share
    gets the sum of their marginals.
    """
    partition, expected = column_marginals(field, replicates_last(theta))
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
    return log_conditionals(tree, theta.take(tree.index, axis=0))


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
