"""How far synthetic marginals are from the real ones. Compares with the truth: study only."""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from core.counts import CountSource
from core.table import CELL_LIMIT, Array, Variable

MARGINAL_LIMIT = 2_000
"""Most marginals that are compared; of more, this many are chosen by a fixed seed."""

AT_ONCE = 64
"""Marginals counted together."""

Marginal = tuple[Variable, ...]


def marginals_of(variables: Sequence[Variable], ways: int) -> list[Marginal]:
    """All sets of ``ways`` variables, or a fixed choice of them where there are too many.

    Marginals of more cells than a table may have are left out.
    """
    total = math.comb(len(variables), ways)
    if total <= MARGINAL_LIMIT:
        chosen = list(itertools.combinations(variables, ways))
    else:
        rng = np.random.default_rng(total)
        kept: dict[tuple[int, ...], None] = {}
        while len(kept) < MARGINAL_LIMIT:
            members = np.sort(rng.choice(len(variables), ways, replace=False))
            kept[tuple(members.tolist())] = None
        chosen = [tuple(variables[j] for j in members) for members in sorted(kept)]
    return [m for m in chosen if math.prod(v.cardinality for v in m) <= CELL_LIMIT]


def distributions(source: CountSource, marginals: Sequence[Marginal]) -> Iterator[Array]:
    """Each marginal of the records, flat, summing to one; uniform where there are none."""
    for start in range(0, len(marginals), AT_ONCE):
        for table in source.counts(marginals[start : start + AT_ONCE]):
            yield normalised(table.values.ravel())


def normalised(values: Array) -> Array:
    """The same divided by its sum; uniform where that is not positive."""
    total = float(values.sum())
    return values / total if total > 0 else np.full(values.shape, 1 / values.size)


def distance(left: Array, right: Array) -> float:
    """½ Σ |p - q|."""
    return float(0.5 * np.abs(left - right).sum())
