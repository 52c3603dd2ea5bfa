"""Audit: a method run on neighbouring data, and what its outputs prove about its real ε.

A black-box check: nothing is assumed about how the method works. A lower bound above the claim
proves the claim wrong, at the stated confidence; one below it proves nothing and only says that
this attacker, on these pairs, with so many runs, found no violation. What is audited is the
method with its rehearsal noise.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.errors import EquipoiseError
from core.methods.method import Method
from core.methods.registry import method_named
from core.network import Network
from core.privacy import Guarantee
from core.scenario import Scenario, check_count
from core.table import Array, Variable
from release.audit.events import EVENTS, Attacker, columns_that_differ, lower_bound
from release.audit.planted import PLANTED, planted
from release.audit.worst_cases import Pair, worst_cases

_A, _B = Variable("a", ("0", "1")), Variable("b", ("0", "1"))
SMALL = (Network((_A,), ((),)), Network((_A, _B), ((), ("a",))))
"""Domains audited unless one is given: the fewer tables, the more of ε one record shows."""

TRIAL_LIMIT = 2_000_000
FEWEST = 400
COLUMNS = 24
"""Outputs an attacker looks at: those that differ most between the first runs."""

BLOCK_CELLS = 2**21
BLOCK_RUNS = 25_000


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What is audited: ``trials`` runs on each data set of each pair; half of them test.

    ``bug`` names a planted bug, for teaching.
    """

    method: str
    scenario: Scenario
    networks: tuple[Network, ...] = SMALL
    trials: int = 100_000
    confidence: float = 0.99
    bug: str = ""

    def __post_init__(self) -> None:
        method_named(self.method)
        if self.bug and self.bug not in PLANTED:
            raise EquipoiseError(f"no planted bug {self.bug!r}; there are {', '.join(PLANTED)}")
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

    @property
    def delta(self) -> float:
        """δ of the claim."""
        return self.scenario.options.delta if self.audited.guarantee.has_delta else 0.0

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Neighbouring data sets of every domain."""
        relation = self.scenario.neighbours
        return tuple(pair for n in self.networks for pair in worst_cases(n, relation))

    def blocks(self, network: Network) -> tuple[int, ...]:
        """Runs of each block."""
        size = min(BLOCK_RUNS, max(1, BLOCK_CELLS // network.layout.size))
        whole, rest = divmod(self.trials, size)
        return (size,) * whole + ((rest,) if rest else ())


@dataclass(frozen=True)
class Shown:
    """What one pair of data sets proves."""

    pair: str
    lower_bound: float


@dataclass(frozen=True)
class Audit:
    """What is proven so far; ``done`` of ``total`` steps."""

    method: str
    guarantee: Guarantee
    claimed: float
    delta: float
    neighbours: str
    confidence: float
    trials: int
    bug: str
    pairs: tuple[Shown, ...]
    done: int
    total: int
    seconds: float

    @property
    def lower_bound(self) -> float:
        """The ε that the method has at least, at the stated confidence."""
        return max((shown.lower_bound for shown in self.pairs), default=0.0)

    @property
    def violated(self) -> bool:
        """Whether the claim is proven wrong."""
        return self.lower_bound > self.claimed

    @property
    def verdict(self) -> str:
        """In one word: ``violated``, ``none found``, or ``unfinished`` after a stop."""
        if self.violated:
            return "violated"
        return "none found" if self.done == self.total else "unfinished"

    @property
    def sentence(self) -> str:
        """In one sentence."""
        what = f"{self.method} with {PLANTED[self.bug].title}" if self.bug else self.method
        proof = (
            f"{self.trials:,} runs on each of {len(self.pairs)} pairs of neighbours prove "
            f"ε of at least {self.lower_bound:.3f} at {100 * self.confidence:g} % confidence"
        )
        if not self.guarantee.private:
            return (
                f"{what} claims nothing, and fails by design: {proof}, where {self.claimed:g} was "
                "asked for."
            )
        end = "the claim is broken" if self.violated else "no violation is found"
        return f"{what} claims ε = {self.claimed:g}; {proof}: {end}."


def auditing(ask: Ask) -> Iterator[Audit]:
    """The audit step by step: after each block of runs, what is proven so far."""
    began = time.perf_counter()
    pairs = ask.pairs
    state = Audit(
        ask.method,
        ask.audited.guarantee,
        ask.scenario.epsilon,
        ask.delta,
        ask.scenario.neighbours.value,
        ask.confidence,
        ask.trials,
        ask.bug,
        (),
        0,
        sum(2 * len(ask.blocks(pair.network)) for pair in pairs),
        0.0,
    )
    # events of all pairs, in both directions, each with two bounds, hold together
    slip = (1 - ask.confidence) / (len(pairs) * 2 * EVENTS * 2)
    for number, pair in enumerate(pairs):
        collected = _Collected(ask, pair, number)
        for _ in collected.steps():
            spent = time.perf_counter() - began
            state = replace(state, done=state.done + 1, seconds=spent)
            if not collected.complete:
                yield state
        shown = Shown(pair.name, _proven(*collected.both, ask.delta, slip))
        state = replace(state, pairs=(*state.pairs, shown), seconds=time.perf_counter() - began)
        yield state


def audit(ask: Ask) -> Audit:
    """The whole audit."""
    *_, last = auditing(ask)
    return last


class _Collected:
    """Runs of both sides of a pair, reduced to the columns that differ in the first block."""

    def __init__(self, ask: Ask, pair: Pair, number: int) -> None:
        self.ask, self.pair, self.number = ask, pair, number
        self.kept: tuple[list[Array], list[Array]] = ([], [])

    @property
    def complete(self) -> bool:
        return sum(map(len, self.kept[1])) == self.ask.trials

    @property
    def both(self) -> tuple[Array, Array]:
        return np.concatenate(self.kept[0]), np.concatenate(self.kept[1])

    def steps(self) -> Iterator[None]:
        """Run block by block, one side after the other."""
        columns = None
        for block, size in enumerate(self.ask.blocks(self.pair.network)):
            found = []
            for side in (0, 1):
                found.append(self._outputs(size, side, block))
                if side == 0:
                    yield
            if columns is None:
                columns = columns_that_differ(found[0], found[1], COLUMNS)
            for side in (0, 1):
                self.kept[side].append(found[side][:, columns])
            yield

    def _outputs(self, size: int, side: int, block: int) -> Array:
        """Everything one block of releases shows: tables, nodes' budgets, conditionals."""
        scenario = self.ask.scenario
        key = zlib.crc32(self.ask.method.encode())
        release = self.ask.audited.run(
            self.pair.network,
            self.pair.right if side else self.pair.left,
            replace(scenario, replicates=size),
            rng=np.random.default_rng([scenario.seed, key, self.number, side, block]),
        )
        shown = [np.broadcast_to(release.noisy, (size, release.noisy.shape[-1]))]
        shown.append(release.model.values)
        if release.plan is not None and release.plan.node_epsilon.ndim > 1:
            shown.append(release.plan.node_epsilon)
        # idealised arithmetic: the last bits of doubles give the data away (Mironov 2012)
        found: Array = np.concatenate(shown, axis=1).round(9)
        return found


def _proven(left: Array, right: Array, delta: float, slip: float) -> float:
    """A quarter of the runs trains, a quarter chooses events, the rest tests them."""
    quarter = len(left) // 4
    attacker = Attacker.trained(left[:quarter], right[:quarter])
    scores = [attacker.scores(runs[quarter:]) for runs in (left, right)]
    return lower_bound(*scores, choosing=quarter, delta=delta, slip=slip)
