"""The one-pass consistency against two slow twins and its laws."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.estimation.consistency import compile_plan
from core.estimation.effects import contrasts
from tests.strategies import SEEDS


@st.composite
def table_sets(draw):
    """Overlapping tables over at most five variables, as axes, with their cells' slices."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    scopes = st.lists(st.integers(0, len(sizes) - 1), max_size=3, unique=True)
    chosen = draw(st.lists(scopes, min_size=1, max_size=5))
    axes = [tuple((v, sizes[v]) for v in scope) for scope in chosen]
    weights = draw(st.lists(st.floats(0.1, 5), min_size=len(axes), max_size=len(axes)))
    return axes, weights


def slices_of(axes):
    sizes = [int(np.prod([r for _, r in a], dtype=int)) for a in axes]
    ends = np.cumsum(sizes)
    return [slice(int(e - s), int(e)) for s, e in zip(sizes, ends, strict=True)]


def marginal(table, axes, kept):
    """Sum of a table over everything but ``kept``, axes in ``kept``'s order."""
    own = [v for v, _ in axes]
    summed = table.sum(axis=tuple(i for i, v in enumerate(own) if v not in kept))
    left = [v for v in own if v in kept]
    return summed.transpose([left.index(v) for v in kept])


def printed_pass(tables, axes, weights):
    """Eqs. 17 and 18 over all intersections, smallest first, as the paper prints them."""
    tables = [t.copy() for t in tables]
    scopes = [frozenset(v for v, _ in a) for a in axes]
    meets = {
        frozenset.intersection(*c)
        for n in range(1, len(scopes) + 1)
        for c in itertools.combinations(scopes, n)
    }
    for meet in sorted(meets, key=lambda s: (len(s), sorted(s))):
        kept = sorted(meet)
        holders = [i for i, s in enumerate(scopes) if meet <= s]
        sums = {i: marginal(tables[i], axes[i], kept) for i in holders}
        total = sum(weights[i] for i in holders)
        mean = sum(weights[i] * sums[i] for i in holders) / total
        for i in holders:
            rest = np.prod([r for v, r in axes[i] if v not in meet])
            gap = (mean - sums[i]) / rest
            tables[i] = tables[i] + _spread(gap, kept, axes[i])
    return tables


def _spread(gap, kept, axes):
    """Broadcast a table over ``kept`` to the axes of a larger one."""
    own = [v for v, _ in axes if v in kept]
    gap = gap.transpose([kept.index(v) for v in own])
    return gap.reshape([r if v in kept else 1 for v, r in axes])


@given(table_sets(), SEEDS)
def test_equals_the_printed_pass_over_all_intersections(case, seed):
    axes, weights = case
    rng = np.random.default_rng(seed)
    tables = [rng.normal(size=[r for _, r in a]) for a in axes]
    slow = printed_pass(tables, axes, weights)
    flat = np.concatenate([t.ravel() for t in tables])
    fast = compile_plan(axes, slices_of(axes), weights).apply(flat)
    np.testing.assert_allclose(fast, np.concatenate([t.ravel() for t in slow]), atol=1e-9)


@given(table_sets(), SEEDS)
def test_weights_squared_over_cells_are_generalised_least_squares(case, seed):
    axes, epsilons = case
    sizes = dict(itertools.chain(*axes))
    if not sizes:
        return
    order = sorted(sizes)
    joint = [sizes[v] for v in order]
    rows, noise_weights = [], []
    for a, e in zip(axes, epsilons, strict=True):
        for code in np.ndindex(*(r for _, r in a)):
            cell = np.ones(joint)
            for (v, _), k in zip(a, code, strict=True):
                mask = np.zeros(sizes[v])
                mask[k] = 1
                cell = cell * mask.reshape([-1 if w == v else 1 for w in order])
            rows.append(cell.ravel())
            noise_weights.append(e)  # square root of the inverse variance
    design, w = np.array(rows), np.array(noise_weights)
    y = np.random.default_rng(seed).normal(size=len(w))
    solved, *_ = np.linalg.lstsq(w[:, None] * design, w * y, rcond=None)
    cells = [np.prod([r for _, r in a]) for a in axes]
    weights = [e**2 / d for e, d in zip(epsilons, cells, strict=True)]
    fast = compile_plan(axes, slices_of(axes), weights).apply(y)
    np.testing.assert_allclose(fast, design @ solved, atol=1e-8)


@given(table_sets(), SEEDS)
def test_applying_twice_equals_once_and_consistent_input_is_untouched(case, seed):
    axes, weights = case
    plan = compile_plan(axes, slices_of(axes), weights)
    noisy = np.random.default_rng(seed).normal(size=(2, slices_of(axes)[-1].stop))
    once = plan.apply(noisy)
    np.testing.assert_allclose(plan.apply(once), once, atol=1e-9)


@pytest.mark.parametrize("size", range(1, 9))
def test_contrasts_are_orthonormal_with_a_constant_first_row(size):
    matrix = contrasts(size)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(size), atol=1e-12)
    np.testing.assert_allclose(matrix[0], 1 / np.sqrt(size))


def test_a_table_of_many_cells_takes_the_axis_by_axis_road_to_the_same_place():
    axes = [((0, 9), (1, 8), (2, 7)), ((1, 8), (2, 7))]  # 504 cells and 56
    rng = np.random.default_rng(5)
    tables = [rng.normal(size=[r for _, r in a]) for a in axes]
    flat = np.concatenate([t.ravel() for t in tables])
    fast = compile_plan(axes, slices_of(axes), [1.0, 2.0]).apply(flat)
    slow = printed_pass(tables, axes, [1.0, 2.0])
    np.testing.assert_allclose(fast, np.concatenate([t.ravel() for t in slow]), atol=1e-9)
