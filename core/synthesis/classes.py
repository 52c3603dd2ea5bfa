"""Hidden classes: a mixture of independent columns fitted to noisy tables by least squares.

P(x) = Σ_h π_h Π_i P(x_i | h). Where many columns of few states all depend on each other, no tree of
tables small enough holds them together, and a few hidden classes do. How many is decided by the
noisy tables alone (Akaike's criterion), which costs nothing.

Whoever has the tables makes the same model again, on any processor: a descent of many steps would
blow up the last bit of a vectorised exponential or of a fused product, so there is none.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.markov.descent import Index, minimise
from core.network import Network
from core.parameters import Model
from core.synthesis.measuring import NoisyTable
from core.table import Array, Variable

CLASSES = (1, 2, 3, 4, 6, 9, 13, 19, 28)
"""Numbers of classes that are tried, until more are not worth their parameters."""

WORSE = 10.0
"""How much worse a number of classes must be than the best for larger ones not to be tried."""

ROUNDS = 200
RIDGE = 0.05
"""Penalty on squared logits, in units of one chi-squared."""


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


@dataclass(frozen=True, eq=False)
class _Group:
    """Tables of one shape: the column of each axis ``(tables, axes)``, values, precisions."""

    columns: Index
    values: Array
    precision: Array


@dataclass(frozen=True, eq=False)
class _Mixture:
    """The problem for one number of classes; a point are logits of π, then of each column."""

    sizes: tuple[int, ...]
    groups: list[_Group]
    records: float
    number: int

    def unpacked(self, point: Array) -> tuple[Array, list[Array]]:
        ends = self.number * np.cumsum([1, *self.sizes])
        weights, *given = np.split(exponential(point), ends[:-1])
        tables = [part.reshape(self.number, -1) for part in given]
        return weights / weights.sum(), [t / t.sum(axis=1, keepdims=True) for t in tables]

    def objective(self, points: Array, _: Index) -> tuple[Array, Array]:
        """Half the chi-squared of all tables with its slope; one point."""
        point = points[:, 0]
        weights, given = self.unpacked(point)
        slopes = [np.zeros(self.number), *(np.zeros(own.shape) for own in given)]
        value = 0.5 * RIDGE * float((point * point).sum())
        for group in self.groups:
            value += self._add(group, weights, given, slopes)
        turned = [
            p * (s - (p * s).sum(axis=-1, keepdims=True))
            for p, s in zip((weights, *given), slopes, strict=True)
        ]
        flat = np.concatenate([own.ravel() for own in turned])
        return np.array([value]), (flat + RIDGE * point)[:, None]

    def _add(self, group: _Group, weights: Array, given: list[Array], slopes: list[Array]) -> float:
        """One group's half chi-squared; adds to the slopes of π and of each column."""
        tables, axes = group.columns.shape
        spread = []
        for axis in range(axes):
            own = np.stack([given[c] for c in group.columns[:, axis].tolist()])
            shape = [-1 if a == axis else 1 for a in range(axes)]
            spread.append(own.reshape(tables, self.number, *shape))
        before = [weights.reshape(1, self.number, *[1] * axes)]
        for own in spread:
            before.append(before[-1] * own)
        gap = self.records * before[-1].sum(axis=1) - group.values
        trust = group.precision.reshape(tables, *[1] * axes)
        after = (self.records * trust * gap)[:, None]
        for axis in range(axes - 1, -1, -1):
            gone = tuple(a + 2 for a in range(axes) if a != axis)
            own = (after * before[axis]).sum(axis=gone)
            for column, slope in zip(group.columns[:, axis].tolist(), own, strict=True):
                slopes[1 + column] += slope
            after = (after * spread[axis]).sum(axis=axis + 2, keepdims=True)
        slopes[0] += after.reshape(tables, self.number).sum(axis=0)
        return float(0.5 * (trust * gap**2).sum())

    def start(self, shares: Sequence[Array]) -> Array:
        """Every column as it is alone, classes leaning one way and the other."""
        rng = np.random.default_rng(self.number)  # public: any start will do
        lean = np.linspace(-1, 1, self.number) if self.number > 1 else np.zeros(1)
        logits = [np.zeros(self.number)]
        for share in shares:
            tilt = lean[:, None] * np.linspace(-1, 1, len(share))
            jitter = 0.3 * rng.normal(size=tilt.shape) if self.number > 1 else 0.0
            logits.append((np.log(share) + tilt + jitter).ravel().round(6))
        return np.concatenate(logits)


def fitted_classes(sizes: Sequence[int], tables: Sequence[NoisyTable], records: float) -> Classes:
    """The mixture with the least chi-squared plus twice its parameters."""
    groups, shares = _grouped(sizes, tables), _shares(sizes, tables, records)
    best: tuple[float, Classes] | None = None
    for number in CLASSES:
        problem = _Mixture(tuple(sizes), groups, records, number)
        first = problem.start(shares)[:, None]
        end = minimise(problem.objective, first, tolerance=np.array([1e-2]), rounds=ROUNDS)
        weights, given = problem.unpacked(end.point[:, 0])
        misfit = 2 * float(end.value[0]) - RIDGE * float((end.point**2).sum())
        worth = misfit + 2 * number * (1 + sum(size - 1 for size in sizes))
        if best is None or worth < best[0]:
            best = (worth, Classes(weights, tuple(given)))
        elif worth > best[0] + WORSE:
            break
    assert best is not None
    return best[1]


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
