"""What a model is fitted to: measured tables made consistent, filtered and raked.

Least squares over all effects that tables share (weights by variance), then each table's posterior
mean given what was expected of it, then one distribution for each column and every table raked to
those of its columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.estimation.consistency import compile_plan
from core.estimation.effects import side_by_side
from core.synthesis.empirical import filtered
from core.synthesis.joint_tables import proportional
from core.synthesis.measuring import Columns, NoisyTable
from core.table import Array

RAKED = 10
"""Passes over the columns of a table."""


@dataclass(frozen=True, eq=False)
class Targets:
    """Distributions over maximal sets of columns, alike in single columns; and the records."""

    tables: Mapping[Columns, Array]
    records: float


def merged(tables: Sequence[NoisyTable]) -> list[NoisyTable]:
    """Tables over the same columns as one, weighted by precision; the first one's prior."""
    groups: dict[Columns, list[NoisyTable]] = {}
    for table in tables:
        groups.setdefault(table.columns, []).append(table)
    means = []
    for columns, own in groups.items():
        trust = np.array([1 / max(t.variance, 1e-12) for t in own])
        values = np.tensordot(trust / trust.sum(), np.stack([t.values for t in own]), 1)
        means.append(NoisyTable(columns, values, 1 / float(trust.sum()), own[0].prior))
    return means


def consistent(tables: Sequence[NoisyTable], sizes: Sequence[int]) -> list[NoisyTable]:
    """The same tables by generalised least squares over the effects that they share."""
    axes = [tuple((c, sizes[c]) for c in t.columns) for t in tables]
    slices = side_by_side(axes)
    weights = [1 / (max(t.variance, 1e-12) * t.values.size) for t in tables]
    flat = np.concatenate([t.values.ravel() for t in tables])
    agreed = compile_plan(axes, slices, weights).apply(flat[None])[0]
    return [
        NoisyTable(t.columns, agreed[where].reshape(t.values.shape), t.variance, t.prior)
        for t, where in zip(tables, slices, strict=True)
    ]


def targets(
    tables: Sequence[NoisyTable], sizes: Sequence[int], *, gaussian: bool, records: float | None
) -> Targets:
    """What to fit; ``records`` where their number is public."""
    agreed = consistent(merged(tables), sizes)
    total = max(1.0, float(agreed[0].values.sum()) if records is None else records)
    singles = {
        t.columns[0]: _filtered(t, np.full(t.values.shape, 1 / t.values.size), total, gaussian)
        for t in agreed
        if len(t.columns) == 1
    }
    sets = [set(t.columns) for t in agreed]
    largest = [t for t in agreed if not any(set(t.columns) < other for other in sets)]
    shares = {
        t.columns: singles[t.columns[0]]
        if len(t.columns) == 1
        else _filtered(t, _expected(t, singles), total, gaussian)
        for t in largest
    }
    columns = _columns(largest, shares)
    return Targets({own: raked(own, table, columns) for own, table in shares.items()}, total)


def _filtered(table: NoisyTable, expected: Array, total: float, gaussian: bool) -> Array:
    deviation = table.variance**0.5
    counts = filtered(table.values, expected * total, deviation, gaussian=gaussian)
    return counts / counts.sum() if counts.sum() > 0 else expected


def _expected(table: NoisyTable, singles: Mapping[int, Array]) -> Array:
    """What a table was expected to be: its prior, or independent columns."""
    if table.prior is not None:
        return table.prior
    product: Array = np.ones(())
    for column in table.columns:
        product = np.multiply.outer(product, singles[column])
    return product


def _columns(tables: Sequence[NoisyTable], shares: Mapping[Columns, Array]) -> dict[int, Array]:
    """One distribution for each column: the mean over its tables, weighted by precision."""
    sums: dict[int, Array] = {}
    for table in tables:
        share = shares[table.columns]
        for axis, column in enumerate(table.columns):
            own = margin(share, axis)
            trust = own.size / (max(table.variance, 1e-12) * share.size)
            sums[column] = sums.get(column, 0.0) + trust * own
    return {column: values / values.sum() for column, values in sums.items()}


def raked(columns: Columns, table: Array, wanted: Mapping[int, Array]) -> Array:
    """The table scaled to the distributions of its columns."""
    if len(columns) == 1:
        return wanted[columns[0]]
    margins: dict[Columns, Array] = {(axis,): wanted[column] for axis, column in enumerate(columns)}
    return proportional(table, margins, RAKED)


def margin(table: Array, axis: int) -> Array:
    """The table summed over all axes but one."""
    return np.asarray(table.sum(axis=tuple(a for a in range(table.ndim) if a != axis)))
