"""The score F of a binary variable, exactly and for many tables at a time.

F asks for the nearest table in which the child is even and each setting of the parents allows one
state only. Each setting goes to state 0 or to state 1; with a and b the records kept on the two
sides, n F = -min (n/2 - a)+ + (n/2 - b)+. Source: Zhang et al. 2017 (TODS), section 4.4.

With state 0 the rarer one, a never passes n/2, so the loss is n/2 - a + (n/2 - b)+. A setting with
at least as many records of state 0 as of state 1 therefore goes to state 0, and the others matter
only where state 1 then has records to spare: which of them to move is a knapsack of capacity
b - n/2, value a and weight b, where a unit over the capacity costs one. Linear bounds fix most
of those; the paper's dynamic programme with dominated states dropped decides the rest.
"""

import numpy as np
from numpy.typing import NDArray

from core.table import Array

Flags = NDArray[np.bool_]

STEP = 0.5 - 1e-6
"""Least gain of a better choice: values are whole, capacities halves at the finest."""

SWAP_CELLS = 2**20
"""Swaps looked at together (8 MiB an array)."""

FEW_STATES = 64
"""So many states cost less to keep than to compare."""


def peak_distance(counts: Array) -> Array:
    """The score F times the records of each table of counts ``(candidates, settings, 2)``."""
    total = counts.sum(axis=(-2, -1))
    swapped = counts[..., 0].sum(axis=1) * 2 > total
    rare = np.where(swapped[:, None], counts[..., 1], counts[..., 0])
    common = np.where(swapped[:, None], counts[..., 0], counts[..., 1])
    stays = common > rare
    kept_rare = np.where(stays, 0, rare).sum(axis=1)
    kept_common = np.where(stays, common, 0).sum(axis=1)
    spare = kept_common - total / 2
    movable = stays & (rare > 0)
    gain = knapsack(rare * movable, common * movable, spare)
    return np.asarray(kept_rare + gain - total / 2 - np.maximum(-spare, 0))


def knapsack(values: Array, weights: Array, capacity: Array) -> Array:
    """Largest Σ value - (Σ weight - capacity)+ over choices of items, one problem per row.

    Items of value zero are absent; others weigh more than their value, which are whole numbers.
    """
    fits = weights.sum(axis=1) <= capacity
    best = np.where(fits, values.sum(axis=1), 0.0)
    hard = np.flatnonzero(~fits & (capacity > 0))
    block = max(1, SWAP_CELLS // (values.shape[1] + 1) ** 2)
    for start in range(0, len(hard), block):
        rows = hard[start : start + block]
        best[rows] = _tight(values[rows], weights[rows], capacity[rows])
    return np.asarray(best)


def _tight(values: Array, weights: Array, capacity: Array) -> Array:
    """The same where not everything fits: bound, fix, and search what is left."""
    order = np.argsort(-values / np.maximum(weights, 1), axis=1, kind="stable")
    values = np.take_along_axis(values, order, axis=1)
    weights = np.take_along_axis(weights, order, axis=1)
    filled = np.cumsum(weights, axis=1)
    whole = filled <= capacity[:, None]
    first = whole.sum(axis=1)  # the first item that does not fit whole
    rows = np.arange(len(values))
    price = values[rows, first] / weights[rows, first]
    greedy = _greedy(values, weights, capacity)
    reduced = values - price[:, None] * weights
    bound = capacity * price + np.maximum(reduced, 0).sum(axis=1)
    slack = bound - greedy - STEP
    core = (np.abs(reduced) <= slack[:, None]) & (values > 0)
    inside = ~core & (reduced > 0)
    base = (values * inside).sum(axis=1)
    left = capacity - (weights * inside).sum(axis=1)
    best = greedy.copy()
    for row in np.flatnonzero(core.any(axis=1)):
        own = core[row]
        frontier = frontier_best(
            values[row, own], weights[row, own], left[row], price[row], greedy[row] - base[row]
        )
        best[row] = base[row] + frontier
    return best


def _greedy(values: Array, weights: Array, capacity: Array) -> Array:
    """What a good choice gains: items by falling ratio, each taken when it pays, then one swap."""
    room = capacity.copy()
    total = np.zeros(len(values))
    taken = np.zeros(values.shape, dtype=bool)
    for item in range(values.shape[1]):
        value, weight = values[:, item], weights[:, item]
        gain = value - np.maximum(weight - np.maximum(room, 0), 0)
        pays = gain > 0
        taken[:, item] = pays
        total += np.where(pays, value, 0)
        room -= np.where(pays, weight, 0)
    value = total[:, None, None] + _swaps(values, taken)
    weight = _swaps(weights, taken) - room[:, None, None]
    value -= np.maximum(weight, 0)
    return np.asarray(value.max(axis=(-2, -1)))


def _swaps(amounts: Array, taken: Flags) -> Array:
    """Change of an amount when one item leaves and one comes, nothing being an item too."""
    nothing = np.zeros((len(amounts), 1))
    leaving = np.concatenate([nothing, amounts * taken], axis=1)
    coming = np.concatenate([nothing, amounts * ~taken], axis=1)
    return np.asarray(coming[:, None, :] - leaving[:, :, None])


def frontier_best(
    values: Array, weights: Array, capacity: float, price: float, known: float
) -> float:
    """The same for one problem of which ``known`` is reached, by dynamic programming.

    States (weight, value) that another dominates, with no more weight and no less value, are
    dropped (the paper, Definition 4.6, after the change of variables above), and so are states
    that cannot pass the best so far: ``price`` per unit of weight bounds what they may still gain.
    """
    reduced = values - price * weights
    order = np.argsort(-np.abs(reduced), kind="stable")
    hope = np.maximum(reduced[order], 0)
    rest = np.append(np.cumsum(hope[::-1])[::-1], 0.0)[1:] + price * capacity
    weight, value = np.zeros(1), np.zeros(1)
    for item, ahead in zip(order.tolist(), rest.tolist(), strict=True):
        weight = np.concatenate([weight, weight + weights[item]])
        value = np.concatenate([value, value + values[item]])
        known = max(known, float((value - np.maximum(weight - capacity, 0)).max()))
        alive = value - price * weight + ahead >= known + STEP
        weight, value = weight[alive], value[alive]
        if not len(weight):
            return known
        if len(weight) > FEW_STATES:
            weight, value = _undominated(weight, value)
    return known


def _undominated(weight: Array, value: Array) -> tuple[Array, Array]:
    order = np.lexsort((-value, weight))
    weight, value = weight[order], value[order]
    kept = np.append(True, value[1:] > np.maximum.accumulate(value)[:-1])
    return weight[kept], value[kept]
