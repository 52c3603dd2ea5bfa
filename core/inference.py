"""Exact answers of a model: marginals, conditional distributions, most probable explanations.

Everything takes models with any leading replicate axes and answers for all replicates at once.
Trees are compiled once per network, or once per kind of question, and kept.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.junction import JunctionTree, compile_tree
from core.network import Network
from core.parameters import Model
from core.propagation import collect, distribute, maximise, total
from core.table import Array, Table
from core.triangulation import moral_graph, triangulate

BLOCK_CELLS = 2**18
"""Clique cells worked on at a time, over all replicates of a block."""

Evidence = Mapping[str, str | Sequence[str]]
"""States of some variables; a list of states asks one question for each of them."""


@dataclass(frozen=True)
class Query:
    """One question: the joint distribution of the targets, given states of other variables."""

    targets: tuple[str, ...]
    given: Mapping[str, str] = field(default_factory=dict)


@functools.lru_cache(maxsize=64)
def treewidth(network: Network) -> int:
    """Variables in the largest clique less one, for the best elimination order found."""
    scopes = [(*parents, i) for i, parents in enumerate(network.parent_indices)]
    graph = moral_graph(scopes, len(scopes))
    return triangulate(graph, [v.cardinality for v in network.variables]).width


@functools.lru_cache(maxsize=32)
def network_tree(network: Network) -> JunctionTree:
    """The junction tree of a whole network."""
    return compile_tree(network, range(len(network.variables)))


def marginals(model: Model) -> tuple[Array, ...]:
    """P(variable) for each variable, in the network's order: ``(*replicates, states)`` each."""
    tree = network_tree(model.network)
    values = _last(model)
    found = [np.ones((v.cardinality, values.shape[1])) for v in model.network.variables]
    for block in _blocks(values.shape[1], tree.cells):
        cells = tree.gather(values[:, block], np.zeros((0, 1), np.intp))
        beliefs = distribute(tree, collect(tree, cells, evidence=False), evidence=False)
        for variable, position, axes in tree.singles:
            np.add.reduce(beliefs[position], axis=axes, out=found[variable][:, None, block])
    return tuple(a.T.reshape(*model.replicates, a.shape[0]) for a in found)


def _last(model: Model) -> Array:
    """The model's values with replicates last: ``(cells, replicates)``."""
    return np.ascontiguousarray(model.values.reshape(-1, model.values.shape[-1]).T)


def _blocks(size: int, cells: int) -> Iterator[slice]:
    step = max(1, BLOCK_CELLS // max(cells, 1))
    return (slice(start, min(start + step, size)) for start in range(0, size, step))
