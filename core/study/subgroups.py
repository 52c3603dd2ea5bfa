"""Who bears the error: rows by how many records they have, and people by a state they share.

Compares with the truth: study only.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.queries import marginals
from core.parameters import Model
from core.scenario import Scenario
from core.study.bands import bands
from core.study.experiments import rehearsals
from core.study.metrics import Truth, row_errors
from core.table import Array

SIZES = (1, 10, 100, 1_000, 10_000, math.inf)
"""Smallest numbers of records of each group of rows; those without any are left out."""


@dataclass(frozen=True, eq=False)
class Subgroup:
    """One group: its error and its signed bias over releases, as quantiles ``(7,)``.

    ``share`` is the part of the records in it. Of rows the error is the mean L1 distance of a row,
    and the bias that of the probability of the row's most common state: below zero, the published
    row says too little of what is usual there. Of people it is the mean L1 distance of the
    distributions of all other variables among them, and the bias that of their own share.
    """

    name: str
    members: int
    share: float
    error: Array
    bias: Array


def by_size(
    method: str, truth: Truth, counts: CountSource, scenario: Scenario
) -> tuple[Subgroup, ...]:
    """Rows of the published tables by the number of records that they rest on."""
    groups = [
        (f"{low:,.0f} to {high - 1:,.0f} records" if high < math.inf else f"{low:,.0f} and more",
         (truth.row_counts >= low) & (truth.row_counts < high))
        for low, high in itertools.pairwise(SIZES)
    ]  # fmt: skip
    groups = [(name, rows) for name, rows in groups if rows.any()]
    models = [release.model for release in rehearsals(method, truth.network, counts, scenario)]
    errors = np.concatenate([row_errors(truth, model) for model in models])
    biases = np.concatenate([_usual(truth, model) for model in models]) - _usual(truth, truth.model)
    total = float(truth.row_counts.sum())
    return tuple(
        Subgroup(
            name,
            int(rows.sum()),
            float(truth.row_counts[rows].sum()) / total,
            bands(errors[:, rows].mean(axis=-1)),
            bands(biases[:, rows].mean(axis=-1)),
        )
        for name, rows in groups
    )


def _usual(truth: Truth, model: Model) -> Array:
    """Each row's probability of the state that is most common there in truth."""
    layout = truth.network.layout
    usual = np.empty((*model.replicates, layout.row_count))
    for block in layout.blocks:
        first = layout.rows(truth.model.values, block).argmax(axis=-1)
        rows = layout.rows(model.values, block)
        index = np.broadcast_to(first[..., None], (*rows.shape[:-1], 1))
        usual[..., block.rows] = np.take_along_axis(rows, index, axis=-1)[..., 0]
    return usual


def by_state(
    name: str, method: str, truth: Truth, counts: CountSource, scenario: Scenario
) -> tuple[Subgroup, ...]:
    """People by the state of one variable: how well the rest is known of each, and their number."""
    network = truth.network
    place = network.index(name)
    if len(network.names) < 2:
        raise EquipoiseError("one variable alone says nothing of others; choose another network")
    models = [release.model for release in rehearsals(method, network, counts, scenario)]
    own = truth.marginals[place]
    private = np.concatenate([marginals(model)[place] for model in models])
    return tuple(
        Subgroup(
            f"{name} = {state}",
            round(float(own[code]) * truth.records),
            float(own[code]),
            bands(np.concatenate([_others(truth, model, name, state) for model in models])),
            bands(private[:, code] - own[code]),
        )
        for code, state in enumerate(network.variables[place].states)
        if own[code] > 0
    )


def _others(truth: Truth, model: Model, name: str, state: str) -> Array:
    """Mean L1 distance of the other variables' distributions among people of one state."""
    given = {name: state}
    pairs = zip(
        truth.network.names, marginals(model, given), marginals(truth.model, given), strict=True
    )
    errors = [np.abs(p - q).sum(axis=-1) for other, p, q in pairs if other != name]
    return np.asarray(np.mean(errors, axis=0))
