"""Noisy rows to conditionals, leaning on coarser ones where the noise is large.

A family's table is summed over subsets of its parents, down to the child alone: a ladder of
tables. From the bottom up, each row is projected on the simplex and mixed with the mean of the
rows one rung below (one parent dropped), as if that mean had been seen ``strength`` noise
standard deviations times. All families and replicates climb together, rung by rung.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.estimation.effects import Axes, Index, cells_of, side_by_side
from core.estimation.posterior import light_rows, posterior_means
from core.estimation.projection import project
from core.table import Array

LATTICE_PARENTS = 5
"""Up to this many parents every subset is a rung; beyond, parents are dropped one by one."""

SMALLEST = 1e-4
"""Smallest probability that counts in a geometric mean."""

Rung = tuple[int, tuple[int, ...]]
"""A family and the positions of the parents that are kept."""


@dataclass(frozen=True, eq=False)
class Step:
    """All rungs with one number of parents and one child cardinality."""

    cells: slice
    cardinality: int
    rungs: tuple[int, ...]
    row_rung: Index
    """Rung of each row."""
    below: Index
    """For each way to drop a parent, the row one level down: (ways, rows)."""
    source: int
    """The step one level down with the same cardinality, or -1."""
    tops: Index
    """Rows of families' own rungs."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """Compiled for a list of families: child axis last."""

    tables: tuple[Axes, ...]
    slices: tuple[slice, ...]
    steps: tuple[Step, ...]
    families: tuple[int, ...]
    """Rung of each family itself."""
    tops: Index
    """Cells of the families themselves, family after family."""

    def on_top(self, value: float) -> Array:
        """``value`` for each family's own rung, zero for those below."""
        strengths = np.zeros(len(self.tables))
        strengths[list(self.families)] = value
        return strengths

    def climb(
        self,
        cells: Array,
        strengths: Array,
        *,
        priors: Array | None = None,
        noise: Array | None = None,
        out: Array | None = None,
    ) -> Array:
        """Conditionals of every rung: ``(cells, replicates)``, as ``cells`` or in its place.

        ``strengths`` in records and ``priors``, pseudo-counts of every cell, are given by rung.
        With ``noise``, the standard deviation of a cell by rung and replicate, the families' own
        rows with little mass become posterior means: see :mod:`core.estimation.posterior`.
        """
        out = np.empty(cells.shape) if out is None else out
        for step in self.steps:
            raw = cells[step.cells].reshape(-1, step.cardinality, cells.shape[1])
            rows, mass = project(raw)
            weight = strengths[step.row_rung][:, None]
            rows += weight[:, None] * self._below(step, out)
            mass += weight  # the rows below sum to one
            rows /= mass[:, None]
            if noise is not None and step.cardinality > 1 and len(step.tops):
                self._lighten(step, rows, mass, raw, noise[step.row_rung], out)
            if priors is not None:
                prior = priors[step.row_rung][:, None]
                rows *= mass[:, None]
                rows += prior[:, None]
                rows /= (mass + step.cardinality * prior)[:, None]
            out[step.cells] = rows.reshape(-1, cells.shape[1])
        return out

    def _done(self, step: Step, out: Array) -> Array:
        """Conditionals one rung down: ``(rows, states, replicates)``."""
        lower = out[self.steps[step.source].cells]
        return lower.reshape(-1, step.cardinality, out.shape[1])

    def _below(self, step: Step, out: Array) -> Array:
        """Mean over dropped parents of the conditionals one rung down, for every row."""
        if step.source < 0:
            return np.full((1, step.cardinality, 1), 1 / step.cardinality)
        done = self._done(step, out)
        mean: Array = done.take(step.below[0], axis=0)
        for way in step.below[1:]:
            mean += done.take(way, axis=0)
        mean /= len(step.below)
        return mean

    def _lighten(
        self, step: Step, rows: Array, mass: Array, raw: Array, noise: Array, out: Array
    ) -> None:
        """Put posterior means in the place of families' own rows that have little mass."""
        tops = step.tops
        spread = np.broadcast_to(noise[tops], (len(tops), raw.shape[2]))
        records, light = light_rows(raw[tops], spread)
        row, replicate = np.nonzero(light)
        if not len(row):
            return
        place = tops[row]
        family = step.row_rung[place]
        means = posterior_means(
            raw[place, :, replicate],
            self._pooled(step, out, place, replicate),
            spread[light],
            records[light],
            np.stack([replicate, family - family.min()]),
        )
        rows[place, :, replicate] = means
        mass[place, replicate] = records[light]

    def _pooled(self, step: Step, out: Array, place: Index, replicate: Index) -> Array:
        """Geometric mean over dropped parents of the conditionals one rung down, for a list."""
        if step.source < 0:
            return np.full((len(place), step.cardinality), 1 / step.cardinality)
        done = self._done(step, out)
        logs = np.zeros((len(place), step.cardinality))
        for way in step.below:
            logs += np.log(np.maximum(done[way[place], :, replicate], SMALLEST))
        pooled = np.exp(logs / len(step.below))
        return np.asarray(pooled / pooled.sum(axis=1, keepdims=True))


