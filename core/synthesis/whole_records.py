"""Records with whole counts: little of what a model knows is lost to the lot that draws them.

Drawn column by column with systematic sampling, every table of a column with its parents is as the
model has it. Two columns that are in no such table are left to the lot; so records are moved to
other states, a few in a thousand, until all pairs are nearly as the model has them. All of it sees
the model alone and costs nothing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.counts import Rows
from core.dataset import Dataset, code_type
from core.inference.sampling import sample
from core.parameters import Model
from core.synthesis.pairs import model_pairs
from core.table import Array, Variable


def draw_columns(
    model: Model,
    records: int,
    columns: Sequence[Variable],
    *,
    whole: bool,
    rng: np.random.Generator,
) -> Rows:
    """Records of some of a model's variables, as ``whole`` counts or one by one."""
    network = model.network
    if whole:  # columns come first, a hidden class last
        return Rows(draw_whole(model, records, len(columns), rng=rng))
    drawn = sample(model, records, rng=rng)
    if network.variables == tuple(columns):
        return Rows(drawn)
    places = [network.index(v.name) for v in columns]
    return Rows(Dataset(tuple(columns), drawn.codes[:, places]))


SWEEPS, TRIES = 2, 6
"""Passes over the columns, and moves of many records at once in each."""

MOVED = 0.4
"""Part of the records too many in the cells of a column's pairs that one move takes away."""

LOOKED_AT = 2**15
"""Cells looked at for one move: so many records as that allows are thought of."""


def draw_whole(
    model: Model, records: int, columns: int, *, rng: np.random.Generator, balanced: bool = True
) -> Dataset:
    """So many records of the first ``columns`` variables, by systematic sampling.

    Column by column, records sorted by the setting of the parents: in any run of neighbours each
    state is taken as often as expected, to within one. Every table of a column with its parents is
    then as the model has it; where ``balanced``, pairs nearly so too.
    """
    network, layout = model.network, model.network.layout
    codes = np.zeros((records, len(network.variables)), dtype=np.intp)
    for node in network.order:
        shape = layout.shapes[node]
        rows = np.zeros(records, dtype=np.intp)
        for parent, size in zip(network.parent_indices[node], shape[:-1], strict=True):
            rows = rows * size + codes[:, parent]
        table = model.values[layout.slices[node]].reshape(-1, shape[-1])
        codes[:, node] = _spread(table, rows, rng=rng)
    variables = network.variables[:columns]
    if balanced and columns > 1:
        _Balance(model, codes[:, :columns]).improve(rng=rng)
    return Dataset(variables, codes[:, :columns].astype(code_type(variables)))


def _spread(table: Array, rows: NDArray[np.intp], *, rng: np.random.Generator) -> NDArray[np.intp]:
    """A state for each record: one state after the other, from those that have none yet."""
    states = np.full(len(rows), table.shape[1] - 1)
    mixed = rng.permutation(len(rows))
    short = rows.astype(np.uint16) if len(table) <= 2**16 else rows  # sorted by digits, not pairs
    order = mixed[np.argsort(short[mixed], kind="stable")]
    for state in range(table.shape[1] - 1):
        left = np.maximum(table[:, state:].sum(axis=1), 1e-300)
        steps = np.cumsum((table[:, state] / left).take(rows[order])) + rng.random()
        taken = np.diff(np.floor(steps + 1e-9), prepend=0.0) > 0
        states[order[taken]] = state
        order = order[~taken]
    return states


class _Balance:
    """Records, and how many too many each pair of states has among them."""

    def __init__(self, model: Model, codes: NDArray[np.intp]) -> None:
        records, columns = codes.shape
        self.codes = codes
        self.sizes = [v.cardinality for v in model.network.variables[:columns]]
        self.first = np.concatenate([[0], np.cumsum(self.sizes)])
        self.states = codes + self.first[:-1]
        """The number of each record's state among those of all columns: ``(records, columns)``."""
        self.surplus = np.zeros((self.first[-1], self.first[-1]))
        by_column = np.ascontiguousarray(codes.T)
        for (i, j), share in model_pairs(model).items():
            if j < columns:
                shape = (self.sizes[i], self.sizes[j])
                cell = by_column[i] * shape[1] + by_column[j]
                counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
                over = counts - records * share
                self.surplus[self._of(i), self._of(j)] = over
                self.surplus[self._of(j), self._of(i)] = over.T

    def _of(self, column: int) -> slice:
        return slice(self.first[column], self.first[column + 1])

    def improve(self, *, rng: np.random.Generator) -> None:
        """Move records, column by column."""
        for _ in range(SWEEPS):
            for column in rng.permutation(len(self.sizes)).tolist():
                for _ in range(TRIES if self.sizes[column] > 1 else 0):
                    if not self._move(column, rng=rng):
                        break

    def _move(self, column: int, *, rng: np.random.Generator) -> bool:
        """Move those that gain most, if the squares of all surpluses fall; half as many if not."""
        own, size = self.surplus[self._of(column)], self.sizes[column]
        records, others = len(self.codes), len(self.sizes) - 1
        looked = max(256, LOOKED_AT // (size * len(self.sizes)))
        some = np.arange(records) if looked >= records else rng.integers(records, size=looked)
        over = own.take(self.states[some].T, axis=1).sum(axis=1)  # by state; none with itself
        to = over.argmin(axis=0)
        place = np.arange(len(some))
        gain = over[self.codes[some, column], place] - over[to, place] - others
        most = max(1, int(MOVED * np.abs(own).sum() / (2 * others)))
        best = np.argsort(-gain, kind="stable")[: min(most, int((gain > 0).sum()))]
        best = best[np.unique(some[best], return_index=True)[1]]
        while len(best):
            change = self._change(column, some[best], to[best])
            if ((own + change) ** 2).sum() < (own**2).sum():
                self.codes[some[best], column] = to[best]
                self.states[some[best], column] = to[best] + self.first[column]
                self.surplus[self._of(column)] += change
                self.surplus[:, self._of(column)] = self.surplus[self._of(column)].T
                return True
            best = best[np.argsort(-gain[best], kind="stable")[: len(best) // 2]]
        return False

    def _change(self, column: int, rows: NDArray[np.intp], to: NDArray[np.intp]) -> Array:
        """What moving some records to other states of a column adds to its surpluses."""
        shape = (self.sizes[column], int(self.first[-1]))
        cells = np.delete(self.states[rows].T, column, axis=0)
        size = shape[0] * shape[1]
        added = np.bincount((to * shape[1] + cells).ravel(), minlength=size)
        taken = np.bincount((self.codes[rows, column] * shape[1] + cells).ravel(), minlength=size)
        return np.asarray((added - taken).reshape(shape), dtype=np.float64)
