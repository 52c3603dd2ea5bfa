"""Audit: a method run on neighbouring data, and what its outputs prove about its real ε.

Two attackers. One is trained on all that a release shows and on the noisy tables it is made from,
and assumes nothing; the other knows the law of the noise and takes the likelihood ratio of the
tables, all together against ε and each alone against its part of it. A lower bound above a claim
proves the claim wrong, at the stated confidence; one below proves nothing, so the same runs on a
copy with half the noise say what would have been caught. Rehearsal noise, unless a drawer is given:
then each run goes through the meter, as a release does.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.errors import EquipoiseError
from core.methods.method import Method
from core.methods.randomness import Watched
from core.methods.registry import method_named
from core.network import Network
from core.privbayes.learners import recipe_of, settings_of
from core.scenario import Scenario, check_count
from core.table import Array, Variable
from release.audit.audited import Audit, Part, Shown
from release.audit.claims import about, planned, table_claims, whole_claim
from release.audit.events import EVENTS, columns_that_differ, lower_bound, trained_bound
from release.audit.grown import cases, proving_grown
from release.audit.learned import proving
from release.audit.metered import metered_runs
from release.audit.observed import ObservedRuns, Tables, observed
from release.audit.planted import bugs_of, planted, planted_drawing
from release.audit.worst_cases import CASES, NeighbourPair, carried, learning_cases, worst_cases
from release.meter import Drawer

_A, _B = Variable("a", ("0", "1")), Variable("b", ("0", "1"))
SMALL = (Network((_A,), ((),)), Network((_A, _B), ((), ("a",))))
"""Domains audited unless one is given: the fewer tables, the more of ε one record shows."""

TRIAL_LIMIT = 2_000_000
FEWEST = 400
COLUMNS = 24
"""Outputs an attacker looks at: those that differ most between the first runs."""

BLOCK_CELLS = 2**21
BLOCK_RUNS = 25_000
HALF = "half-noise"
Sides = tuple[Array, Array]


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What is audited: ``trials`` runs on each data set of each pair; half of them test.

    ``bug`` names a planted bug, for teaching. ``power`` runs a copy with half the noise as well.
    Locks and weights over other variables are carried to those of the small domains.
    """

    method: str
    scenario: Scenario
    networks: tuple[Network, ...] = SMALL
    trials: int = 100_000
    confidence: float = 0.99
    bug: str = ""
    power: bool = True
    cases: int = CASES
    """How many of each domain's pairs, from the first on: fewer where runs are dear."""

    def __post_init__(self) -> None:
        method_named(self.method)
        bugs = bugs_of(self.method)
        if self.bug and self.bug not in bugs:
            raise EquipoiseError(
                f"no planted bug {self.bug!r} of {self.method!r}; there are {', '.join(bugs)}"
            )
        if not np.isfinite(self.scenario.epsilon):
            raise EquipoiseError("epsilon is infinite; an audit needs a finite claim such as 1")
        if check_count("the number of trials", self.trials, TRIAL_LIMIT) < FEWEST:
            raise EquipoiseError(
                f"the number of trials is {self.trials}; fewer than {FEWEST} show nothing"
            )
        if not 0.5 <= self.confidence < 1:
            raise EquipoiseError(
                f"the confidence is {self.confidence:g}; it must lie between 0.5 and 1"
            )

    @property
    def audited(self) -> Method:
        """The method, with its bug if one is asked for."""
        method = method_named(self.method)
        return planted(method, self.bug) if self.bug else method

    @cached_property
    def pairs(self) -> tuple[NeighbourPair, ...]:
        """Neighbouring data sets of every domain."""
        relation = self.scenario.neighbours
        if method_named(self.method).learns and recipe_of(self.method).way:
            return cases(self)
        if method_named(self.method).learns:
            return learning_cases(settings_of(self.method, self.scenario))[: self.cases]
        return tuple(p for n in self.networks for p in worst_cases(n, relation)[: self.cases])

    @property
    def copies(self) -> tuple[Ask, ...]:
        """What is run: the method as asked for, and its copy with half the noise."""
        measured = method_named(self.method).guarantee.private
        half = self.power and measured and not self.bug
        return (self, replace(self, bug=HALF)) if half else (self,)

    @property
    def steps(self) -> int:
        """Blocks of runs that one copy takes."""
        return sum(2 * len(self.blocks(pair.network)) for pair in self.pairs)

    def blocks(self, network: Network) -> tuple[int, ...]:
        """Runs of each block."""
        size = min(BLOCK_RUNS, max(1, BLOCK_CELLS // network.layout.size))
        whole, rest = divmod(self.trials, size)
        return (size,) * whole + ((rest,) if rest else ())

    def on(self, network: Network) -> Scenario:
        """The scenario with its options over the variables of a domain."""
        options = self.scenario.options
        if self.networks == SMALL:
            options = carried(options, network)
        return replace(self.scenario, options=options)


def auditing(ask: Ask, drawer: Drawer | None = None) -> Iterator[Audit]:
    """The audit step by step: after each block of runs, what is proven so far.

    With a ``drawer`` every run is metered and drawn as a release is: exact, and much slower.
    """
    began = time.perf_counter()
    state = Audit(
        method=ask.method,
        guarantee=method_named(ask.method).guarantee,
        about=about(ask.method, ask.scenario),
        scenario=ask.scenario,
        tested=whole_claim(ask.method, ask.scenario, ask.trials // 2),
        confidence=ask.confidence,
        trials=ask.trials,
        bug=ask.bug,
        exact=drawer is not None,
        total=len(ask.copies) * ask.steps,
    )
    for copy in ask.copies:
        learns = method_named(ask.method).learns
        if learns and recipe_of(ask.method).way:
            steps = proving_grown(copy, drawer)
        else:
            steps = proving(copy, copy.pairs, drawer) if learns else _proving(copy, state, drawer)
        for shown in steps:
            own = () if shown is None else (shown,)
            state = replace(state, done=state.done + 1, seconds=time.perf_counter() - began)
            if copy is ask:
                state = replace(state, pairs=(*state.pairs, *own))
            else:
                state = replace(state, half=(*state.half, *own))
            if copy is ask and state.done == ask.steps and state.violated:
                state = replace(state, total=state.done)  # what else it catches is no question
            yield state
        if state.violated:
            return


def audit(ask: Ask, drawer: Drawer | None = None) -> Audit:
    """The whole audit."""
    *_, last = auditing(ask, drawer)
    return last


def _proving(ask: Ask, state: Audit, drawer: Drawer | None) -> Generator[Shown | None, None, None]:
    """Nothing after a block of runs, and what a pair proves after its last one."""
    plans = [planned(ask.method, ask.on(p.network), p.network, p.left) for p in ask.pairs]
    claims = [{} if plan is None else table_claims(plan) for plan in plans]
    # events of all tests of all pairs, in both directions, each with two bounds, hold together
    tests = sum(2 + (0 if plan is None else len(plan.tables)) for plan in plans)
    slip = (1 - ask.confidence) / (tests * 2 * EVENTS * 2)
    for number, (pair, parts) in enumerate(zip(ask.pairs, claims, strict=True)):
        columns, ratios, measured = yield from _collected(ask, pair, number, drawer)
        delta, quarter = state.tested.delta, ask.trials // 4
        whole = [
            trained_bound(*columns, delta, slip),
            lower_bound(ratios[0][:, 0], ratios[1][:, 0], choosing=quarter, delta=delta, slip=slip),
        ]
        tables = []
        for at, (names, place) in enumerate(measured, start=1):
            for claim in parts.get(names, ())[place : place + 1]:
                scores = ratios[0][:, at], ratios[1][:, at]
                bound = lower_bound(*scores, choosing=quarter, delta=claim.delta, slip=slip)
                tables.append(Part(", ".join(names) or "all records", claim, bound))
        yield Shown(pair.name, max(whole), tuple(tables))


def _collected(
    ask: Ask, pair: NeighbourPair, number: int, drawer: Drawer | None
) -> Generator[None, None, tuple[Sides, Sides, Tables]]:
    """Runs of both sides of a pair, reduced to the columns that differ in the first block.

    Columns and likelihood ratios of each side, and whose ratios those are; one step for each block
    of one side, the last of which ends it.
    """
    kept: tuple[list[Array], list[Array]] = ([], [])
    ratios: tuple[list[Array], list[Array]] = ([], [])
    blocks = ask.blocks(pair.network)
    for block, size in enumerate(blocks):
        seen = []
        for side in (0, 1):
            seen.append(_observed(ask, pair, drawer, size, (number, side, block)))
            if (side, block) != (1, len(blocks) - 1):
                yield
        if block == 0:
            columns = columns_that_differ(seen[0].columns, seen[1].columns, COLUMNS)
            tables = seen[0].tables
        for side, own in enumerate(seen):
            kept[side].append(own.columns[:, columns])
            ratios[side].append(own.ratios)
    (a, b), (c, d) = (map(np.concatenate, both) for both in (kept, ratios))
    return (a, b), (c, d), tables


def _observed(
    ask: Ask, pair: NeighbourPair, drawer: Drawer | None, size: int, place: tuple[int, int, int]
) -> ObservedRuns:
    """Everything one block of runs shows; ``place`` is number of the pair, side and block."""
    side = place[1]
    scenario, counts = ask.on(pair.network), (pair.left, pair.right)[side]
    if drawer is not None:
        copy = planted_drawing(method_named(ask.method), ask.bug, drawer)
        release, drawn = metered_runs(*copy, pair.network, counts, scenario, size)
        return observed(pair, side, release, drawn)
    key = zlib.crc32(ask.method.encode())
    rng = Watched(np.random.PCG64([scenario.seed, key, *place]))
    release = ask.audited.run(pair.network, counts, replace(scenario, replicates=size), rng=rng)
    return observed(pair, side, release, rng.drawn)