def build_ladder(families: Sequence[Axes]) -> Ladder:
    """The ladder of families, each given as axes with the child last."""
    rungs = [r for i, family in enumerate(families) for r in _rungs(i, len(family) - 1)]
    rungs.sort(key=lambda r: (len(r[1]), families[r[0]][-1][1], r))
    number = {rung: k for k, rung in enumerate(rungs)}
    tables = tuple(_axes(families[i], kept) for i, kept in rungs)
    slices = side_by_side(tables)
    whole = {(i, tuple(range(len(f) - 1))) for i, f in enumerate(families)}
    steps: list[Step] = []
    place: dict[tuple[int, int], int] = {}
    first_row: dict[Rung, int] = {}
    for (level, size), group in itertools.groupby(
        rungs, key=lambda r: (len(r[1]), families[r[0]][-1][1])
    ):
        members = list(group)
        counts = [cells_of(tables[number[r]]) // size for r in members]
        starts = np.cumsum([0, *counts[:-1]]).tolist()
        first_row.update(zip(members, starts, strict=True))
        below = [_below(families, r, first_row) for r in members] if level else []
        place[level, size] = len(steps)
        steps.append(
            Step(
                slice(slices[number[members[0]]].start, slices[number[members[-1]]].stop),
                size,
                tuple(number[r] for r in members),
                np.repeat([number[r] for r in members], counts),
                np.concatenate(below, axis=1) if level else np.zeros((0, 0), dtype=np.intp),
                place.get((level - 1, size), -1),
                np.flatnonzero(np.repeat([r in whole for r in members], counts)),
            )
        )
    tops = [number[i, tuple(range(len(f) - 1))] for i, f in enumerate(families)]
    cells = [np.arange(slices[t].start, slices[t].stop) for t in tops]
    return Ladder(tables, slices, tuple(steps), tuple(tops), np.concatenate(cells))


def _rungs(family: int, parents: int) -> list[Rung]:
    every = tuple(range(parents))
    if parents > LATTICE_PARENTS:
        chain = [every[: parents - k] for k in range(parents - LATTICE_PARENTS)]
        every = every[:LATTICE_PARENTS]
    else:
        chain = []
    subsets = itertools.chain.from_iterable(
        itertools.combinations(every, size) for size in range(len(every) + 1)
    )
    return [(family, kept) for kept in (*subsets, *chain)]


def _axes(family: Axes, kept: tuple[int, ...]) -> Axes:
    return (*(family[k] for k in kept), family[-1])


def _below(families: Sequence[Axes], rung: Rung, first_row: dict[Rung, int]) -> Index:
    """Rows one level down for each row of a rung: (ways, rows); a chain has one way, repeated."""
    family, kept = rung
    shape = [families[family][k][1] for k in kept]
    codes = np.indices(shape).reshape(len(shape), -1)
    below = []
    for way in range(len(kept)):
        drop = way if len(kept) <= LATTICE_PARENTS else len(kept) - 1
        rest = kept[:drop] + kept[drop + 1 :]
        row = np.zeros(codes.shape[1], dtype=np.intp)
        for k in range(len(kept)):
            if k != drop:
                row = row * shape[k] + codes[k]
        below.append(first_row[family, rest] + row)
    return np.stack(below)
