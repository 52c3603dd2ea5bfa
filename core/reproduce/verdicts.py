"""The rules that turn numbers into verdicts. Each says what it counted."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.notation import short
from core.reproduce.item import Judged, Verdict
from core.study.experiments import Interval, interval
from core.table import Array

ROUNDING = 1e-12
SLACK = 1.1
"""How far beyond a limit the upper end of an interval may lie."""

MATCHED, REFERENCE = 1.2, 3.0
"""A match at ε = 1 with this much air is as claimed; the reference's own ε."""

_STRENGTH = (
    (Verdict.REPRODUCES, Verdict.HOLDS),
    (Verdict.PARTLY,),
    (Verdict.FAILS, Verdict.VIOLATED),
    (Verdict.UNTESTED,),
)


def rank(verdict: Verdict) -> int:
    """0 for what is as claimed, 1 partly, 2 not, 3 not tested."""
    return next(i for i, group in enumerate(_STRENGTH) if verdict in group)


def exact(pairs: Sequence[tuple[float, float]], tolerance: float) -> Judged:
    """EXACT: all of (ours, printed) within a tolerance, or three quarters of them."""
    within = sum(abs(ours - told) <= tolerance for ours, told in pairs)
    worst = max(abs(ours - told) for ours, told in pairs)
    told = short(tolerance) if tolerance else "0"
    why = f"{within} of {len(pairs)} within {told}, the worst {rounded(worst)} away"
    if within == len(pairs):
        return Judged(Verdict.REPRODUCES, why)
    return Judged(Verdict.PARTLY if 4 * within >= 3 * len(pairs) else Verdict.FAILS, why)


def order(differences: Sequence[Array | Interval]) -> Judged:
    """ORDER: paired differences, positive where the claim is right, by 95 % intervals of means."""
    means = [d if isinstance(d, Interval) else interval(np.ravel(d)) for d in differences]
    right = sum(m.low > 0 for m in means)
    wrong = sum(m.high < 0 for m in means)
    why = f"{right} hold, {wrong} fail, {len(means) - right - wrong} open"
    if wrong == 0 and 10 * right >= 9 * len(means):
        return Judged(Verdict.REPRODUCES, why)
    return Judged(Verdict.FAILS if wrong > right else Verdict.PARTLY, why)


def limit(uppers: Mapping[str, float], most: float) -> Judged:
    """LIMIT: upper ends of intervals below 1.1 times a limit, on every network or half."""
    below = [name for name, upper in uppers.items() if upper <= SLACK * most]
    why = f"at most {most:g} on {', '.join(below) or 'none'} of {', '.join(uppers)}"
    return _share(len(below), len(uppers), 0.5, why)


def matched(epsilons: Mapping[str, float | None], saturated: int = 0) -> Judged:
    """MATCH: the ε with the error that the baseline has at ε = 3; none where the grid ends before.

    ``saturated`` metrics were left out: the baseline is as good with less.
    """
    told = ", ".join(f"{n} {'beyond the grid' if e is None else f'{e:.2f}'}"
                     for n, e in epsilons.items())  # fmt: skip
    why = f"ε that equals the baseline at 3: {told or 'none left'}"
    if saturated:
        why += f"; {saturated} saturated and left out"
    if not epsilons:
        return Judged(Verdict.UNTESTED, why)
    values = [math.inf if e is None else e for e in epsilons.values()]
    below = sum(e <= MATCHED for e in values)
    if below == len(values):
        return Judged(Verdict.REPRODUCES, why)
    some = 2 * below >= len(values) or max(values) < REFERENCE
    return Judged(Verdict.PARTLY if some else Verdict.FAILS, why)


def holds(worst: float, what: str, tolerance: float = ROUNDING) -> Judged:
    """HOLDS: the largest violation of an inequality or identity over all cases tried."""
    if worst <= tolerance:
        return Judged(Verdict.HOLDS, f"{what}: largest violation {rounded(max(worst, 0.0))}")
    return Judged(Verdict.VIOLATED, f"{what}: violated by {rounded(worst)}")


def factor(ratios: Mapping[str, float], same_order: bool, within: float = 2.0) -> Judged:
    """FACTOR: ours over the printed, within a factor; or at least the methods in the same order."""
    close = sum(1 / within <= r <= within for r in ratios.values())
    told = ", ".join(f"{name} {ratio:.3g}" for name, ratio in ratios.items())
    why = (
        f"ours over printed: {told}; order of the methods {'the same' if same_order else 'another'}"
    )
    if close == len(ratios):
        return Judged(Verdict.REPRODUCES, why)
    return Judged(Verdict.PARTLY if same_order else Verdict.FAILS, why)


def counted(conditions: Mapping[str, bool], enough: float = 0.5) -> Judged:
    """SHAPE: conditions that the item states; all of them, or a share of them."""
    true = [name for name, right in conditions.items() if right]
    false = [name for name, right in conditions.items() if not right]
    why = f"true: {', '.join(true) or 'none'}; not: {', '.join(false) or 'none'}"
    return _share(len(true), len(conditions), enough, why)


def best(judged: Mapping[str, Judged]) -> Judged:
    """The verdict of the reading that is kindest to the paper; all are told."""
    kindest = min(judged, key=lambda reading: rank(judged[reading].verdict))
    if len(judged) == 1:
        return judged[kindest]
    why = f"the kindest of {len(judged)} readings, {kindest}: {judged[kindest].why}"
    return Judged(judged[kindest].verdict, why, _parts(judged))


def weaker(judged: Mapping[str, Judged]) -> Judged:
    """Where a claim has several parts: the verdict of the one that does worst."""
    worst = max(judged, key=lambda part: rank(judged[part].verdict))
    return Judged(judged[worst].verdict, _told(judged), _parts(judged))


def together(judged: Mapping[str, Judged]) -> Judged:
    """Several claims of one item: all as claimed, none, or some of them."""
    ranks = {rank(j.verdict) for j in judged.values()} - {3}
    verdict = Verdict.PARTLY
    if not ranks:
        verdict = Verdict.UNTESTED
    elif ranks == {0}:
        verdict = Verdict.REPRODUCES
    elif ranks == {2}:
        verdict = Verdict.FAILS
    return Judged(verdict, _told(judged), _parts(judged))


def every(judged: Mapping[str, Judged]) -> Judged:
    """Several inequalities of one item: all must hold."""
    broken = any(rank(j.verdict) for j in judged.values())
    return together(judged)._replace(verdict=Verdict.VIOLATED if broken else Verdict.HOLDS)


def _told(judged: Mapping[str, Judged]) -> str:
    return "; ".join(f"{name}: {j.verdict} ({j.why})" for name, j in judged.items())


def _parts(judged: Mapping[str, Judged]) -> tuple[tuple[str, Verdict, str], ...]:
    return tuple((name, j.verdict, j.why) for name, j in judged.items())


def rounded(number: float) -> str:
    """Three digits, rounding errors as zero: the same on every machine."""
    return short(0.0 if abs(number) < ROUNDING else number, 3)


def _share(right: int, total: int, enough: float, why: str) -> Judged:
    if right == total:
        return Judged(Verdict.REPRODUCES, why)
    return Judged(Verdict.PARTLY if right >= enough * total else Verdict.FAILS, why)
