"""Minima of smooth convex functions, many at a time: limited-memory BFGS, with bounds if wanted.

Points are ``(cells, replicates)``. Each replicate has its own step length and history and leaves
when it is done, so a slow one does not keep the others busy. With bounds the step is taken in the
free cells only and clipped. Source: Bertsekas 1982 (two-metric projection); Nocedal and Wright
2006, Algorithm 7.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.table import Array

MEMORY = 20
"""Pairs of steps and gradient changes that are remembered."""

BLOCK_CELLS = 2**14
"""Cells times replicates of one point at a time: the remembered pairs then stay in cache."""

HALVINGS = 30
"""Most halvings of one step; a replicate that needs more has reached rounding."""

ROUNDING = 1e-15
"""A step that lowers the value by less, relatively, was the last: rounding decides from there."""

DECREASE = 1e-4
"""Share of the predicted decrease that a step must achieve (Armijo)."""

Index = NDArray[np.intp]
Flags = NDArray[np.bool_]
Function = Callable[[Array, Index], tuple[Array, Array]]
"""Value and gradient at points of the named replicates."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where the minima are, and how often the function was evaluated for each replicate."""

    point: Array
    value: Array
    evaluations: Index


@dataclass(eq=False)
class _Running:
    """The replicates still under way."""

    active: Index
    x: Array
    value: Array
    slope: Array
    pairs: list[tuple[Array, Array]] = field(default_factory=list)
    """Steps and changes of the gradient, the latest last."""

    def keep(self, going: Flags) -> None:
        if going.all():
            return
        self.active, self.value = self.active[going], self.value[going]
        self.x, self.slope = self.x[:, going], self.slope[:, going]
        self.pairs = [(step[:, going], change[:, going]) for step, change in self.pairs]


def minimise(
    function: Function,
    start: Array,
    *,
    tolerance: Array,
    rounds: int,
    bound: Array | None = None,
) -> Minimum:
    """Minima from ``start``; with ``bound`` every cell stays within plus or minus its bound.

    A replicate is done when no free cell's gradient exceeds its ``tolerance``, when rounding
    stops it, or after ``rounds`` steps. The value never rises.
    """
    best = Minimum(
        start.copy(), np.empty(start.shape[1]), np.ones(start.shape[1], dtype=np.intp)
    )
    step = max(2, BLOCK_CELLS // max(len(start), 1))
    for first in range(0, start.shape[1], step):
        some = np.arange(first, min(first + step, start.shape[1]))
        run = _Running(some, start[:, some], *function(start[:, some], some))
        best.value[some] = run.value
        for _ in range(rounds):
            held = None if bound is None else bound[:, run.active]
            free = None if held is None else _free(run, held)
            steep = np.abs(run.slope if free is None else run.slope * free).max(axis=0)
            going = steep > tolerance[run.active]
            run.keep(going)
            if not run.active.size:
                break
            free = free if free is None else free[:, going]
            held = held if held is None else held[:, going]
            moved = _advance(function, run, free, held, best.evaluations)
            best.point[:, run.active], best.value[run.active] = run.x, run.value
            run.keep(moved)
    return best


def _free(run: _Running, bound: Array) -> Flags:
    """Cells not held at a bound by their gradient."""
    low = (run.x <= -bound) & (run.slope > 0)
    high = (run.x >= bound) & (run.slope < 0)
    return ~(low | high)


def _advance(
    function: Function,
    run: _Running,
    free: Flags | None,
    bound: Array | None,
    evaluations: Index,
) -> Flags:
    """One step of every replicate; which of them moved."""
    direction = _direction(run, free)
    new, value, slope = run.x.copy(), run.value.copy(), run.slope.copy()
    waiting, length = np.arange(run.active.size), 1.0
    for _ in range(HALVINGS):
        trial = run.x[:, waiting] + length * direction[:, waiting]
        if bound is not None:
            np.clip(trial, -bound[:, waiting], bound[:, waiting], out=trial)
        at, by = function(trial, run.active[waiting])
        evaluations[run.active[waiting]] += 1
        promised = (run.slope[:, waiting] * (trial - run.x[:, waiting])).sum(axis=0)
        good = at <= run.value[waiting] + DECREASE * np.minimum(promised, 0)
        done = waiting[good]
        new[:, done], value[done], slope[:, done] = trial[:, good], at[good], by[:, good]
        waiting = waiting[~good]
        if not waiting.size:
            break
        length /= 2
    moved = run.value - value > ROUNDING * (1 + np.abs(value))
    run.pairs = [*run.pairs[1 - MEMORY :], (new - run.x, slope - run.slope)]
    run.x, run.value, run.slope = new, value, slope
    return moved


def _direction(run: _Running, free: Flags | None) -> Array:
    """Minus the remembered inverse curvature times the gradient, over the free cells."""
    q: Array = run.slope.copy() if free is None else run.slope * free
    used: list[tuple[Array, Array, Array, Array]] = []
    for s, y in reversed(run.pairs):
        if free is not None:
            s, y = s * free, y * free
        product = _dot(s, y)
        usable = product > 1e-10 * np.sqrt(_dot(s, s) * _dot(y, y))
        rho = np.where(usable, 1 / np.where(usable, product, 1.0), 0.0)
        alpha = rho * _dot(s, q)
        q -= alpha * y
        used.append((s, y, rho, alpha))
    if used:
        _, y, rho, _ = used[0]
        length = rho * _dot(y, y)
        q /= np.where(length > 0, length, 1.0)
    for s, y, rho, alpha in reversed(used):
        q += (alpha - rho * _dot(y, q)) * s
    return np.negative(q, out=q)


def _dot(left: Array, right: Array) -> Array:
    """Inner product of each replicate."""
    return np.asarray(np.einsum("cr,cr->r", left, right))
