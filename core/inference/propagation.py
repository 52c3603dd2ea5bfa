"""Messages through a junction tree: from the leaves to the root, and back.

Arrays are ``(*clique axes, evidence, replicates)``. The sum of products runs in probabilities,
rescaled on the way so that much evidence does not underflow; where findings contradict each other
so much that a product does, and in the maximum of products, it runs in logarithms.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.inference.junction import Clique, JunctionTree, Shape
from core.inference.logarithms import distribute as distribute_logs
from core.inference.logarithms import log_conditionals
from core.table import Array

BLOCK_CELLS = 2**21
"""Clique cells in memory at a time, over all batch elements of a block (16 MiB)."""

RESCALE_EVERY = 16
"""Factors multiplied before the product is rescaled: 16 probabilities cannot underflow."""


def blocks(size: int, cells: int) -> Iterator[slice]:
    """Slices of a batch axis such that ``cells`` for each element stay within the limit."""
    step = max(1, BLOCK_CELLS // max(cells, 1))
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


class Collected(NamedTuple):
    """Each clique times everything below it, the messages sent, and the root's log scale."""

    arrays: list[Array]
    messages: list[Array | None]
    log_scale: Array


def collect(tree: JunctionTree, cells: Array, *, evidence: bool) -> Collected:
    """Sums of products, from the leaves to the root.

    ``cells`` are gathered factors and may be overwritten. Without evidence, messages known to be
    one are left out, and nothing needs rescaling.
    """
    batch = cells.shape[1:]
    inbox: list[list[Array]] = [[] for _ in tree.cliques]
    arrays: list[Array] = [np.empty(0)] * len(tree.cliques)
    messages: list[Array | None] = [None] * len(tree.cliques)
    log_scale = np.zeros(batch)
    for position in range(len(tree.cliques) - 1, -1, -1):
        clique = tree.cliques[position]
        operands = [cells[where].reshape(shape + batch) for where, shape in clique.factors]
        operands += inbox[position]
        scale = log_scale if evidence else None
        array = arrays[position] = _product(operands, clique.shape + batch, scale)
        if position and (evidence or clique.sends):
            message: Array = np.add.reduce(array.reshape(clique.split + batch), axis=1)
            if evidence:
                log_scale += _rescale(message)
            messages[position] = message
            inbox[clique.parent].append(message.reshape(clique.message_shape + batch))
    return Collected(arrays, messages, log_scale)


def _product(operands: Sequence[Array], shape: Shape, log_scale: Array | None) -> Array:
    """Product of factors and messages, spread over a clique."""
    if not operands:
        return np.ones(shape)
    if len(operands) == 1 and operands[0].shape == shape:
        return operands[0]
    if len(operands) == 1:
        return np.broadcast_to(operands[0], shape).copy()
    product = np.multiply(operands[0], operands[1], out=np.empty(shape))
    for place, operand in enumerate(operands[2:], start=2):
        product *= operand
        if log_scale is not None and place % RESCALE_EVERY == 0:
            log_scale += _rescale(product)
    return product


def _rescale(array: Array) -> Array:
    """Divides by the largest value of each batch element, in place; its logarithm."""
    flat = array.reshape(-1, *array.shape[-2:])
    largest: Array = np.maximum.reduce(flat, axis=0)
    largest[largest == 0] = 1.0  # impossible evidence stays zero
    flat /= largest
    logs: Array = np.log(largest)
    return logs


def distribute(tree: JunctionTree, collected: Collected, *, evidence: bool) -> list[Array]:
    """Each clique's joint with the evidence, up to a factor per batch element; in place."""
    beliefs = collected.arrays
    for position in range(1, len(tree.cliques)):
        clique = tree.cliques[position]
        if not (evidence or clique.receives):
            continue
        above = beliefs[clique.parent]
        batch = above.shape[-2:]
        share: Array = np.add.reduce(above, axis=clique.parent_sum)
        share = share.reshape(clique.split[0], 1, *batch)
        sent = collected.messages[position]
        if sent is not None:  # the parent has it already; where it is zero, so is the share
            sent = sent.reshape(share.shape)
            share = np.divide(share, sent, out=share, where=sent != 0)
        view = beliefs[position].reshape(clique.split + batch)
        view *= share
    return beliefs


