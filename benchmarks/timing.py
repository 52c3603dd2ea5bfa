"""Taking times fairly, and printing them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

SHORT = 0.02
"""Seconds below which a task is repeated within one round."""


@dataclass(frozen=True)
class Goal:
    """A ratio to be reached (or another measure, by ``unit``); ``at_most`` turns it around."""

    task: str
    against: str
    ratio: float
    target: float
    at_most: bool = False
    unit: str = "x"

    @property
    def met(self) -> bool:
        """Whether the measured ratio is on the right side of the target."""
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target


def medians(tasks: Mapping[str, Callable[[], object]], *, rounds: int = 7) -> dict[str, float]:
    """Median seconds of each task.

    Tasks take turns, so that a busy moment of the machine hits all of them; one unmeasured turn
    fills caches.
    """
    repeats = {name: max(1, min(50, int(SHORT / _timed(task, 1)))) for name, task in tasks.items()}
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            times[name].append(_timed(task, repeats[name]))
    return {name: statistics.median(found) for name, found in times.items()}


def _timed(task: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        task()
    return max((time.perf_counter() - start) / repeats, 1e-9)


def print_times(title: str, times: Mapping[str, float]) -> None:
    """One line per task."""
    print(f"\n{title}")
    width = max(map(len, times))
    for name, seconds in times.items():
        print(f"  {name:<{width}}  {seconds * 1e3:>10.3f} ms")


def print_goals(goals: Sequence[Goal]) -> None:
    """One line per goal: measured ratio, target, met or missed."""
    width = max(len(f"{g.task} / {g.against}") for g in goals)
    print(f"\n  {'ratio':<{width}}  {'measured':>12}  {'target':>14}")
    for goal in goals:
        sign = "at most" if goal.at_most else "at least"
        print(
            f"  {goal.task + ' / ' + goal.against:<{width}}  "
            f"{f'{goal.ratio:.1f} {goal.unit}':>12}  {f'{sign} {goal.target:g}':>14}  "
            + ("met" if goal.met else "MISSED")
        )
