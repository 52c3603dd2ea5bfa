"""An audit of a method that chooses and measures tables in turn.

What such a method does between two draws may depend on what was drawn and on public facts, not on
the records. So it is run on both data sets of a pair with the same noisy tables and the same
choices: it must ask for the same noise and the same candidates, and give the same model to the last
bit; only scores may differ. What was asked for is then drawn many times, as a rehearsal draws or as
a release does: tables are held against what they cost by the likelihood ratio of their noise, a
choice, given what came before it, by how often each candidate came in the first runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from core.methods.randomness import STEPS, Drawn, Histograms, whole_gaussian, whole_laplace
from core.methods.selection import Selection, choices
from core.table import Array
from release.audit.audited import Part, Shown
from release.audit.claims import Claim, delta_of, visible, whole_claim
from release.audit.events import EVENTS, lower_bound
from release.audit.learned import telling
from release.audit.observed import log_ratio
from release.audit.planted import GROWN_BUGS, GrownBug
from release.audit.scripted import Requested, compared
from release.audit.worst_cases import GrownCases, NeighbourPair
from release.meter import Drawer, Meter
from release.rationals import decimal

if TYPE_CHECKING:
    from release.audit.auditing import Ask

CHOSEN = 4
"""Most choices of one pair that are tested."""

TESTS = 2 + CHOSEN
"""Tests of one pair: all tables against the whole claim and against their own, and choices."""

CHOICES = 200
"""Draws of a choice for each run that is asked for: a choice has a very small part of ε."""

BLOCK = 1_000_000
LEVELLING, NUDGES = 4, 30
"""Steps towards two equal scores, and records added either side of where that leads, until one
record decides which score is larger."""

LEAK = 1e6
"""Stands for the ε of something that is told without a draw: no ε bounds it."""

SCRIPTS = 3
"""Courses of noisy tables and choices on which both sides are compared."""

Asked = tuple[list[Requested], list[Requested]]


def proving_grown(ask: Ask, drawer: Drawer | None) -> Iterator[Shown | None]:
    """Nothing after a block of runs, and what a pair proves after its last one."""
    bug = GROWN_BUGS.get(ask.bug, GrownBug(""))
    slip = (1 - ask.confidence) / (TESTS * len(ask.pairs) * 2 * EVENTS * 2)
    tested = whole_claim(ask.method, ask.scenario, ask.trials // 2)
    for number, pair in enumerate(ask.pairs):
        seeds = range(ask.scenario.seed, ask.scenario.seed + SCRIPTS)
        courses = [compared(ask.method, ask.scenario, pair, seed) for seed in seeds]
        asked = courses[0][:2]
        ratios: tuple[list[Array], list[Array]] = ([], [])
        blocks = ask.blocks(pair.network)
        for block, size in enumerate(blocks):
            for side in (0, 1):
                key = [ask.scenario.seed, number, side, block]
                rng = np.random.default_rng(key)
                ratios[side].append(_ratios(ask, asked, side, bug, size, drawer, rng=rng))
                if (side, block) != (1, len(blocks) - 1):
                    yield None
        left, right = (np.concatenate(own).round(9) for own in ratios)
        quarter = ask.trials // 4
        shown = [
            lower_bound(left, right, choosing=quarter, delta=claim.delta, slip=slip)
            for claim in (tested, _claim(ask, asked[0]))
        ]
        tables = [Part("all tables", _claim(ask, asked[0]), shown[1])]
        tables += _chosen(ask, asked, bug, number, slip, drawer)
        leak = 0.0 if all(alike for *_, alike in courses) else LEAK
        tables.append(Part("all that is no draw", Claim(0.0), leak))
        yield Shown(pair.name, shown[0], tuple(tables))


def _claim(ask: Ask, asked: list[Requested]) -> Claim:
    """What all tables together may cost."""
    neighbours, scales = ask.scenario.neighbours, np.concatenate([one.scales for one in asked])
    if not delta_of(ask.method, ask.scenario):
        return Claim(float((neighbours.l1_sensitivity / scales).sum()))
    return visible(float((neighbours.l1_sensitivity / (2 * scales**2)).sum()))


def _ratios(
    ask: Ask, asked: Asked, side: int, bug: GrownBug, size: int, drawer: Drawer | None,
    *, rng: np.random.Generator,
) -> Array:  # fmt: skip
    """Log-likelihood ratios of all tables that both sides ask for, so many runs of one."""
    total = np.zeros(size)
    for both in zip(*asked, strict=True):
        own, exact = both[0], [one.exact for one in both]
        if own.histograms is None:
            continue
        scales = own.scales / bug.tables
        if drawer is None:
            law = whole_gaussian if own.gaussian else whole_laplace
            noise = law(own.histograms, scales, replicates=size, rng=rng)
        else:
            metered = (_metered(ask, own.histograms, scales, own.gaussian, drawer)
                       for _ in range(size))  # fmt: skip
            noise = np.stack([*metered])
        drawn = Drawn(own.histograms, own.gaussian, scales, noise)
        total += log_ratio(drawn, noise + exact[side], *exact).sum(axis=1)
    return total


def _metered(
    ask: Ask, histograms: Histograms, scales: Array, gaussian: bool, drawer: Drawer
) -> Array:
    """Noise of tables as a release has it: charged and drawn by a meter of its own."""
    scenario, delta = ask.scenario, decimal(delta_of(ask.method, ask.scenario))
    meter = Meter(decimal(scenario.epsilon), delta, scenario.neighbours, drawer)
    return meter.gaussian(histograms, scales) if gaussian else meter.laplace(histograms, scales, 1)


def _chosen(
    ask: Ask,
    asked: Asked,
    bug: GrownBug,
    number: int,
    slip: float,
    drawer: Drawer | None,
) -> Iterator[Part]:
    """Each choice between several candidates, given what came before it, against its ε."""
    pairs = [
        (one, other)
        for one, other in zip(*asked, strict=True)
        if one.candidates is not None and len(one.candidates.tables) > 1
    ]
    for place, both in enumerate(pairs[:CHOSEN]):
        runs = ask.trials * (CHOICES if drawer is None else 1)
        rng = np.random.default_rng([ask.scenario.seed, number, place, 1])
        left, right = (_places(one, runs, bug, drawer, rng=rng)[:, None] for one in both)
        scores = [telling(left, right, 0, own)[runs // 4 :] for own in (left, right)]
        proven = lower_bound(*scores, choosing=runs // 4, delta=0.0, slip=slip)
        yield Part(f"choice {place + 1}", Claim(both[0].epsilon), proven)


def _places(
    one: Requested, runs: int, bug: GrownBug, drawer: Drawer | None, *, rng: np.random.Generator
) -> Array:
    """What so many draws choose."""
    assert one.candidates is not None
    steps, law = one.candidates.steps * bug.scores, Selection(one.candidates.law)
    epsilon = one.epsilon * bug.choices
    if drawer is not None and math.isfinite(epsilon):
        rate, gaps = Fraction(epsilon) / (2 * STEPS), steps.max() - steps
        return np.array([drawer.chosen(law.value, gaps, rate) for _ in range(runs)], dtype=float)
    known = {"epsilon": epsilon, "sensitivity": float(STEPS)}
    drawn = [
        choices(law, steps.astype(np.float64), **known, replicates=min(BLOCK, runs - start),
                rng=rng).astype(np.float32)
        for start in range(0, runs, BLOCK)
    ]  # fmt: skip
    return np.concatenate(drawn)


def cases(ask: Ask) -> tuple[NeighbourPair, ...]:
    """Almost nobody; one record that moves a choice as much as it can; one that decides it.

    What a choice costs, and what its scores are after the script's noise, is read off runs.
    """
    own = GrownCases(2 if ask.method.startswith("views") else 3, ask.scenario.neighbours)
    even = _first(ask, own.many("one among many", 0.0))
    if even is None:
        return own.least, own.many("one among many", 0.0)
    spread = 2 * ask.scenario.neighbours.l1_sensitivity / even[0].epsilon  # e times less likely
    behind, level = _behind(even[0]), 0.0
    for _ in range(LEVELLING):
        level -= _behind((_first(ask, own.many("", level)) or even)[0])
    deciding = (
        own.many("one record decides the choice", 0.4 * nudge + level, more)
        for nudge in sorted(range(-NUDGES, NUDGES + 1), key=abs)
        for more in range(4)
    )
    decided = next((pair for pair in deciding if _differ(_first(ask, pair))), None)
    moved = own.many("one record moves the choice", spread - behind)
    return own.least, moved, *([] if decided is None else [decided])


def _first(ask: Ask, pair: NeighbourPair) -> tuple[Requested, Requested] | None:
    """The first choice of both sides; none where nothing is chosen."""
    left, right, _ = compared(ask.method, ask.scenario, pair, ask.scenario.seed)
    both = (pair for pair in zip(left, right, strict=True) if pair[0].candidates is not None)
    return next(both, None)


def _behind(one: Requested) -> float:
    """By how many records the second candidate is ahead of the first."""
    assert one.candidates is not None
    gap = int(one.candidates.steps[1] - one.candidates.steps[0])
    return float(gap * one.candidates.sensitivity / STEPS)


def _differ(both: tuple[Requested, Requested] | None) -> bool:
    """Whether the two sides have another best candidate."""
    best = {int(np.argmax(o.candidates.steps)) for o in both or () if o.candidates is not None}
    return len(best) > 1
