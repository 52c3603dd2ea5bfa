"""Hidden classes: a mixture of independent columns fitted to noisy tables by least squares.

P(x) = Σ_h π_h Π_i P(x_i | h). Where many columns of few states all depend on each other, no tree of
tables small enough holds them together, and a few hidden classes do. How many is decided by the
noisy tables alone (Akaike's criterion), which costs nothing.

Whoever has the tables makes the same model again, on any processor: a descent of many steps would
blow up the last bit of a vectorised exponential or of a fused product, so there is none.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.network import Network
from core.parameters import Model
from core.synthesis.measuring import NoisyTable
from core.table import Array, Variable

CLASSES = (1, 2, 3, 4, 6, 9, 13, 19, 28)
"""Numbers of classes that are tried, until more are not worth their parameters."""

WORSE = 10.0
"""How much worse a number of classes must be than the best for larger ones not to be tried."""

RIDGE = 0.1
"""Penalty on squared logits, in units of one chi-squared."""

ROUNDS, SLOWER, FASTER, LONGEST = 100, 4.0, 5.0, 3.0
"""Steps of a descent, what a failed one makes the damping grow by and a good one fall by, and the
most that a logit moves."""

ENOUGH = 0.02
"""Two steps in a row that gain less of a chi-squared end a descent."""

NEAR, TURNS, BITS = 0.01, 100, 24
"""How well equations are solved, in how many turns at most, and bits of their slopes: products are
whole numbers of twice as many, and sums of them exact in any order."""


@dataclass(frozen=True, eq=False)
class Classes:
    """π ``(classes,)`` and for each column P(state | class) ``(classes, states)``."""

    weights: Array
    given: tuple[Array, ...]

    def table(self, columns: Sequence[int]) -> Array:
        """P over some columns."""
        joint = self.weights
        for column in columns:
            ones = (1,) * (joint.ndim - 1)
            joint = joint[..., None] * self.given[column].reshape(len(self.weights), *ones, -1)
        return np.asarray(joint.sum(axis=0))

    def model(self, variables: Sequence[Variable], hidden: Variable) -> Model:
        """The same as a network in which the class is the parent of every column."""
        network = Network((*variables, hidden), (*((hidden.name,) for _ in variables), ()))
        return Model.from_conditionals(network, [*self.given, self.weights])


def fit_numbers(sizes: Sequence[int], cells: int) -> int:
    """Numbers that a fit to tables of so many cells together holds at once, at most.

    Slopes of all cells, and three more of that size while their products are made.
    """
    logits = CLASSES[-1] * (1 + sum(size - 1 for size in sizes))
    return 4 * logits * max(cells, logits)


@dataclass(frozen=True, eq=False)
class _Group:
    """Tables of one shape: the column of each axis ``(tables, axes)``, values, precisions."""

    columns: NDArray[np.intp]
    values: Array
    precision: Array

    def given_classes(self, given: Sequence[Array]) -> Array:
        """P(cell | class), ``(tables, classes, cells)``."""
        tables, axes = self.columns.shape
        joint = np.ones((tables, len(given[0]), 1))
        for axis in range(axes):
            own = np.stack([given[c] for c in self.columns[:, axis].tolist()])
            joint = (joint[..., None] * own[:, :, None]).reshape(*joint.shape[:2], -1)
        return joint


@dataclass(frozen=True, eq=False)
class _Mixture:
    """The problem for one number of classes.

    A point are logits of π, then for each column those of all its states but the first, class by
    class.
    """

    sizes: tuple[int, ...]
    groups: list[_Group]
    records: float
    number: int

    @cached_property
    def starts(self) -> list[int]:
        """Where the logits of each column begin, and where all end."""
        free = [1, *(size - 1 for size in self.sizes)]
        return [self.number * end for end in itertools.accumulate(free)]

    def unpacked(self, point: Array) -> tuple[Array, list[Array]]:
        """π and P(state | class) of each column."""
        weights, *parts = np.split(exponential(point), self.starts[:-1])
        given = [
            np.concatenate([np.ones((self.number, 1)), own.reshape(self.number, -1)], axis=1)
            for own in parts
        ]
        return weights / weights.sum(), [own / own.sum(axis=1, keepdims=True) for own in given]

    def gaps(self, point: Array) -> Array:
        """How far off every cell is, in standard deviations."""
        weights, given = self.unpacked(point)
        off = []
        for group in self.groups:
            share = (group.given_classes(given) * weights[:, None]).sum(axis=1)
            gap = self.records * share - group.values.reshape(share.shape)
            off.append((np.sqrt(group.precision)[:, None] * gap).ravel())
        return np.concatenate(off)

    def slopes(self, point: Array) -> Array:
        """The slope of every gap, ``(cells, logits)``."""
        weights, given = self.unpacked(point)
        return np.concatenate([self._slopes(group, weights, given) for group in self.groups])

    def _slopes(self, group: _Group, weights: Array, given: list[Array]) -> Array:
        joint = group.given_classes(given) * weights[:, None]
        joint *= (self.records * np.sqrt(group.precision))[:, None, None]
        joint = joint.transpose(0, 2, 1)
        tables, cells, _ = joint.shape
        out = np.zeros((tables, cells, self.starts[-1]))
        out[..., : self.number] = joint - weights * joint.sum(axis=2, keepdims=True)
        states = np.indices(group.values.shape[1:]).reshape(-1, cells)
        for axis, size in enumerate(group.values.shape[1:]):
            columns = group.columns[:, axis].tolist()
            chance = np.stack([given[c][:, 1:] for c in columns])[:, None]
            held = states[axis][:, None, None] == np.arange(1, size)
            own = (joint[..., None] * (held - chance)).reshape(tables, cells, -1)
            for table, column in enumerate(columns):
                first = self.starts[column]
                out[table, :, first : first + own.shape[2]] = own[table]
        return out.reshape(tables * cells, -1)

    def start(self, shares: Sequence[Array]) -> Array:
        """Every column as it is alone, classes leaning one way and the other."""
        rng = np.random.default_rng(self.number)  # public: any start will do
        lean = np.linspace(-1, 1, self.number) if self.number > 1 else np.zeros(1)
        logits = [np.zeros(self.number)]
        for share in shares:
            tilt = lean[:, None] * np.linspace(-1, 1, len(share))
            jitter = 0.3 * rng.normal(size=tilt.shape) if self.number > 1 else 0.0
            own = np.log(share) + tilt + jitter
            logits.append((own[:, 1:] - own[:, :1]).ravel().round(6))
        return np.concatenate(logits)


def fitted_classes(sizes: Sequence[int], tables: Sequence[NoisyTable], records: float) -> Classes:
    """The mixture with the least chi-squared plus twice its parameters."""
    groups, shares = _grouped(sizes, tables), _shares(sizes, tables, records)
    best: tuple[float, Classes] | None = None
    for number in CLASSES:
        problem = _Mixture(tuple(sizes), groups, records, number)
        point = _descended(problem, problem.start(shares))
        weights, given = problem.unpacked(point)
        worth = _squares(problem.gaps(point)) + 2 * number * (1 + sum(size - 1 for size in sizes))
        if best is None or worth < best[0]:
            best = (worth, Classes(weights, tuple(given)))
        elif worth > best[0] + WORSE:
            break
    assert best is not None
    return best[1]


def _descended(problem: _Mixture, point: Array) -> Array:
    """Where chi-squared and penalty are least nearby, by damped steps (Levenberg, Marquardt)."""
    gaps, damping, slow = problem.gaps(point), 1.0, 0
    value = _squares(gaps) + RIDGE * _squares(point)
    equations = _Equations.of(problem.slopes(point), gaps, point)
    for _ in range(ROUNDS):
        step = equations.step(damping)
        there = point + step * (LONGEST / max(LONGEST, float(np.abs(step).max())))
        off = problem.gaps(there)
        new = _squares(off) + RIDGE * _squares(there)
        if new >= value:
            damping *= SLOWER
            continue
        slow = slow + 1 if value - new < ENOUGH else 0
        point, gaps, value, damping = there, off, new, damping / FASTER
        if slow == 2:
            break
        equations = _Equations.of(problem.slopes(point), gaps, point)
    return point


def _squares(values: Array) -> float:
    return float((values * values).sum())


@dataclass(frozen=True, eq=False)
class _Equations:
    """Least squares in slopes, each in units of a power of two; the same on any processor."""

    matrix: Array
    right: Array
    units: NDArray[np.intc]

    @classmethod
    def of(cls, slopes: Array, gaps: Array, point: Array) -> "_Equations":
        """For the step from a point; the penalty is in them."""
        units = np.frexp(np.sqrt((slopes * slopes).sum(axis=0) + RIDGE))[1]
        right = np.ldexp((slopes * gaps[:, None]).sum(axis=0) + RIDGE * point, -units)
        whole = np.rint(np.ldexp(slopes, BITS - units))
        matrix = np.ldexp(whole.T @ whole, -2 * BITS)
        matrix[np.diag_indices(len(point))] += np.ldexp(RIDGE, -2 * units)
        return cls(matrix, -right, units)

    def step(self, damping: float) -> Array:
        """What solves them with so much of their diagonal added, nearly, by conjugate gradients."""
        extra = damping * self.matrix.diagonal()
        step, rest = np.zeros(len(self.right)), self.right.copy()
        along, left = rest.copy(), _squares(self.right)
        end = NEAR**2 * left
        for _ in range(TURNS):
            if left <= end:
                break
            turned = (self.matrix * along).sum(axis=1) + extra * along
            length = left / float((along * turned).sum())
            step += length * along
            rest -= length * turned
            before, left = left, _squares(rest)
            along = rest + left / before * along
        return np.ldexp(step, -self.units)


def _grouped(sizes: Sequence[int], tables: Sequence[NoisyTable]) -> list[_Group]:
    groups: dict[tuple[int, ...], list[tuple[tuple[int, ...], Array, float]]] = {}
    for table in tables:
        order = np.argsort([sizes[c] for c in table.columns], kind="stable").tolist()
        own = tuple(table.columns[i] for i in order)
        entry = (own, table.values.transpose(order), 1 / max(table.variance, 1e-12))
        groups.setdefault(tuple(sizes[c] for c in own), []).append(entry)
    return [
        _Group(
            np.array([columns for columns, _, _ in group], dtype=np.intp),
            np.stack([values for _, values, _ in group]),
            np.array([trust for _, _, trust in group]),
        )
        for group in groups.values()
    ]


def _shares(sizes: Sequence[int], tables: Sequence[NoisyTable], records: float) -> list[Array]:
    """Each column alone: the mean over its tables, every state at least a thousandth."""
    sums = [np.zeros(size) for size in sizes]
    for table in tables:
        for axis, column in enumerate(table.columns):
            gone = tuple(a for a in range(table.values.ndim) if a != axis)
            sums[column] += np.maximum(table.values.sum(axis=gone), 1e-3 * records)
    return [own / own.sum() for own in sums]


LARGEST = 300.0
LN2 = (0.693147180369123816490, 1.90821492927058770002e-10)
"""The logarithm of two in two parts, the first of few bits: multiples of it are exact."""
TERMS = tuple(1 / math.factorial(k) for k in range(13, -1, -1))


def exponential(values: Array) -> Array:
    """Powers of e within ±``LARGEST``: sums and products in one order, whatever the processor."""
    near = np.clip(values, -LARGEST, LARGEST)
    whole = np.rint(near * (1 / math.log(2)))
    rest = near - whole * LN2[0] - whole * LN2[1]
    power = np.full(near.shape, TERMS[0])
    for term in TERMS[1:]:
        power *= rest
        power += term
    return np.asarray(np.ldexp(power, whole.astype(np.int64)))
