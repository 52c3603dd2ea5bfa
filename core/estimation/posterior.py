"""Rows with few records: posterior means under a prior centred on a coarser conditional.

A cell's probability has a Beta prior with the coarser conditional as its mean; how far rows
scatter around it (the prior's strength) is read off the noisy rows themselves, by marginal
likelihood, for each family and pooled over families. The noise is taken as normal. Integrals are
sums over a fixed grid; the prior's mass on the grid is tabulated once.
"""

import functools
import itertools

import numpy as np
from numpy.typing import NDArray

from core.table import Array

LIGHT = 20.0
"""Rows with fewer records than this many noise standard deviations of a cell are light."""

FAR = 1000.0
"""Totals that are so many noise standard deviations below zero leave next to no records."""

STRENGTHS = tuple(0.1 * 4.0**k for k in range(6))
"""Prior strengths in records: from rows that are nearly all one state to nearly equal rows."""

INTERVALS = 24
CENTRES = 64
"""Resolution of the grid of probabilities, and of the prior means that are told apart."""

CHUNK = 2**14
"""Cells worked on at a time: their likelihoods stay in cache."""

POOLING = 2
"""Rounds in which families learn from each other how strong the prior is."""


def light_rows(rows: Array, noise: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Likely number of records of each row, and whether that is few: ``(rows, replicates)``.

    ``rows`` is ``(rows, states, replicates)``, ``noise`` the standard deviation of a cell,
    ``(rows, replicates)``. The number is the noisy total, bent so that it stays positive.
    """
    totals, spread = rows.sum(axis=1), rows.shape[1] * noise**2
    root = np.sqrt(totals**2 + spread)
    records = (totals + root) / 2
    far = totals < -FAR * noise  # the same number, where the sum above has lost its digits
    np.divide(spread, 2 * (root - totals), out=records, where=far)
    return records, (records < LIGHT * noise) & (noise > 0)


def posterior_means(
    rows: Array, centres: Array, noise: Array, records: Array, groups: NDArray[np.intp]
) -> Array:
    """Mean conditional of each row of a list: ``(list, states)``.

    ``rows`` are noisy counts and ``centres`` the prior means, ``(list, states)``; ``noise`` and
    ``records`` belong to rows. ``groups[0]`` numbers the replicate of each row, ``groups[1]`` its
    family within the replicate.
    """
    states = rows.shape[1]
    used = 1 if states == 2 else states  # the other of two states mirrors the first
    shift = (records - rows.sum(axis=1)) / states
    place = (rows[:, :used] + shift[:, None]) / records[:, None]
    width = noise * np.sqrt(1 - 1 / states) / records
    evidence, means = _integrals(place, width, centres[:, :used])
    logs = np.log(evidence).sum(axis=1) * ((states - 1) / used)
    weights = _strength_weights(logs, groups)
    mixed = np.einsum("nks,ns->nk", means, weights)
    if states == 2:
        return np.concatenate([mixed, 1 - mixed], axis=1)
    return np.asarray(mixed / mixed.sum(axis=1, keepdims=True))


def _integrals(place: Array, width: Array, centres: Array) -> tuple[Array, Array]:
    """Evidence and posterior mean of every cell for each strength: ``(list, states, strengths)``.

    Cells with the same prior mean share one small matrix product.
    """
    middles, table = _prior_table()
    angles = np.arcsin(np.sqrt(np.clip(centres.ravel(), 0, 1)))
    which = np.minimum(CENTRES * 2 / np.pi * angles, CENTRES - 1).astype(np.int8)
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(CENTRES + 1))
    spread = np.repeat(1 / width, place.shape[1])[order, None]
    ordered = place.ravel()[order, None]
    both = np.empty((len(order), table.shape[2]))
    for first in range(0, len(order), CHUNK):
        last = min(first + CHUNK, len(order))
        likelihood = (ordered[first:last] - middles) * spread[first:last]
        likelihood *= likelihood
        np.minimum(likelihood, 1000, out=likelihood)  # keeps the evidence above zero
        likelihood *= -0.5
        np.exp(likelihood, out=likelihood)
        cuts = np.clip(starts, first, last).tolist()
        for centre, (start, stop) in enumerate(itertools.pairwise(cuts)):
            if stop > start:
                both[order[start:stop]] = likelihood[start - first : stop - first] @ table[centre]
    both = both.reshape(*place.shape, -1)
    evidence = both[..., : len(STRENGTHS)]
    return evidence, both[..., len(STRENGTHS) :] / evidence


def _strength_weights(logs: Array, groups: NDArray[np.intp]) -> Array:
    """Weight of each strength for each row: families' evidence times what they have in common."""
    replicate, family = groups
    families = int(family.max()) + 1
    shape = (int(replicate.max()) + 1, families)
    place = replicate * families + family
    size = shape[0] * shape[1]
    evidence = np.stack([np.bincount(place, column, size) for column in logs.T], axis=-1)
    evidence = evidence.reshape(*shape, -1)
    present = np.bincount(place, minlength=size).reshape(*shape, 1) > 0
    common = np.full((shape[0], 1, logs.shape[1]), 1 / logs.shape[1])
    for _ in range(POOLING):
        weights = evidence + np.log(common)
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = (weights * present).sum(axis=1, keepdims=True)
        common = (seen + 0.5 / logs.shape[1]) / (present.sum(axis=1, keepdims=True) + 0.5)
    return np.asarray(weights.reshape(size, -1)[place])


@functools.cache
def _prior_table() -> tuple[Array, Array]:
    """Grid of probabilities, and for each prior mean the prior's masses and first moments.

    Masses of Beta(s b, s (1 - b)) on each interval: ``(centres, intervals, 2 strengths)``. The
    outer intervals hold the prior's poles; there the integral is taken by its leading power.
    """
    edges = np.sin(np.pi * np.arange(INTERVALS + 1) / (2 * INTERVALS)) ** 2
    middles, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    centres = np.sin(np.pi * (np.arange(CENTRES) + 0.5) / (2 * CENTRES)) ** 2
    first = (np.array(STRENGTHS)[:, None] * centres)[..., None]
    second = (np.array(STRENGTHS)[:, None] * (1 - centres))[..., None]
    logs = (first - 1) * np.log(middles) + (second - 1) * np.log1p(-middles) + np.log(widths)
    logs[..., :1] = first * np.log(edges[1]) - np.log(first)
    logs[..., -1:] = second * np.log1p(-edges[-2]) - np.log(second)
    masses = np.exp(logs - logs.max(axis=-1, keepdims=True))
    masses /= masses.sum(axis=-1, keepdims=True)
    places = np.broadcast_to(middles, masses.shape).copy()
    places[..., :1] = edges[1] * first / (first + 1)
    places[..., -1:] = 1 - (1 - edges[-2]) * second / (second + 1)
    table = np.concatenate([masses, masses * places])  # (2 strengths, centres, intervals)
    return middles, np.ascontiguousarray(table.transpose(1, 2, 0))
