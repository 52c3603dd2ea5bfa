"""The score F: bounds, greedy choice and programme against every choice tried."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from core.privbayes import peak_distance as module
from core.privbayes.peak_distance import (
    _greedy,
    _undominated,
    frontier_best,
    knapsack,
    peak_distance,
)
from tests.unit.privbayes.test_scores import tables_of


def brute_force(table):
    """n F by trying every assignment of settings to states."""
    states = np.array(list(itertools.product((0, 1), repeat=len(table))))
    kept = [(states == k) @ table[:, k] for k in (0, 1)]
    return -sum(np.maximum(table.sum() / 2 - own, 0) for own in kept).min()


def by_linear_programme(table):
    """n F as the definition says: the nearest table of largest information, by distance L1."""
    total, size, best = table.sum(), len(table), math.inf
    for states in itertools.product((0, 1), repeat=size):
        used = [(row, s) for row, s in enumerate(states)]
        fixed = sum(table[row, 1 - s] for row, s in used)
        sides = [[1.0 if s == side else 0.0 for _, s in used] for side in (0, 1)]
        if not any(sides[0]) or not any(sides[1]):
            continue
        own = [table[row, s] for row, s in used]
        found = linprog(
            [0.0] * size + [1.0] * size,
            A_ub=np.block([[np.eye(size), -np.eye(size)], [-np.eye(size), -np.eye(size)]]),
            b_ub=[*own, *(-x for x in own)],
            A_eq=[[*side, *([0.0] * size)] for side in sides],
            b_eq=[total / 2, total / 2],
        )
        best = min(best, found.fun + fixed)
    return -best / 2


def random_tables(rng, settings):
    high = rng.choice([3, 20, 300])
    tables = rng.integers(0, high, (40, settings, 2)).astype(float)
    tables[..., 1] *= rng.integers(1, 6, (40, 1))
    return tables if rng.random() < 0.5 else tables[..., ::-1]


@pytest.mark.parametrize("settings", [1, 2, 4, 8])
@pytest.mark.parametrize("seed", range(8))
def test_f_equals_brute_force(settings, seed):
    tables = random_tables(np.random.default_rng(seed), settings)
    assert peak_distance(tables).tolist() == [brute_force(t) for t in tables]


@pytest.mark.parametrize("high", [3, 6, 15, 60])
def test_f_of_uneven_tables_equals_brute_force(high):
    """Few and many records beside each other: a setting with one record may decide."""
    rng = np.random.default_rng(high)
    for _ in range(100):
        settings = rng.integers(3, 8)
        table = np.stack([rng.integers(0, most, settings) for most in (high, 3 * high)], axis=-1)
        assert peak_distance(table[None].astype(float)).tolist() == [brute_force(table)]


@pytest.mark.parametrize("seed", range(6))
def test_f_equals_a_linear_programme(seed):
    tables = random_tables(np.random.default_rng(seed), 4)[:3]
    expected = [by_linear_programme(t) for t in tables]
    np.testing.assert_allclose(peak_distance(tables), expected, atol=1e-6)


def test_f_of_wide_tables_equals_a_dense_programme():
    """64 settings are too many to try; a programme over every reachable pair is not."""
    rng = np.random.default_rng(3)
    tables = rng.integers(0, 9, (20, 64, 2)).astype(float) * [1, 2]
    for table, found in zip(tables, peak_distance(tables), strict=True):
        total = int(table.sum())
        most = np.full(total + 1, -np.inf)  # records kept on side 1, by those kept on side 0
        most[0] = 0
        for zero, one in table.astype(int):
            moved = np.full(total + 1, -np.inf)
            moved[zero:] = most[: total + 1 - zero]
            most = np.maximum(most + one, moved)
        kept = np.arange(total + 1)
        loss = np.maximum(total / 2 - kept, 0) + np.maximum(total / 2 - most, 0)
        assert found == -loss.min()


def test_many_states_are_thinned_without_losing_the_best():
    rng = np.random.default_rng(0)
    values = rng.integers(1, 50, 14).astype(float)
    weights = values + rng.integers(1, 50, 14)
    chosen = np.array(list(itertools.product((0, 1), repeat=14)))
    capacity = weights.sum() / 2
    expected = (chosen @ values - np.maximum(chosen @ weights - capacity, 0)).max()
    assert frontier_best(values, weights, capacity, 0.5, 0.0) == expected


@pytest.mark.parametrize("settings", [2, 3])
@pytest.mark.parametrize("records", range(8))
def test_f_of_every_table_of_few_records_equals_brute_force(settings, records):
    tables = np.array(list(tables_of(records, 2 * settings))).reshape(-1, settings, 2)
    assert peak_distance(tables.astype(float)).tolist() == [brute_force(t) for t in tables]


def problems(seed, items=6, most=12):
    """Knapsacks: items of value zero are absent, others weigh more than their value."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, most, (60, items))
    weights = np.where(values > 0, values + rng.integers(1, most, values.shape), 0)
    capacity = rng.integers(-2, weights.sum(axis=1) * 2 + 2) / 2
    return values.astype(float), weights.astype(float), capacity


