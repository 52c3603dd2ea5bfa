"""Many questions in one pass: each piece of evidence is one more batch element of one tree.

Evidence is entered by zeroing the cells of a variable's conditional that contradict it. Targets
that share no clique are joined by the chain rule: those outside the clique that is read are
entered as evidence, once for each combination of their states, and weighted by its probability.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.inference.evidence import Query, refuse, target_positions
from core.inference.junction import JunctionTree
from core.inference.propagation import blocks, conditional, joints
from core.network import Network
from core.parameters import Model
from core.table import Array, replicates_last

Column = tuple[tuple[int, int], ...]
"""One piece of evidence: (variable, state) pairs, ascending."""


class CliqueReading(NamedTuple):
    """Which clique answers for which targets, in its axes' order; the others are entered."""

    clique: int
    read: tuple[int, ...]
    summed: tuple[int, ...]
    entered: tuple[int, ...]


class Question(NamedTuple):
    """A query prepared for one tree: one column, or one for each combination entered."""

    targets: tuple[int, ...]
    given: Column
    reading: CliqueReading
    columns: tuple[Column, ...]


@functools.lru_cache(maxsize=256)
def _reading(tree: JunctionTree, free: tuple[int, ...]) -> CliqueReading:
    """The reading that enters the fewest combinations of states; then the smallest clique."""

    def merit(position: int) -> tuple[int, int]:
        clique = tree.cliques[position]
        sizes = zip(clique.variables, clique.shape, strict=True)
        return math.prod(size for v, size in sizes if v in free), -clique.cells

    best = max(range(len(tree.cliques)), key=merit)
    axes = tree.cliques[best].variables
    return CliqueReading(
        best,
        tuple(v for v in axes if v in free),
        tuple(axis for axis, v in enumerate(axes) if v not in free),
        tuple(v for v in free if v not in axes),
    )


def prepare(tree: JunctionTree, network: Network, query: Query) -> Question:
    """A query checked, with the evidence it needs."""
    places = [(network.index(name), state) for name, state in query.given.items()]
    given = tuple(sorted((v, network.variables[v].code(state)) for v, state in places))
    targets = target_positions(network, query.targets, [v for v, _ in given])
    reading = _reading(tree, tuple(t for t in targets if network.variables[t].cardinality > 1))
    states = [range(network.variables[v].cardinality) for v in reading.entered]
    columns = tuple(
        tuple(sorted((*given, *zip(reading.entered, combination, strict=True))))
        for combination in itertools.product(*states)
    )
    return Question(targets, given, reading, columns)


def answer_together(model: Model, tree: JunctionTree, questions: Sequence[Question]) -> list[Array]:
    """P(targets | given) of each question: ``(*replicates, *targets)``."""
    columns: dict[Column, int] = {}
    for question in questions:
        for column in question.columns:
            columns.setdefault(column, len(columns))
    readings = dict.fromkeys(question.reading for question in questions)
    tables, log_probability = _read(model, tree, list(columns), list(readings))
    answers = []
    for question in questions:
        where = [columns[column] for column in question.columns]
        if not model.replicates and np.isneginf(log_probability[where]).all():
            refuse(model.network, question.given)
        table = tables[question.reading]
        if len(where) == 1:
            answer = np.moveaxis(table[..., where[0], :], -1, 0)
        else:
            answer = _chained(model.network, question, table[..., where, :], log_probability[where])
        held = (*question.reading.read, *question.reading.entered)
        order = [1 + held.index(t) for t in question.targets if t in held]
        shape = [model.network.variables[t].cardinality for t in question.targets]
        answers.append(answer.transpose(0, *order).reshape((*model.replicates, *shape)))
    return answers


def _chained(network: Network, question: Question, part: Array, log_probability: Array) -> Array:
    """Columns joined by the chain rule: ``(replicates, *read, *entered)``."""
    top = log_probability.max(axis=0)
    part = part * np.exp(log_probability - np.where(np.isneginf(top), 0.0, top))
    entered = [network.variables[v].cardinality for v in question.reading.entered]
    joint = part.reshape(*part.shape[:-2], *entered, part.shape[-1])
    return conditional(np.moveaxis(joint, -1, 0), lead=1)[0]


def _read(
    model: Model, tree: JunctionTree, columns: Sequence[Column], readings: Sequence[CliqueReading]
) -> tuple[dict[CliqueReading, Array], Array]:
    """Each reading given each column, ``(*read, columns, replicates)``, and log P(column)."""
    values = replicates_last(model.values)
    size = len(columns), values.shape[1]
    tables: dict[CliqueReading, Array] = {}
    for reading in readings:
        shape = [model.network.variables[v].cardinality for v in reading.read]
        tables[reading] = np.empty((*shape, *size))
    log_probability = np.empty(size)
    for some in blocks(size[0], tree.cells):
        for block in blocks(size[1], tree.cells * (some.stop - some.start)):
            entered = with_evidence(model.network, values[:, block], columns[some])
            batch = entered.shape[1:]
            beliefs, log_scale = joints(tree, entered.reshape(len(entered), -1), evidence=True)
            root = beliefs[0]
            with np.errstate(divide="ignore"):
                log_mass = np.log(root.reshape(-1, root.shape[-1]).sum(axis=0))
            log_probability[some, block] = (log_mass + log_scale[0]).reshape(batch)
            for reading, table in tables.items():
                part = np.add.reduce(beliefs[reading.clique], axis=reading.summed)
                table[..., some, block] = part.reshape(*part.shape[:-2], *batch)
    for reading, table in tables.items():
        moved, _ = conditional(np.moveaxis(table, (-2, -1), (0, 1)), lead=2)
        tables[reading] = np.moveaxis(moved, (0, 1), (-2, -1))
    return tables, log_probability


def with_evidence(network: Network, values: Array, columns: Sequence[Column]) -> Array:
    """Conditionals with evidence entered: ``(cells, columns, replicates)``."""
    entered = np.repeat(values[:, None, :], len(columns), axis=1)
    where: dict[int, tuple[list[int], list[int]]] = {}
    for place, column in enumerate(columns):
        for variable, state in column:
            places, states = where.setdefault(variable, ([], []))
            places.append(place)
            states.append(state)
    for variable, (places, states) in where.items():
        cardinality = network.variables[variable].cardinality
        allowed = np.ones((cardinality, len(columns), 1))
        allowed[:, places] = 0.0
        allowed[states, places] = 1.0
        cells = entered[network.layout.slices[variable]]
        rows = cells.reshape(-1, cardinality, *cells.shape[1:])
        rows *= allowed
    return entered
