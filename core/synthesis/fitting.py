"""One maximum-entropy model with given tables, by proportional fitting on its junction tree.

A sweep walks the tree from the root to every leaf and back; at each clique every table that lives
there is met exactly, and what changed is handed on. Tables of single columns or of a tree of pairs
are met after one sweep; others after a few, from the potentials of the model before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.inference.axes import multiply_rows, row_sums, spread, summed
from core.inference.junction import Clique
from core.markov.belief import conditionals
from core.markov.graph import Field
from core.network import Network
from core.parameters import Model
from core.synthesis.measuring import Columns
from core.synthesis.pairs import pair_tables
from core.table import Array, Variable

TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model over columns: log-potentials, clique marginals, and how many sweeps it took."""

    field: Field
    theta: Array
    beliefs: list[Array]
    sweeps: int

    @cached_property
    def pairs(self) -> dict[tuple[int, int], Array]:
        """P of every two columns."""
        sizes = [v.cardinality for v in self.field.variables]
        return pair_tables(self.field.tree, self.beliefs, sizes)

    @property
    def potentials(self) -> dict[Columns, Array]:
        """Log-potentials by columns, to begin the next fit with."""
        places = zip(self.field.tables, self.field.slices, strict=True)
        return {columns: self.theta[where] for columns, where in places}

    def model(self) -> Model:
        """The same distribution as a Bayesian network: columns given those before in a clique."""
        names = [v.name for v in self.field.variables]
        parents: dict[int, tuple[int, ...]] = {}
        arrays: dict[int, Array] = {}
        for clique, belief in zip(self.field.tree.cliques, self.beliefs, strict=True):
            for place in range(clique.shared, len(clique.variables)):
                own = clique.variables[place]
                parents[own] = clique.variables[:place]
                later = tuple(range(place + 1, len(clique.variables)))
                arrays[own] = _rows(belief.sum(axis=later) if later else belief)
        order = range(len(names))
        network = Network(
            self.field.variables, tuple(tuple(names[p] for p in parents[v]) for v in order)
        )
        return Model.from_conditionals(network, [arrays[v] for v in order])


def _rows(table: Array) -> Array:
    """Rows over the last axis as distributions; uniform where nothing is."""
    totals = table.sum(axis=-1, keepdims=True)
    rows = np.where(totals > 0, table / np.maximum(totals, TINY), 1 / table.shape[-1])
    return np.asarray(rows / rows.sum(axis=-1, keepdims=True))


def fitted(
    variables: Sequence[Variable],
    shares: Mapping[Columns, Array],
    *,
    sweeps: int,
    tolerance: float,
    start: Fitted | None = None,
) -> Fitted:
    """The model whose tables are these distributions, or close to them where they disagree.

    At most so many sweeps; fewer where no table is further off than the tolerance in L1.
    """
    field = Field(tuple(variables), tuple(shares))
    known = {} if start is None else start.potentials
    pieces = [known.get(columns, np.zeros(table.size)) for columns, table in shares.items()]
    goal = np.concatenate([table.ravel() for table in shares.values()])
    fit = _Fit.of(field, np.concatenate(pieces), goal)
    used, fit.furthest = 0, np.inf
    while used < sweeps and fit.furthest >= tolerance:
        fit.sweep()
        used += 1
    fit.settle()
    theta = np.zeros(field.size)
    theta[field.tree.index] = fit.theta
    return Fitted(field, theta, fit.beliefs, used)


def left_out(model: Fitted, shares: Mapping[Columns, Array], columns: Columns) -> Array:
    """What all other tables of a model say about one, in one sweep; all that only it holds even.

    ``shares`` are what the model was fitted to.
    """
    field, index = model.field, model.field.tree.index
    where = field.slices[field.tables.index(columns)]
    theta, goal = model.theta.copy(), np.concatenate([table.ravel() for table in shares.values()])
    theta[where] = 0.0
    fit = _Fit.of(field, theta, goal)
    fit.skipped = int(np.flatnonzero(index == where.start)[0])
    fit.sweep()
    fit.settle()
    own = np.zeros(field.size)
    for clique, belief in zip(field.tree.cliques, fit.beliefs, strict=True):
        for place, shape in clique.factors:
            if place.start == fit.skipped:
                gone = tuple(axis for axis, size in enumerate(shape) if size == 1)
                own[index[place]] = belief.sum(axis=gone).ravel()
    return own[where].reshape(shares[columns].shape)


