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

HALVINGS = 30
"""Most halvings of one step; a replicate that needs more has reached rounding."""

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
    everyone = np.arange(start.shape[1])
    run = _Running(everyone, start.copy(), *function(start, everyone))
    found, values = run.x.copy(), run.value.copy()
    evaluations = np.ones(start.shape[1], dtype=np.intp)
    for _ in range(rounds):
        held = None if bound is None else bound[:, run.active]
        free = _free(run, held)
        going = np.abs(run.slope * free).max(axis=0) > tolerance[run.active]
        run.keep(going)
        if not run.active.size:
            break
        held = None if held is None else held[:, going]
        moved = _advance(function, run, free[:, going], held, evaluations)
        found[:, run.active], values[run.active] = run.x, run.value
        run.keep(moved)
    return Minimum(found, values, evaluations)


def _free(run: _Running, bound: Array | None) -> Flags:
    """Cells not held at a bound by their gradient."""
    if bound is None:
        return np.ones(run.x.shape, dtype=bool)
    low = (run.x <= -bound) & (run.slope > 0)
    high = (run.x >= bound) & (run.slope < 0)
    return ~(low | high)


def _advance(
    function: Function, run: _Running, free: Flags, bound: Array | None, evaluations: Index
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
    moved = np.ones(run.active.size, dtype=bool)
    moved[waiting] = False
    run.pairs = [*run.pairs[1 - MEMORY :], (new - run.x, slope - run.slope)]
    run.x, run.value, run.slope = new, value, slope
    return moved


def _direction(run: _Running, free: Flags) -> Array:
    """Minus the remembered inverse curvature times the gradient, over the free cells."""
    q: Array = run.slope * free
    used: list[tuple[Array, Array, Array, Array]] = []
    for step, change in reversed(run.pairs):
        s, y = step * free, change * free
        product = (s * y).sum(axis=0)
        usable = product > 1e-10 * np.sqrt((s * s).sum(axis=0) * (y * y).sum(axis=0))
        rho = np.where(usable, 1 / np.where(usable, product, 1.0), 0.0)
        alpha = rho * (s * q).sum(axis=0)
        q -= alpha * y
        used.append((s, y, rho, alpha))
    if used:
        _, y, rho, _ = used[0]
        length = rho * (y * y).sum(axis=0)
        q /= np.where(length > 0, length, 1.0)
    for s, y, rho, alpha in reversed(used):
        q += (alpha - rho * (y * q).sum(axis=0)) * s
    return np.negative(q, out=q)