def gained(values, weights, capacity, chosen):
    return chosen @ values - max(chosen @ weights - capacity, 0)


@pytest.mark.parametrize("seed", range(8))
def test_a_knapsack_equals_the_best_of_all_choices(seed):
    values, weights, capacity = problems(seed)
    chosen = [np.array(c) for c in itertools.product((0, 1), repeat=6)]
    rows = list(zip(values, weights, capacity, strict=True))
    expected = [max(gained(*row, c) for c in chosen) if row[2] > 0 else 0.0 for row in rows]
    assert knapsack(values, weights, capacity).tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_greedy_takes_what_pays_in_the_order_given_then_swaps_once(seed):
    values, weights, capacity = problems(seed)
    found = _greedy(values, weights, capacity)
    for own, heavy, room, gain in zip(values, weights, capacity, found.tolist(), strict=True):
        taken = np.zeros(6)
        for item in range(6):
            more = taken + (np.arange(6) == item)
            if gained(own, heavy, room, more) > gained(own, heavy, room, taken):
                taken = more
        swaps = [taken]
        for leaving, coming in itertools.product([None, *range(6)], repeat=2):
            other = taken.copy()
            if leaving is not None:
                other[leaving] = 0
            if coming is not None:
                other[coming] = 1
            swaps.append(other)
        assert gain == max(gained(own, heavy, room, other) for other in swaps)


@pytest.mark.parametrize("few", [0, 3, 64])
@pytest.mark.parametrize("seed", range(4))
def test_the_programme_finds_the_best_at_any_price_of_a_unit(monkeypatch, seed, few):
    monkeypatch.setattr(module, "FEW_STATES", few)
    chosen = np.array(list(itertools.product((0, 1), repeat=6)))
    values, weights, capacity = problems(seed)
    prices = np.random.default_rng(seed).random(len(values))
    for own, heavy, room, price in zip(values, weights, capacity, prices, strict=True):
        best = (chosen @ own - np.maximum(chosen @ heavy - room, 0)).max()
        for known in (0.0, best - 0.5, best, best + 1):
            found = frontier_best(own, heavy, room, price, known)
            assert found == max(best, known)


def test_a_state_is_dropped_where_another_has_no_more_weight_and_no_less_value():
    rng = np.random.default_rng(0)
    for count in range(1, 30):
        weight, value = rng.integers(0, 8, (2, count)).astype(float)
        states = set(zip(weight.tolist(), value.tolist(), strict=True))
        kept = [
            (w, v) for w, v in sorted(states)
            if not any(a <= w and b >= v for a, b in states - {(w, v)})
        ]  # fmt: skip
        assert list(zip(*(x.tolist() for x in _undominated(weight, value)), strict=True)) == kept
