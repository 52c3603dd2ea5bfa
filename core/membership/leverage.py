"""Leverage: how much of its own cells a record is, and the curve of attackers that follows.

Theorem 1 treats all records as alike. They are not: a record in rare cells moves them by more.
With leverage h the attack on that record is a test of N(-h/2, h) against N(h/2, h), and the whole
population is a mixture of such tests. Its mean leverage is C / n, so the two agree when all
records are alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.membership.lookup import Lookup
from core.membership.normal import cumulative
from core.network import Network
from core.table import Array

GROUPS = 400
"""Groups of equal leverage the mixture is computed with."""

STEPS = 700
"""Thresholds at which the mixture is computed."""


@dataclass(frozen=True, eq=False)
class Support:
    """What one pool's counts say about its members, in numbers only. Private.

    ``leverages`` of the members in ascending order, ``members`` how many have each (one, where it
    is not given), ``most`` the largest; ``rarest[c]`` members are in a cell of c records at the
    least, 5 standing for more.
    """

    leverages: Array
    rarest: tuple[int, ...]
    most: float
    members: Array | None = None

    @property
    def mean(self) -> float:
        """Mean leverage: (non-zero cells - non-empty rows) / n."""
        return float(np.average(self.leverages, weights=self.members))

    def quantile(self, share: float) -> float:
        """The leverage that this share of the members does not exceed."""
        if self.members is None:
            return float(np.quantile(self.leverages, share))
        ends = np.cumsum(self.members)
        rank = share * (ends[-1] - 1)
        both = [math.floor(rank), math.ceil(rank)]
        low, high = self.leverages[np.searchsorted(ends, both, side="right")]
        return float(low + (high - low) * (rank - both[0]))

    @cached_property
    def mixture(self) -> Mixture:
        """The curve that follows."""
        return mixture_of(self.leverages, self.members)


def cell_leverages(network: Network, counts: Array) -> Array:
    """(1 - c/N) / c of every packed cell, 0 where it is empty: ``(*pools, cells)``."""
    layout = network.layout
    rows = layout.row_totals(counts)
    leverages = np.zeros_like(counts)
    for block in layout.blocks:
        own = layout.rows(counts, block)
        whole = rows[..., block.rows, None]
        layout.rows(leverages, block)[...] = np.where(
            own > 0, 1 / np.maximum(own, 1) - 1 / np.maximum(whole, 1), 0.0
        )
    return leverages


def support_of(network: Network, members: Lookup) -> Support:
    """Leverage and rarest cell of every member of one pool. Computed from the private rows."""
    layout = network.layout
    counts = layout.pack(members.counts())
    parts = cell_leverages(network, counts)
    families = range(len(network.families))
    sums = members.sums([layout.unpack(parts, i) for i in families])
    rarest = rarest_cells(network, members, counts).astype(np.int64).ravel()
    fewest = tuple(np.bincount(rarest, minlength=6).tolist())
    return Support(np.sort(sums.ravel()), fewest, float(sums.max()))


def rarest_cells(network: Network, members: Lookup, counts: Array) -> Array:
    """Records in the rarest cell each member is in, 1 to 4, or 5 for more: ``(pools, records)``."""
    layout = network.layout
    rarest = np.full((members.pools, members.records), 5.0)
    for few in (4, 3, 2, 1):
        flags = (counts == few).astype(np.float64)
        hit = members.sums([layout.unpack(flags, i) for i in range(len(network.families))])
        rarest[hit > 0] = few
    return rarest


@dataclass(frozen=True, eq=False)
class Mixture:
    """Power against false alarms of the best attack on records of different leverage."""

    false: Array
    found: Array

    def powers(self, alphas: Array) -> Array:
        """Share of members found at each false-alarm rate, read off on log scales."""
        kept = (self.false > 0) & (self.found > 0)
        logs = np.interp(np.log(alphas), np.log(self.false[kept]), np.log(self.found[kept]))
        return np.exp(logs)

    @property
    def auc(self) -> float:
        """Area under the curve."""
        return float(((self.found[1:] + self.found[:-1]) * np.diff(self.false)).sum() / 2)

    @property
    def advantage(self) -> float:
        """Largest difference of power and false alarms."""
        return float((self.found - self.false).max())


def mixture_of(leverages: Array, members: Array | None = None) -> Mixture:
    """The curve of a population of these leverages, over thresholds t.

    False alarms E Phi((t - h/2) / sqrt h), power E Phi((t + h/2) / sqrt h). Leverages are grouped
    by size, so that the cost does not grow with the records.
    """
    h, weights = _grouped(np.sort(leverages)) if members is None else _many(leverages, members)
    roots = np.sqrt(h)
    far = 6 * roots.max() + h.max()
    # dense where thresholds matter: around zero, and out to the rarest records
    grid = np.sinh(np.linspace(-1, 1, STEPS) * np.arcsinh(far / max(roots.min(), 1e-6)))
    t = grid[:, None] * max(roots.min(), 1e-6)
    false = cumulative((t - h / 2) / roots) @ weights
    reached = cumulative((t + h / 2) / roots) @ weights
    return Mixture(np.concatenate([[0.0], false, [1.0]]), np.concatenate([[0.0], reached, [1.0]]))


def _cuts(records: int) -> NDArray[np.int64]:
    """Where groups begin; finer where leverages are large."""
    places = 1 - np.geomspace(1, 1 / records, GROUPS)
    return np.unique(np.round(places * records).astype(np.int64))


def _many(leverages: Array, members: Array) -> tuple[Array, Array]:
    """As :func:`_grouped`, of ascending leverages that many members share."""
    ends = np.concatenate([[0.0], np.cumsum(members)])
    cuts = np.append(_cuts(int(ends[-1])), int(ends[-1]))
    cuts = cuts[np.append(np.diff(cuts) > 0, True)]
    sums = np.interp(cuts, ends, np.concatenate([[0.0], np.cumsum(leverages * members)]))
    sizes = np.diff(cuts)
    return np.maximum(np.diff(sums) / sizes, 1e-9), sizes / ends[-1]


def _grouped(ordered: Array) -> tuple[Array, Array]:
    """Mean leverage and share of each group."""
    cuts = _cuts(len(ordered))
    sizes = np.diff(np.concatenate([cuts, [len(ordered)]]))
    kept = cuts[sizes > 0]
    means = np.add.reduceat(ordered, kept) / sizes[sizes > 0]
    return np.maximum(means, 1e-9), sizes[sizes > 0] / len(ordered)
