"""Projection and back-off against slow twins."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.estimation.backoff import LATTICE_PARENTS, build_ladder
from core.estimation.projection import project
from tests.strategies import SEEDS


def slow_projection(row):
    """The sorting algorithm of Duchi et al. 2008."""
    total = max(row.sum(), 0.0)
    falling = np.sort(row)[::-1]
    excess = np.cumsum(falling) - total
    support = max(sum(falling * np.arange(1, len(row) + 1) > excess), 1)
    return np.maximum(row - excess[support - 1] / support, 0) if total else np.zeros_like(row)


@given(st.integers(1, 6), st.integers(1, 4), SEEDS)
def test_projection_equals_the_sorting_algorithm(states, replicates, seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(1, 3, (5, states, replicates)) * 10 ** rng.uniform(-3, 3)
    rows[0] = np.abs(rows[0])
    found, totals = project(rows)
    for row, replicate in itertools.product(range(5), range(replicates)):
        slow = slow_projection(rows[row, :, replicate])
        np.testing.assert_allclose(found[row, :, replicate], slow, atol=1e-9 * abs(rows).max())
    np.testing.assert_allclose(totals, np.maximum(rows.sum(axis=1), 0), atol=1e-9)
    np.testing.assert_allclose(found[0], rows[0], atol=1e-9)


def slow_climb(families, cells, strengths):
    """One replicate, by recursion: ``cells`` and ``strengths`` by (family, kept parents)."""
    found = {}

    def conditional(family, kept):
        if (family, kept) in found:
            return found[family, kept]
        table = cells[family, kept]
        out = np.empty_like(table)
        for row in np.ndindex(table.shape[:-1]):
            if kept:
                drops = range(len(kept)) if len(kept) <= LATTICE_PARENTS else [len(kept) - 1]
                lower = [
                    conditional(family, kept[:k] + kept[k + 1 :])[row[:k] + row[k + 1 :]]
                    for k in drops
                ]
                below = np.mean(lower, axis=0)
            else:
                below = np.full(table.shape[-1], 1 / table.shape[-1])
            weight = strengths[family, kept]
            mass = max(table[row].sum(), 0.0) + weight
            out[row] = (slow_projection(table[row]) + weight * below) / mass
        found[family, kept] = out
        return out

    for family, axes in enumerate(families):
        conditional(family, tuple(range(len(axes) - 1)))
    return found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=4), min_size=1, max_size=3), SEEDS)
def test_climbing_equals_the_recursion(shapes, seed):
    rng = np.random.default_rng(seed)
    families = [tuple((10 * i + j, r) for j, r in enumerate(s)) for i, s in enumerate(shapes)]
    ladder = build_ladder(families)
    flat = rng.normal(5, 10, (ladder.slices[-1].stop, 2))
    strengths = rng.uniform(0.1, 3, len(ladder.tables))
    out = ladder.climb(flat, strengths)
    names = {}
    for rung, axes in enumerate(ladder.tables):
        family = axes[-1][0] // 10
        child = len(families[family]) - 1
        names[family, tuple(v % 10 for v, _ in axes if v % 10 != child)] = rung
    for replicate in range(2):
        cells = {
            key: flat[ladder.slices[r], replicate].reshape([n for _, n in ladder.tables[r]])
            for key, r in names.items()
        }
        slow = slow_climb(families, cells, {key: strengths[r] for key, r in names.items()})
        for key, table in slow.items():
            got = out[ladder.slices[names[key]], replicate]
            np.testing.assert_allclose(got, table.ravel(), atol=1e-9)


def test_many_parents_are_dropped_one_by_one():
    shapes = [2] * (LATTICE_PARENTS + 3)
    ladder = build_ladder([tuple((j, r) for j, r in enumerate(shapes))])
    levels = [len(axes) - 1 for axes in ladder.tables]
    assert levels.count(LATTICE_PARENTS + 2) == levels.count(LATTICE_PARENTS + 1) == 1
    flat = np.random.default_rng(0).normal(5, 3, (ladder.slices[-1].stop, 3))
    out = ladder.climb(flat, np.ones(len(ladder.tables)))
    rows = out[ladder.tops].reshape(-1, 2, 3)
    np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_a_prior_is_added_to_the_families_own_rows():
    ladder = build_ladder([((0, 2), (1, 3))])
    flat = np.full((ladder.slices[-1].stop, 1), 10.0)
    flat[ladder.tops[0]] = 40.0
    tiny = np.full(len(ladder.tables), 1e-12)
    out = ladder.climb(flat, tiny, priors=ladder.on_top(5.0))
    np.testing.assert_allclose(out[ladder.tops[:3], 0], np.array([45, 15, 15]) / 75)
