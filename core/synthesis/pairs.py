"""Every two-way table of a model on its junction tree, together.

A pair of variables meets at one clique: the lowest above both. What lies below a clique is known to
it only through the variables it shares with its child, so a pair's table is three factors: one side
given its shared variables, the clique's own table of both sets of shared variables, and the other
side. A clique's own variables are sides of their own.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.inference.axes import summed
from core.inference.junction import Clique, JunctionTree
from core.inference.propagation import collect, distribute
from core.inference.queries import network_tree
from core.parameters import Model
from core.table import Array, replicates_last


class _SideBelow(NamedTuple):
    """Some variables, stacked state by state, given the variables a clique shares with them."""

    variables: tuple[int, ...]
    shared: tuple[int, ...]
    given: Array
    """``(stacked states, *shared)``."""


def model_pairs(model: Model) -> dict[tuple[int, int], Array]:
    """P(i, j) for i < j of all variables of a network."""
    tree = network_tree(model.network)
    collected = collect(tree, tree.gather(replicates_last(model.values)), evidence=False)
    beliefs = [own[..., 0, 0] for own in distribute(tree, collected, evidence=False)]
    return pair_tables(tree, beliefs, [v.cardinality for v in model.network.variables])


def pair_tables(
    tree: JunctionTree, beliefs: Sequence[Array], sizes: Sequence[int]
) -> dict[tuple[int, int], Array]:
    """P(i, j) for i < j of all variables of a tree whose cliques have these marginals."""
    below: dict[int, list[_SideBelow]] = {position: [] for position in range(len(tree.cliques))}
    tables: dict[tuple[int, int], Array] = {}
    for position in range(len(tree.cliques) - 1, -1, -1):
        clique, own = tree.cliques[position], beliefs[position]
        residual = clique.variables[clique.shared :]
        sides = below.pop(position)
        sides += [_SideBelow((v,), (v,), np.eye(sizes[v])) for v in residual]
        for left, right in itertools.combinations(sides, 2):
            _meet(clique, own, left, right, sizes, tables)
        if position:
            shared = clique.variables[: clique.shared]
            below[clique.parent].append(_passed_on(clique, own, sides, shared, sizes))
    return tables


def _joint(clique: Clique, own: Array, wanted: Sequence[int]) -> Array:
    """The clique's marginal over the wanted variables, in that order."""
    gone = tuple(a for a, v in enumerate(clique.variables) if v not in wanted)
    kept = [v for v in clique.variables if v in wanted]
    whole = summed(own, gone).reshape([own.shape[clique.variables.index(v)] for v in kept])
    return np.asarray(whole.transpose([kept.index(v) for v in wanted]))


def _met(
    clique: Clique, own: Array, left: _SideBelow, shared: Sequence[int]
) -> tuple[Array, list[int], list[int]]:
    """``(common, stacked states of the left, rest of shared)``, and which variables those are."""
    common = [v for v in left.shared if v in shared]
    only = [v for v in left.shared if v not in shared]
    rest = [v for v in shared if v not in common]
    joint = _joint(clique, own, [*common, *only, *rest])
    shape = joint.shape
    first, second = len(common), len(common) + len(only)
    matrix = joint.reshape(math.prod(shape[:first]), math.prod(shape[first:second]), -1)
    return _arranged(left, common, only) @ matrix, common, rest


def _arranged(side: _SideBelow, common: Sequence[int], only: Sequence[int]) -> Array:
    """The side's matrix as ``(common, stacked states, only)``."""
    order = [1 + side.shared.index(v) for v in (*common, *only)]
    moved = side.given.transpose([*order[: len(common)], 0, *order[len(common) :]])
    lead = math.prod(moved.shape[: len(common)])
    return np.ascontiguousarray(moved).reshape(lead, side.given.shape[0], -1)


def _meet(
    clique: Clique,
    own: Array,
    left: _SideBelow,
    right: _SideBelow,
    sizes: Sequence[int],
    tables: dict[tuple[int, int], Array],
) -> None:
    half, common, rest = _met(clique, own, left, right.shared)
    order = [1 + right.shared.index(v) for v in (*common, *rest)]
    other = right.given.transpose([0, *order]).reshape(len(right.given), -1)
    whole = half.transpose(1, 0, 2).reshape(half.shape[1], -1) @ other.T
    for i, rows in _places(left.variables, sizes).items():
        for j, columns in _places(right.variables, sizes).items():
            table = whole[rows, columns]
            tables[min(i, j), max(i, j)] = table if i < j else table.T


def _passed_on(
    clique: Clique,
    own: Array,
    sides: Sequence[_SideBelow],
    shared: tuple[int, ...],
    sizes: Sequence[int],
) -> _SideBelow:
    """Everything below and in a clique, given what it shares with its parent."""
    total = _joint(clique, own, shared)
    shape = tuple(sizes[v] for v in shared)
    stacked = []
    for side in sides:
        half, common, rest = _met(clique, own, side, shared)
        shaped = half.reshape(*(sizes[v] for v in common), -1, *(sizes[v] for v in rest))
        axes = [*common, None, *rest]
        stacked.append(shaped.transpose([axes.index(None), *(axes.index(v) for v in shared)]))
    joint = np.concatenate(stacked) if stacked else np.zeros((0, *shape))
    given = joint / np.maximum(total, 1e-300)
    return _SideBelow(tuple(v for side in sides for v in side.variables), shared, given)


def _places(variables: Sequence[int], sizes: Sequence[int]) -> Mapping[int, slice]:
    places, start = {}, 0
    for v in variables:
        places[v] = slice(start, start + sizes[v])
        start += sizes[v]
    return places
