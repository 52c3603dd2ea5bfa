"""Loopy belief propagation: what happens when messages run around cycles. For teaching.

Exact on trees, only approximate elsewhere: inside learning it leaves a floor that no number of
records removes, so nothing here trains with it where a junction tree fits.
"""

import math

import numpy as np

from core.markov.graph import Field
from core.table import Array


def loopy_marginals(
    field: Field, theta: Array, *, damping: float = 0.5, rounds: int = 100
) -> tuple[Array, Array]:
    """Approximate marginals of all tables ``(*replicates, cells)``, and the last message change.

    Each round sends all messages between variables and cliques at once and keeps the share
    ``damping`` of the old ones. The change is the largest over messages, ``(*replicates,)``; near
    zero the messages have settled. No table is shared.
    """
    lead = theta.shape[:-1]
    sizes = [v.cardinality for v in field.variables]
    heard = {  # what a clique tells each of its variables, in logarithms
        (c, v): np.zeros((*lead, sizes[v])) for c, clique in enumerate(field.tables) for v in clique
    }
    moved = np.full(lead, math.inf)
    for _ in range(rounds):
        told = _told(field, heard)
        moved = np.zeros(lead)
        for c in range(len(field.tables)):
            joint = _joint(field, theta, told, c)
            for axis, v in enumerate(field.tables[c]):
                gone = _others(field, c, axis)
                top = joint.max(axis=gone, keepdims=True)
                total = np.log(np.exp(joint - top).sum(axis=gone))
                new = np.asarray(total + np.squeeze(top, axis=gone)) - told[c, v]
                new -= new.max(axis=-1, keepdims=True)
                new = damping * heard[c, v] + (1 - damping) * new
                moved = np.maximum(moved, np.abs(new - heard[c, v]).max(axis=-1))
                heard[c, v] = new
    told = _told(field, heard)
    beliefs = np.empty(theta.shape)
    for c, where in enumerate(field.slices):
        joint = _joint(field, theta, told, c).reshape(*lead, -1)
        weights = np.exp(joint - joint.max(axis=-1, keepdims=True))
        beliefs[..., where] = weights / weights.sum(axis=-1, keepdims=True)
    return beliefs, np.asarray(moved)


def _told(field: Field, heard: dict[tuple[int, int], Array]) -> dict[tuple[int, int], Array]:
    """What each variable tells each of its cliques: the sum of what the others told it."""
    total: dict[int, Array] = {}
    for (_, v), message in heard.items():
        total[v] = total[v] + message if v in total else message
    return {(c, v): total[v] - message for (c, v), message in heard.items()}


def _joint(field: Field, theta: Array, told: dict[tuple[int, int], Array], c: int) -> Array:
    """Log-potentials of a clique with everything its variables tell it."""
    shape = field.shapes[c]
    joint = theta[..., field.slices[c]].reshape(*theta.shape[:-1], *shape)
    for axis, v in enumerate(field.tables[c]):
        spread = [1] * len(shape)
        spread[axis] = shape[axis]
        joint = joint + told[c, v].reshape(*theta.shape[:-1], *spread)
    return joint


def _others(field: Field, c: int, axis: int) -> tuple[int, ...]:
    size = len(field.shapes[c])
    return tuple(a - size for a in range(size) if a != axis)
