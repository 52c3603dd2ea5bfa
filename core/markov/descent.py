"""Minima of smooth convex functions, many at a time: limited-memory BFGS, with bounds if wanted.

Points are ``(cells, replicates)``. Each replicate has its own step length and history and leaves
when it is done, so a slow one does not keep the others busy.

With bounds a quasi-Newton step that is clipped need not descend: curvature learned in all cells
pushes some outwards, and clipping takes away what they were to contribute. So cells at or near a
bound whose gradient pushes outwards follow the gradient alone, and the others a quasi-Newton step
among themselves; then every cell that clipping stops would have raised the value. Where rounding
or a poor history spoils such a step all the same, the projected gradient is followed instead,
which always descends; it is doubled while it ends as steep as it began, or it would crawl where
all is flat, next to a probability of zero. Source: Bertsekas 1982, "Projected Newton methods for
optimization problems with simple constraints" (two-metric projection); Nocedal and Wright 2006,
Algorithm 7.4.

Only a small projected gradient is convergence. Tolerances down to about 1e-13 times the sizes
added up in the gradient can be reached: where values differ by less than their rounding, a step
is judged by gradients instead (see ``_accepted``), and those are as accurate as their own terms.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.table import Array

MEMORY = 20
"""Pairs of steps and gradient changes that are remembered."""

BLOCK_CELLS = 2**14
"""Cells times replicates of one point at a time: the remembered pairs then stay in cache."""

HALVINGS = 10
"""Halvings of a quasi-Newton step before the projected gradient is followed instead."""

GRADIENT_STEPS = 60
"""Most halvings or doublings of a projected gradient step, whose first length has no units."""

STEEP = 0.9
"""A gradient step that ends with more than this share of its slope was too short (Wolfe)."""

DECREASE = 1e-4
"""Share of the predicted decrease that a step must achieve (Armijo)."""

ROUNDING = 1e-13
"""Predicted decreases below this share of the value are judged by gradients."""

NEAR = 1e-2
"""Cells nearer to a bound than this share of it may count as held by it."""

Index = NDArray[np.intp]
Flags = NDArray[np.bool_]
Function = Callable[[Array, Index], tuple[Array, Array]]
"""Value and gradient at points of the named replicates."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """The points reached, and which of them are minima.

    ``residual`` is the largest cell of each replicate's projected gradient, ``converged`` whether
    it is within the tolerance; ``evaluations`` counts those of the function.
    """

    point: Array
    value: Array
    residual: Array
    converged: Flags
    evaluations: Index


@dataclass(eq=False)
class _Running:
    """The replicates still under way."""

    active: Index
    bound: Array | None
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
        self.bound = None if self.bound is None else self.bound[:, going]
        self.pairs = [(step[:, going], change[:, going]) for step, change in self.pairs]

    def forget(self, which: Index) -> None:
        """Drop the history of some replicates: what it predicted was wrong."""
        for step, change in self.pairs:
            step[:, which], change[:, which] = 0, 0


def minimise(
    function: Function,
    start: Array,
    *,
    tolerance: Array,
    rounds: int,
    bound: Array | None = None,
) -> Minimum:
    """Minima from ``start``; with ``bound`` every cell stays within plus or minus its bound.

    A replicate has converged when no cell of its projected gradient exceeds its ``tolerance``. One
    that has not after ``rounds`` steps, or that no step along its projected gradient improves any
    more (the tolerance is below rounding), is returned as it stands and not called converged. The
    value never rises, but for rounding.
    """
    count = start.shape[1]
    best = Minimum(
        start.copy() if bound is None else np.clip(start, -bound, bound),
        np.empty(count),
        np.empty(count),
        np.zeros(count, dtype=np.bool_),
        np.ones(count, dtype=np.intp),
    )
    step = max(2, BLOCK_CELLS // max(len(start), 1))
    for first in range(0, count, step):
        some = np.arange(first, min(first + step, count))
        held = None if bound is None else bound[:, some]
        x = best.point[:, some]
        run = _Running(some, held, x, *function(x, some))
        for left in range(rounds, -1, -1):
            free = _free(run)
            residual = np.abs(run.slope if free is None else run.slope * free).max(
                axis=0, initial=0
            )
            done = residual <= tolerance[run.active]
            best.point[:, run.active], best.value[run.active] = run.x, run.value
            best.residual[run.active], best.converged[run.active] = residual, done
            run.keep(~done)
            if not run.active.size or not left:
                break
            run.keep(_advance(function, run, residual[~done], best.evaluations))
            if not run.active.size:
                break
    return best


def _free(run: _Running, near: Array | float = 0.0) -> Flags | None:
    """Cells not held by their gradient at a bound, or ``near`` to it; all without bounds."""
    if run.bound is None:
        return None
    edge = run.bound - near
    low = (run.x <= -edge) & (run.slope >= 0)
    high = (run.x >= edge) & (run.slope <= 0)
    return ~(low | high)


def _advance(function: Function, run: _Running, residual: Array, evaluations: Index) -> Flags:
    """One step of every replicate; which of them moved."""
    new, value, slope = run.x.copy(), run.value.copy(), run.slope.copy()

    def attempt(which: Index, direction: Array, length: float) -> tuple[Index, Index]:
        """Take the steps that are accepted; which of those were too short; whose were not."""
        old = run.x[:, which]
        trial = old + length * direction[:, which]
        longer = direction[:, which]  # where a longer step would lead
        if run.bound is not None:
            held = run.bound[:, which]
            longer = longer * (np.abs(trial) < held)
            np.clip(trial, -held, held, out=trial)
        at, by = function(trial, run.active[which])
        evaluations[run.active[which]] += 1
        good = _accepted(run, which, trial - old, at, by)
        short = good & (_dot(by, longer) < STEEP * _dot(run.slope[:, which], longer))
        done = which[good]
        new[:, done], value[done], slope[:, done] = trial[:, good], at[good], by[:, good]
        return which[short], which[~good]

    def search(waiting: Index, direction: Array, halvings: int, doublings: int = 0) -> Index:
        """Step along ``direction`` of those waiting; who found none."""
        short, waiting = attempt(waiting, direction, 1.0)
        steps = 1
        while short.size and steps < doublings:
            short, _ = attempt(short, direction, 2.0**steps)
            steps += 1
        steps = 1
        while waiting.size and steps < halvings:
            _, waiting = attempt(waiting, direction, 0.5**steps)
            steps += 1
        return waiting

    everyone = np.arange(run.active.size)
    failed = search(everyone, _direction(run, residual), HALVINGS)
    stuck = failed
    if failed.size:
        run.forget(failed)
        stuck = search(failed, -run.slope, GRADIENT_STEPS, GRADIENT_STEPS)
    run.pairs = [*run.pairs[1 - MEMORY :], (new - run.x, slope - run.slope)]
    run.x, run.value, run.slope = new, value, slope
    moved = np.ones(run.active.size, dtype=np.bool_)
    moved[stuck] = False
    return moved


def _accepted(run: _Running, which: Index, step: Array, value: Array, slope: Array) -> Flags:
    """Which steps lower the value by enough: by the values, or by the gradients alone.

    A convex function rises along a step by at most its gradient at the end times the step. So a
    gradient there that still points downwards proves a decrease, however far below the rounding of
    the two values; they are asked for as much as they can know.
    """
    promised = _dot(run.slope[:, which], step)
    old = run.value[which]
    rounding = ROUNDING * (1 + np.abs(old))
    by_value = (-promised > rounding) & (value <= old + DECREASE * promised)
    by_slope = (promised < 0) & (_dot(slope, step) <= DECREASE * promised)
    return np.asarray(by_value | (by_slope & (value <= old + rounding)))


def _direction(run: _Running, residual: Array) -> Array:
    """Minus the remembered inverse curvature times the gradient over the free cells.

    Cells held at or near a bound get the gradient in the same units. Near is at most the size of
    the projected gradient: it shrinks as the minimum comes closer (Bertsekas 1982, Eq. 32).
    """
    near = 0.0 if run.bound is None else np.minimum(NEAR * run.bound, residual)
    free = _free(run, near)
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
    unit = np.ones(run.active.size)
    if used:
        _, y, rho, _ = used[0]
        length = rho * _dot(y, y)
        unit = 1 / np.where(length > 0, length, 1.0)
        q *= unit
    for s, y, rho, alpha in reversed(used):
        q += (alpha - rho * _dot(y, q)) * s
    if free is not None:
        q = np.where(free, q, unit * run.slope)
    return np.negative(q, out=q)


def _dot(left: Array, right: Array) -> Array:
    """Inner product of each replicate; of a single one, the same on every processor."""
    if left.shape[1] == 1:
        return np.asarray((left * right).sum(axis=0))
    return np.asarray(np.einsum("cr,cr->r", left, right))
