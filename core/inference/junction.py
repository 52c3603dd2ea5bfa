"""Junction trees: everything about exact inference that does not depend on the numbers.

A tree is compiled once for a network (or for one question about it, or for any product of factors)
and then run for any model, any number of replicates and any evidence on the same variables. All
shapes, sums and orders are fixed here, so that a run is a short list of numpy calls.

Axes are arranged so that nothing is ever transposed during a run: a clique's axes begin with the
variables shared with its parent, in the parent's order; a factor is gathered in its clique's
order. Two batch axes (evidence, replicates) come last, where numpy's inner loops are longest.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.inference.cliques import (
    Forest,
    check_sizes,
    mask_of,
    maximal_cliques,
    members,
    moral_graph,
    triangulate,
)
from core.network import Network
from core.table import Array, Variable

Shape = tuple[int, ...]


class Clique(NamedTuple):
    """One clique; ``variables`` are its axes, the first ``shared`` of them also its parent's."""

    variables: tuple[int, ...]
    shape: Shape
    parent: int
    shared: int
    factors: tuple[tuple[slice, Shape], ...]
    """Where each factor lies among the gathered cells, and its shape with ones for other axes."""
    message_shape: Shape
    """Shape of the message to the parent, with ones for the parent's other axes."""
    parent_sum: tuple[int, ...]
    """The parent's axes that the message from the parent sums over."""
    sends: bool
    """Without evidence, whether the message to the parent is anything but one."""
    receives: bool
    """Without evidence, whether the message from the parent is anything but one."""
    split: Shape
    """Cells of the shared axes, and of the others."""

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.split[0] * self.split[1]


@dataclass(frozen=True, eq=False)
class JunctionTree:
    """Cliques, parents before children, and where each factor's cells lie in a packed model.

    ``index`` gathers the cells of all factors for evidence at state 0; state k of evidence
    variable e moves the cells of factor f by ``strides[f, e] * k``; ``sizes[f]`` are its cells.
    """

    cliques: tuple[Clique, ...]
    index: NDArray[np.int32]
    sizes: NDArray[np.intp]
    strides: NDArray[np.int32]

    @cached_property
    def cells(self) -> int:
        """Cells of all cliques together."""
        return sum(clique.cells for clique in self.cliques)

    @cached_property
    def singles(self) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """For each free variable: the smallest clique that holds it, and its other axes."""
        smallest: dict[int, int] = {}
        for position, clique in enumerate(self.cliques):
            for v in clique.variables:
                if v not in smallest or clique.cells < self.cliques[smallest[v]].cells:
                    smallest[v] = position
        return tuple(
            (v, at, tuple(a for a, other in enumerate(self.cliques[at].variables) if other != v))
            for v, at in sorted(smallest.items())
        )

    def gather(self, values: Array, codes: NDArray[np.intp] | None = None) -> Array:
        """Factors' cells, ``(cells, evidence, replicates)``, of a model ``(cells, replicates)``.

        ``codes[e, k]`` is the state of evidence variable e in the k-th piece of evidence.
        """
        index: NDArray[np.intp] = self.index.astype(np.intp)
        if codes is None or not len(codes):
            return values.take(index, axis=0)[:, None, :]
        moved = index[:, None] + np.repeat(self.strides @ codes, self.sizes, axis=0)
        return values.take(moved, axis=0)


class Factor(NamedTuple):
    """One factor of a product: its axes, its first packed cell, and whose conditional it is."""

    axes: tuple[int, ...]
    start: int
    owner: int | None = None


def compile_tree(
    network: Network,
    families: Sequence[int],
    evidence: Sequence[int] = (),
    targets: Sequence[int] = (),
) -> JunctionTree:
    """A tree over the given families with evidence fixed; the root's first axes are the targets."""
    starts = [where.start for where in network.layout.slices]
    factors = [
        Factor((*network.parent_indices[f], f), starts[f], f)
        for f in families
        if network.variables[f].cardinality > 1  # the conditional of a single state is one
    ]
    return compile_factors(network.variables, factors, evidence, targets)


def compile_factors(
    variables: Sequence[Variable],
    factors: Sequence[Factor],
    evidence: Sequence[int] = (),
    targets: Sequence[int] = (),
) -> JunctionTree:
    """A tree over any factors with evidence fixed; the root's first axes are the targets.

    Variables with a single state take no part. Refused, before anything is allocated, when a
    clique or all cliques together have too many cells.
    """
    cardinality = [v.cardinality for v in variables]
    fixed = mask_of(evidence) | mask_of(v for v, r in enumerate(cardinality) if r == 1)
    scopes = [[v for v in factor.axes if not fixed >> v & 1] for factor in factors]
    wanted = [v for v in targets if not fixed >> v & 1]
    free = sorted({v for scope in (*scopes, wanted) for v in scope})
    local = {v: i for i, v in enumerate(free)}
    graph = moral_graph([[local[v] for v in scope] for scope in (*scopes, wanted)], len(free))
    elimination = triangulate(graph, [cardinality[v] for v in free])
    forest = maximal_cliques(elimination)
    cliques = [frozenset(free[i] for i in members(mask)) for mask in forest.masks]
    check_sizes(variables, cliques)
    rank = {free[i]: place for place, i in enumerate(elimination.order)}
    homes = [
        forest.home[local[min(scope, key=rank.__getitem__)]] if scope else 0 for scope in scopes
    ]
    root = next(i for i, clique in enumerate(cliques) if clique.issuperset(wanted))
    places = _oriented(forest, cliques, root, wanted)
    residents: dict[int, list[int]] = {place.clique: [] for place in places}
    for number, home in enumerate(homes):
        residents[home].append(number)
    return _arranged(cardinality, factors, scopes, residents, evidence, places)


