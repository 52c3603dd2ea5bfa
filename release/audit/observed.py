"""What runs of a method show an attacker: what is released, and the noisy tables it is made from.

The guarantee covers the noisy tables, and everything else is made from them. Their noise has a
known law, so the best test of two data sets is computed, not learned: the likelihood ratio. The
tables of Stage I hold a sample and are seen through the budgets that follow from them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.methods.method import Release
from core.methods.randomness import Drawn, Histograms
from core.network import Network
from core.table import Array
from release.audit.worst_cases import NeighbourPair

COMPARED, MOVED = 24, 8
"""Cells of noisy tables that are looked at, and how many of those that differ are compared."""


Tables = tuple[tuple[tuple[str, ...], int], ...]
"""Tables by their variables, and by how many over the same variables have less noise."""


@dataclass(frozen=True, eq=False)
class ObservedRuns:
    """Numbers of each run, ``(runs, columns)``, and log-likelihood ratios of right over left.

    The first ratio is that of all tables, the others are those of ``tables``.
    """

    columns: Array
    ratios: Array
    tables: Tables


def observed(pair: NeighbourPair, side: int, release: Release, drawn: list[Drawn]) -> ObservedRuns:
    """What one block of runs on one data set of a pair shows."""
    runs = len(release.model.values)
    shown = [np.broadcast_to(release.noisy, (runs, release.noisy.shape[-1]))]
    shown.append(release.model.values)
    if release.plan is not None and release.plan.node_epsilon.ndim > 1:
        shown.append(release.plan.node_epsilon)
    cells: list[Array] = []
    differ: list[NDArray[np.bool_]] = []
    ratios: dict[tuple[int, int], Array] = {}
    measured: list[tuple[tuple[str, ...], float]] = []
    for number, one in enumerate(drawn):
        if one.rate < 1:
            continue
        left = exact_cells(pair.network, pair.left, one.histograms)
        right = exact_cells(pair.network, pair.right, one.histograms)
        noisy = one.noise + (right if side else left)
        loss = log_ratio(one, noisy, left, right)
        cells.append(noisy)
        differ.append(left != right)
        for table, variables in enumerate(one.histograms.tables):
            own = (one.histograms.owner == table) & differ[-1]
            if own.any():
                ratios[number, table] = loss[:, own].sum(axis=1)
                measured.append((variables, float(one.scales[..., table].mean())))
    if cells:
        shown += _compared(np.concatenate(cells, axis=1), np.concatenate(differ))
    each = np.stack([*ratios.values()], axis=1) if ratios else np.zeros((runs, 0))
    whole = each.sum(axis=1, keepdims=True)
    # idealised arithmetic: the last bits of doubles give the data away (Mironov 2012)
    columns = np.concatenate(shown, axis=1).round(9)
    return ObservedRuns(columns, np.concatenate([whole, each], axis=1).round(9), _ranked(measured))


def _ranked(measured: list[tuple[tuple[str, ...], float]]) -> Tables:
    """Tables with their place among those over the same variables, least noise first."""
    keys = [(names, scale, place) for place, (names, scale) in enumerate(measured)]
    return tuple((k[0], sum(o[0] == k[0] and o[1:] < k[1:] for o in keys)) for k in keys)


def exact_cells(network: Network, counts: CountSource, histograms: Histograms) -> Array:
    """Exact counts of made-up records, cell by cell as the noise lies."""
    variables = {v.name: v for v in network.variables}
    tables = counts.counts([tuple(variables[n] for n in names) for names in histograms.tables])
    cells = np.empty(len(histograms.owner))
    order = np.argsort(histograms.owner, kind="stable")
    cells[order] = np.concatenate([table.values.ravel() for table in tables])
    return cells


def log_ratio(drawn: Drawn, noisy: Array, left: Array, right: Array) -> Array:
    """Log-likelihood of each noisy cell on the right less that on the left."""
    scales = drawn.scales[..., drawn.histograms.owner]
    if drawn.gaussian:
        return np.asarray(((noisy - left) ** 2 - (noisy - right) ** 2) / (2 * scales**2))
    return np.asarray((np.abs(noisy - left) - np.abs(noisy - right)) / scales)


def _compared(cells: Array, differ: NDArray[np.bool_]) -> list[Array]:
    """Noisy cells, and how far those that differ lie from others: shared noise would cancel."""
    first = np.argsort(~differ, kind="stable")[:COMPARED]
    cells, moved = cells[:, first], int(differ[first].sum())
    gaps = [cells[:, [j]] - cells[:, j + 1 :] for j in range(min(moved, MOVED))]
    return [cells, *gaps]