@dataclass(eq=False)
class _Fit:
    """The state of one fit: marginals of cliques and of what they share with their parents.

    The table that is ``skipped`` begins there in the tree's order; it is not met.
    """

    field: Field
    goal: Array
    met: Array
    """Every table as it was before a sweep met it."""
    theta: Array
    beliefs: list[Array]
    shared: list[Array]
    children: list[list[int]]
    furthest: float = 0.0
    skipped: int = -1

    @classmethod
    def of(cls, field: Field, theta: Array, goal: Array) -> _Fit:
        tree = field.tree
        _, tables = conditionals(tree, theta[:, None])
        beliefs = [table[..., 0] for table in tables]
        children: list[list[int]] = [[] for _ in beliefs]
        shared = [np.zeros(0)]
        for position, clique in enumerate(tree.cliques[1:], start=1):
            children[clique.parent].append(position)
            shared.append(_handed(beliefs[clique.parent], clique))
            multiply_rows(beliefs[position].reshape(clique.split), shared[-1].ravel())
        index = tree.index.astype(np.intp)
        wanted = np.maximum(goal[index], 1e-12)
        return cls(field, wanted, wanted.copy(), theta[index], beliefs, shared, children)

    def sweep(self) -> None:
        """Meet every table once, from the root to every leaf and back."""
        self.walk(0)
        starts = np.cumsum([0, *self.field.tree.sizes[:-1]])
        self.furthest = float(np.add.reduceat(np.abs(self.goal - self.met), starts).max())
        self.theta += np.log(self.goal / np.maximum(self.met, TINY))

    def walk(self, position: int) -> None:
        """Meet the tables of a clique, then those below each child, one after the other."""
        self._meet(position)
        for child in self.children[position]:
            self._down(position, child)
            self.walk(child)
            self._up(position, child)

    def _meet(self, position: int) -> None:
        belief = self.beliefs[position]
        for where, shape in self.field.tree.cliques[position].factors:
            if where.start == self.skipped:
                continue
            gone = tuple(axis for axis, size in enumerate(shape) if size == 1)
            own = summed(belief, gone)
            self.met[where] = own.ravel()
            ratio = self.goal[where].reshape(shape) / np.maximum(own, TINY)
            belief *= spread(ratio, belief.shape)

    def _down(self, position: int, child: int) -> None:
        clique = self.field.tree.cliques[child]
        new = _handed(self.beliefs[position], clique)
        rows = self.beliefs[child].reshape(clique.split)
        multiply_rows(rows, (new / np.maximum(self.shared[child], TINY)).ravel())
        self.shared[child] = new

    def _up(self, position: int, child: int) -> None:
        clique = self.field.tree.cliques[child]
        new = self._told(child)
        ratio = new / np.maximum(self.shared[child], TINY)
        belief = self.beliefs[position]
        belief *= spread(ratio.reshape(clique.message_shape), belief.shape)
        self.shared[child] = new

    def _told(self, child: int) -> Array:
        """What a clique shares with its parent, as the clique itself has it."""
        sums = row_sums(self.beliefs[child].reshape(self.field.tree.cliques[child].split))
        return sums.reshape(self.shared[child].shape)

    def settle(self) -> None:
        """Every clique agrees with its parent, and all sum to one."""
        self.beliefs[0] /= self.beliefs[0].sum()
        for child, clique in enumerate(self.field.tree.cliques[1:], start=1):
            self.shared[child] = self._told(child)
            self._down(clique.parent, child)


def _handed(belief: Array, clique: Clique) -> Array:
    """What a clique shares with its parent, as the parent has it."""
    whole = summed(belief, clique.parent_sum)
    return whole.reshape(clique.shape[: clique.shared])