class _Place(NamedTuple):
    """A clique's axes and its parent, before its factors are known."""

    clique: int
    parent: int
    axes: tuple[int, ...]
    shared: int


def _oriented(
    forest: Forest, cliques: Sequence[frozenset[int]], root: int, first: Sequence[int]
) -> list[_Place]:
    """Cliques with parents before children; ``parent`` is a position in this list."""
    joined: list[list[int]] = [[] for _ in cliques]
    for clique, parent in enumerate(forest.parents):
        if clique != parent:
            joined[clique].append(parent)
            joined[parent].append(clique)
    axes = (*first, *sorted(cliques[root].difference(first)))
    oriented = [_Place(root, -1, axes, 0)]
    for position, place in enumerate(oriented):
        above = oriented[place.parent].clique if place.parent >= 0 else -1
        for other in joined[place.clique]:
            if other != above:
                shared = [v for v in place.axes if v in cliques[other]]
                rest = sorted(cliques[other].difference(shared))
                oriented.append(_Place(other, position, (*shared, *rest), len(shared)))
    return oriented


def _arranged(
    cardinality: Sequence[int],
    factors: Sequence[Factor],
    scopes: Sequence[Sequence[int]],
    residents: Mapping[int, Sequence[int]],
    evidence: Sequence[int],
    places: Sequence[_Place],
) -> JunctionTree:
    """The compiled tree: every factor gathered in the order of its clique's axes."""
    owners = {
        clique: [owner for n in numbers if (owner := factors[n].owner) is not None]
        for clique, numbers in residents.items()
    }
    sends, receives = _informative(places, owners)
    cliques, pieces, strides, end = [], [], [], 0
    for position, place in enumerate(places):
        held = []
        for number in residents[place.clique]:
            steps = _steps(cardinality, factors[number].axes)
            index = np.array(factors[number].start)
            for variable in (v for v in place.axes if v in scopes[number]):
                index = index[..., None] + steps[variable] * np.arange(cardinality[variable])
            pieces.append(index.ravel())
            strides.append([steps.get(v, 0) for v in evidence])
            shape = _spread(cardinality, place.axes, scopes[number])
            held.append((slice(end, end + index.size), shape))
            end += index.size
        above = places[place.parent].axes if position else ()
        shared = place.axes[: place.shared]
        whole = _spread(cardinality, place.axes, place.axes)
        cliques.append(
            Clique(
                place.axes,
                whole,
                place.parent,
                place.shared,
                tuple(held),
                _spread(cardinality, above, shared),
                tuple(axis for axis, v in enumerate(above) if v not in shared),
                sends[position],
                receives[position],
                (math.prod(whole[: place.shared]), math.prod(whole[place.shared :])),
            )
        )
    sizes = [piece.size for piece in pieces]
    return JunctionTree(
        tuple(cliques),
        np.concatenate([np.zeros(0, np.int32), *pieces]).astype(np.int32),
        np.array(sizes, dtype=np.intp),
        np.array(strides, dtype=np.int32).reshape(len(sizes), len(evidence)),
    )


def _steps(cardinality: Sequence[int], axes: Sequence[int]) -> dict[int, int]:
    """How far one state of each variable moves in a factor's cells."""
    shape = [cardinality[v] for v in axes]
    return {v: math.prod(shape[place + 1 :]) for place, v in enumerate(axes)}


def _spread(cardinality: Sequence[int], axes: Sequence[int], kept: Sequence[int]) -> Shape:
    return tuple(cardinality[v] if v in kept else 1 for v in axes)


def _informative(
    places: Sequence[_Place], owners: Mapping[int, Sequence[int]]
) -> tuple[list[bool], list[bool]]:
    """Which messages up and down are anything but one when there is no evidence.

    The conditionals on one side of an edge multiply and sum to one over that side's own variables
    exactly when they are the conditionals of these variables and of no shared one.
    """
    inside = [mask_of(place.axes) for place in places]
    owned = [mask_of(owners[place.clique]) for place in places]
    for position in range(len(places) - 1, 0, -1):
        inside[places[position].parent] |= inside[position]
        owned[places[position].parent] |= owned[position]
    shared = [mask_of(place.axes[: place.shared]) for place in places]
    up = [o != i & ~s for o, i, s in zip(owned, inside, shared, strict=True)]
    down = [o != i for o, i in zip(owned, inside, strict=True)]
    return up, down
