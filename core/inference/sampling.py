"""Records drawn from a model."""

import numpy as np

from core.dataset import Dataset, code_type
from core.errors import EquipoiseError
from core.packing import encode
from core.parameters import Model
from core.table import Array

CHUNK = 2**17
"""Records drawn at a time: what is needed beside their codes does not grow with them."""


def sample(model: Model, records: int, *, rng: np.random.Generator) -> Dataset:
    """``records`` independent rows of one model, in the network's order of variables.

    Draws: for each variable in ``network.order`` one call ``rng.random(records)``; record r takes
    the first state whose cumulative probability, given its parents, exceeds number r. So the same
    generator gives the same rows everywhere, and a state of probability zero never appears.
    """
    _check(model, records)
    network, layout = model.network, model.network.layout
    codes = np.zeros((records, len(network.variables)), code_type(network.variables), order="F")
    cumulative = _cumulative(model)
    uniform = np.empty(min(records, CHUNK))
    for node in network.order:
        shape = layout.shapes[node]
        thresholds = cumulative[layout.slices[node]].reshape(-1, shape[-1]).T[:-1].copy()
        for start in range(0, records, CHUNK):
            part = codes[start : start + CHUNK]
            drawn = rng.random(out=uniform[: len(part)])  # the same numbers as all at once
            row = np.zeros(1, dtype=np.intp)
            if shape[:-1]:
                parents = [part[:, j] for j in network.parent_indices[node]]
                row = encode(parents, shape[:-1], len(part)).astype(np.intp)
            for threshold in thresholds:
                part[:, node] += (drawn >= threshold.take(row)).view(np.uint8)
    codes.flags.writeable = False
    return Dataset(network.variables, codes)


def _check(model: Model, records: int) -> None:
    if model.replicates:
        raise EquipoiseError(
            f"the model has replicate axes of shape {model.replicates}; records are drawn from "
            "one model, so choose one replicate"
        )
    if records < 0:
        raise EquipoiseError(f"records is {records}; it must not be negative")


def _cumulative(model: Model) -> Array:
    """Cumulative probabilities of every row, packed as the model's values."""
    layout = model.network.layout
    cumulative = np.empty(layout.size)
    for block in layout.blocks:
        rows = np.cumsum(layout.rows(model.values, block), axis=-1)
        # rounding must not give mass to impossible states at the end: there the sum is reached
        rows[rows >= rows[:, -1:]] = 1.0
        cumulative[block.cells] = rows.ravel()
    return cumulative
