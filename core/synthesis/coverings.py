"""Public coverings: blocks of columns such that every pair of columns is in one of them."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from core.synthesis.measuring import Columns

WIDEST = 7
TRIES = 25
"""Greedy coverings of which the smallest is kept, each from a public seed."""


@dataclass(frozen=True)
class Covering:
    """Blocks of ``width`` columns that have about so many ``states`` each."""

    blocks: tuple[Columns, ...]
    width: int
    states: float

    def noise(self, gaussian: bool) -> float:
        """Noise of a pair's cell, up to a factor: more blocks, or more cells in each."""
        blocks = len(self.blocks)
        spent = blocks**0.5 if gaussian else blocks
        return float(spent * self.states ** ((self.width - 2) / 2))


@functools.lru_cache(maxsize=64)
def best_covering(columns: int, states: float, gaussian: bool) -> Covering:
    """The covering with the least noise on a pair."""
    widths = range(2, min(WIDEST, columns) + 1)
    known = [Covering(covering(columns, width), width, states) for width in widths]
    return min(known, key=lambda own: own.noise(gaussian))


@functools.lru_cache(maxsize=256)
def covering(columns: int, width: int) -> tuple[Columns, ...]:
    """Blocks of ``width`` columns that hold every pair; the fewest of some greedy tries."""
    if width == 2:
        return tuple(itertools.combinations(range(columns), 2))
    rng = np.random.default_rng([columns, width])
    return min((_greedy(columns, width, rng=rng) for _ in range(TRIES)), key=len)


def _greedy(columns: int, width: int, *, rng: np.random.Generator) -> tuple[Columns, ...]:
    """Blocks begun at the column with most pairs to cover, then the one that covers most."""
    open_pairs = ~np.eye(columns, dtype=np.bool_)
    blocks = []
    while open_pairs.any():
        lot = rng.permutation(columns) / (2 * columns)
        block = [int(np.argmax(open_pairs.sum(axis=1) + lot))]
        while len(block) < width:
            gain = 10.0 * columns * open_pairs[block].sum(axis=0) + open_pairs.sum(axis=1) + lot
            gain[block] = -1
            block.append(int(np.argmax(gain)))
        open_pairs[np.ix_(block, block)] = False
        blocks.append(tuple(sorted(block)))
    return tuple(blocks)
