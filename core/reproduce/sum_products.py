"""Sum-product terms of variable elimination in the exact and a private model, side by side."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.parameters import Model
from core.table import Array, Table, cells


@dataclass(frozen=True, eq=False)
class SumProduct:
    """One term Σ_x Π φ_i: its L1 error, errors of its factors, and their least exact value.

    Everything but ``factors`` and ``smallest`` is one number for each replicate.
    """

    factors: int
    error: Array
    least: Array
    most: Array
    smallest: float


def sum_products(
    exact: Model, private: Model, kept: Sequence[str] = (), given: Mapping[str, str] | None = None
) -> list[SumProduct]:
    """The terms that eliminating all but some variables makes, smallest product first.

    ``private`` has one leading axis. Terms of a single factor are left out: nothing is multiplied.
    Source: Chowdhury et al. 2019 (arXiv), Algorithm 3 and Eq. 19.
    """
    pairs = [
        _given(pair, given or {})
        for pair in zip(exact.conditionals, private.conditionals, strict=True)
    ]
    waiting = [n for n in exact.network.names if n not in kept and n not in (given or {})]
    terms = []
    while waiting:
        name = min(waiting, key=lambda n: _size(pairs, n))
        waiting.remove(name)
        used = [p for p in pairs if name in p[0].names]
        pairs = [p for p in pairs if name not in p[0].names]
        products = [functools.reduce(Table.multiply, tables) for tables in zip(*used, strict=True)]
        rest = [n for n in products[0].names if n != name]
        summed = products[0].marginal(rest), products[1].marginal(rest)
        pairs.append(summed)
        if len(used) > 1:
            terms.append(_term(used, summed))
    return terms


def _given(pair: tuple[Table, Table], given: Mapping[str, str]) -> tuple[Table, Table]:
    own = {n: s for n, s in given.items() if n in pair[0].names}
    return pair[0].given(own), pair[1].given(own)


def _size(pairs: Sequence[tuple[Table, Table]], name: str) -> int:
    variables = {v for p in pairs if name in p[0].names for v in p[0].variables}
    return cells(tuple(variables))


def _term(used: Sequence[tuple[Table, Table]], summed: tuple[Table, Table]) -> SumProduct:
    errors = [_flat(np.abs(p.values - q.values), p) for q, p in used]
    every = np.concatenate(errors, axis=1)
    gap = _flat(np.abs(summed[1].values - summed[0].values), summed[1])
    smallest = min(float(q.values.min()) for q, _ in used)
    return SumProduct(len(used), gap.sum(axis=1), every.min(axis=1), every.max(axis=1), smallest)


def _flat(values: Array, like: Table) -> Array:
    return values.reshape(like.replicates[0], -1)