def root_joint(tree: JunctionTree, cells: Array, *, evidence: bool) -> tuple[Array, Array]:
    """The root's joint with the evidence, up to a factor, and the factor's logarithm."""
    try:
        with _exact(evidence):
            collected = collect(tree, cells, evidence=evidence)
    except FloatingPointError:
        log_scale, tables = log_conditionals(tree, _logs(cells))
        return tables[0], log_scale
    return collected.arrays[0], collected.log_scale


def joints(tree: JunctionTree, values: Array, *, evidence: bool) -> tuple[list[Array], Array]:
    """Each clique's joint with the evidence, up to a factor; the logarithm of the root's factor.

    ``values`` are a model with the evidence entered, ``(cells, replicates)``.
    """
    try:
        with _exact(evidence):
            collected = collect(tree, tree.gather(values), evidence=evidence)
            return distribute(tree, collected, evidence=evidence), collected.log_scale
    except FloatingPointError:
        log_scale, tables = log_conditionals(tree, _logs(tree.gather(values)))
        distribute_logs(tree, tables)
        return tables, log_scale


def _exact(evidence: bool) -> np.errstate:
    """Underflow raises: one finding may make small what another makes large again."""
    return np.errstate(under="raise" if evidence else "ignore")


def _logs(cells: Array) -> Array:
    with np.errstate(divide="ignore"):
        logs: Array = np.log(cells)
    return logs


def conditional(joint: Array, *, lead: int) -> tuple[Array, NDArray[np.bool_]]:
    """Joint divided by its mass over all but the first ``lead`` axes, and where it has any.

    Without mass the answer is uniform.
    """
    mass = joint.sum(axis=tuple(range(lead, joint.ndim)), keepdims=True)
    possible = mass > 0
    size = math.prod(joint.shape[lead:])
    answer = np.full(joint.shape, 1 / size)
    np.divide(joint, mass, out=answer, where=possible)
    return answer, possible.reshape(joint.shape[:lead])


def maximise(tree: JunctionTree, logs: Array) -> tuple[dict[int, NDArray[np.intp]], Array]:
    """The state of each free variable that maximises the product, and the log of the maximum.

    ``logs`` are gathered logarithms. Ties go to the earlier cell of a clique.
    """
    batch = logs.shape[1:]
    inbox: list[list[Array]] = [[] for _ in tree.cliques]
    arrays: list[Array] = [np.empty(0)] * len(tree.cliques)
    for position in range(len(tree.cliques) - 1, -1, -1):
        clique = tree.cliques[position]
        array = arrays[position] = np.zeros(clique.shape + batch)
        for where, shape in clique.factors:
            array += logs[where].reshape(shape + batch)
        for message in inbox[position]:
            array += message
        if position:
            best: Array = np.maximum.reduce(array.reshape(clique.split + batch), axis=1)
            inbox[clique.parent].append(best.reshape(clique.message_shape + batch))
    states: dict[int, NDArray[np.intp]] = {}
    everywhere = np.arange(math.prod(batch)).reshape(batch)
    for clique, array in zip(tree.cliques, arrays, strict=True):
        _trace(clique, array, states, everywhere)
    largest: Array = arrays[0].reshape(-1, *batch).max(axis=0)
    return states, largest


def _trace(
    clique: Clique, array: Array, states: dict[int, NDArray[np.intp]], everywhere: NDArray[np.intp]
) -> None:
    """Adds the best states of the variables that the clique's parent lacks."""
    row = np.zeros(everywhere.shape, dtype=np.intp)
    for variable, size in zip(clique.variables[: clique.shared], clique.shape, strict=False):
        row = row * size + states[variable]
    rows = array.reshape(*clique.split, everywhere.size)
    best = rows[row, :, everywhere].argmax(axis=-1)
    for axis in range(len(clique.shape) - 1, clique.shared - 1, -1):
        best, states[clique.variables[axis]] = np.divmod(best, clique.shape[axis])
