"""Records with whole counts: nothing of what a model knows is lost to the lot that draws them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.dataset import Dataset, code_type
from core.parameters import Model
from core.table import Array


def draw_whole(model: Model, records: int, columns: int, *, rng: np.random.Generator) -> Dataset:
    """So many records of the first ``columns`` variables, by systematic sampling.

    Column by column, records sorted by the setting of the parents: in any run of neighbours each
    state is taken as often as expected, to within one. Every table of a column with its parents is
    then as the model has it. Sees the model alone, so it costs nothing.
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
    return Dataset(variables, codes[:, :columns].astype(code_type(variables)))


def _spread(table: Array, rows: NDArray[np.intp], *, rng: np.random.Generator) -> NDArray[np.intp]:
    """A state for each record: one state after the other, from those that have none yet."""
    states = np.full(len(rows), table.shape[1] - 1)
    mixed = rng.permutation(len(rows))
    order = mixed[np.argsort(rows[mixed], kind="stable")]
    for state in range(table.shape[1] - 1):
        left = np.maximum(table[:, state:].sum(axis=1), 1e-300)
        steps = np.cumsum((table[:, state] / left).take(rows[order])) + rng.random()
        taken = np.diff(np.floor(steps + 1e-9), prepend=0.0) > 0
        states[order[taken]] = state
        order = order[~taken]
    return states
