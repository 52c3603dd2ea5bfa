"""What would pass: the ε, the records, the edges or states with which no check of numbers fails.

Checks can contradict each other: the risk asks for a smaller ε, the forecast error for a larger
one. The answer comes from plans and their forecasts alone and never from the records, so it may be
shown, followed and published.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from core.errors import EquipoiseError
from core.network import Network
from core.notation import short
from core.table import Array, Variable
from release.review.checks_data import unit
from release.review.checks_plan import budget, guarantee, risk, usual
from release.review.checks_use import error, groups
from release.review.facts import Line
from release.review.proposal import Proposal
from release.words import counted

Check = Callable[[Proposal], Line]

ABOVE: tuple[Check, ...] = (guarantee, unit, usual, budget, risk)
"""Checks that a larger ε can fail."""

BELOW: tuple[Check, ...] = (error, groups)
"""Checks that a smaller ε can fail."""

MOST = 5
"""Most edges to drop or variables to merge states of: what a person would still do."""


@dataclass(frozen=True)
class Way:
    """What passes together: every ε from ``low`` to ``high``, with these changes.

    ``records`` is the least public number of them, zero for as it is; ``drop`` are edges,
    ``merge`` variables with the number of states to keep.
    """

    low: float
    high: float
    records: int = 0
    drop: tuple[tuple[str, str], ...] = ()
    merge: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        """As the end of a sentence that says what would pass."""
        span = f"ε = {self.high:g}"
        if self.low < self.high:
            span = f"any ε from {self.low:g} to {self.high:g}"
        parts = []
        if self.records:
            parts.append(f"with at least {counted(self.records, 'record')}")
        if self.drop:
            edges = ", ".join(f"{parent} → {child}" for parent, child in self.drop)
            parts.append(f"without the {'edge' if len(self.drop) == 1 else 'edges'} {edges}")
        if self.merge:
            kept = ", ".join(f"{name} to {states}" for name, states in self.merge)
            parts.append(f"with states merged ({kept})")
        return " ".join([span, *parts])


@dataclass(frozen=True)
class Passing:
    """The ways that would pass, none where nothing would; ``why`` says what is in the way."""

    ways: tuple[Way, ...]
    why: str
    waiting: tuple[str, ...]
    again: str = ""
    """What a rehearsal that failed leaves open where there is more ε, or another graph."""

    @property
    def sentence(self) -> str:
        """What would pass, from public things alone, in words."""
        told = f"{self.why} " if self.why else ""
        if self.ways:
            told += f"What would pass: {'; or '.join(way.text for way in self.ways)}.{self.again}"
        else:
            told += "Nothing would pass but other limits, another method or a written reason."
        if self.waiting:
            told += f" Other checks wait for you: {', '.join(self.waiting)}."
        return f"{told} Forecast from public facts; no record was looked at."


def what_would_pass(proposal: Proposal, open_: tuple[Line, ...]) -> Passing | None:
    """What would pass where checks that depend on ε are ``open_``; none where none is."""
    numbers = depend_on_epsilon(proposal)
    if not any(line.key in numbers for line in open_):
        return None
    return replace(_answered(proposal, open_, numbers), again=_again(proposal))


def _again(proposal: Proposal) -> str:
    """A stand-in that was off by too much says nothing of more ε, but that it has to be tried."""
    seen, limit = proposal.rehearsal, proposal.thresholds.row_error
    if seen is None or seen.band.median <= limit:
        return ""
    return (
        f" Rehearse again there: at ε = {seen.epsilon:g} the error on a stand-in was "
        f"{short(seen.band.median)}, above {limit:.2f}, and more ε is not rehearsed yet."
    )


def _answered(proposal: Proposal, open_: tuple[Line, ...], numbers: frozenset[str]) -> Passing:
    waiting = tuple(line.key for line in open_ if line.key not in numbers)
    low, high = _bounds(proposal)
    if low is not None and high is not None and low <= high:
        first = grid(proposal)[0]
        ends = [f"below {low:g} {_short(proposal, low)} fails"] * (low > first)
        ends.append(f"above {high:g} {_beyond(proposal, high)} fails")
        text = ", ".join(ends)
        return Passing((Way(low, high),), f"{text[0].upper()}{text[1:]}.", waiting)
    if high is None:
        line = _first_failure(_at(proposal, grid(proposal)[0]), _above(proposal))
        told = "" if line is None else f"{line.title}: {line.sentence}. "
        return Passing((), f"{told}No ε, however small, mends it.", waiting)
    why = f"No ε passes: above {high:g} {_beyond(proposal, high)} fails, "
    short = _short(proposal, high if low is None else low)
    why += f"and up to it so does {short}" if low is None else f"below {low:g} {short}"
    there = _at(proposal, high)
    if there.noise is None or there.rehearsal is not None:
        return Passing((), f"{why}. Only a rehearsal on a stand-in tells more.", waiting)
    ways = tuple(_changes(proposal, there))
    if not any(way.drop or way.merge for way in ways):
        why += f", and what was tried of up to {MOST} dropped edges or merged variables fails too"
    return Passing(ways, f"{why}.", waiting)


def _above(proposal: Proposal) -> tuple[Check, ...]:
    """Checks that a larger ε can fail, without those that wait for a statement first."""
    unsaid = [unit] * (not proposal.facts.statements.unit.strip())
    unsaid += [budget] * (proposal.account is None)
    return tuple(check for check in ABOVE if check not in unsaid)


def depend_on_epsilon(proposal: Proposal) -> frozenset[str]:
    """Keys of the checks that another ε can pass or fail."""
    return frozenset(check.__name__ for check in (*_above(proposal), *BELOW))


def grid(proposal: Proposal) -> list[float]:
    """Every ε of three digits that can be usual: what a person types."""
    most = proposal.thresholds.epsilon_most
    top = math.ceil(math.log10(most)) if most > 0.001 else -2
    values = (float(f"{digits}e{power}") for power in range(-5, top) for digits in range(100, 1000))
    return [value for value in values if value <= most]


def _at(proposal: Proposal, epsilon: float) -> Proposal:
    """The same with another ε; a rehearsal counts where more ε, or less, cannot overturn it."""
    seen = proposal.rehearsal
    if seen is not None:
        good = seen.band.median <= proposal.thresholds.row_error
        if (epsilon < seen.epsilon) if good else (epsilon > seen.epsilon):
            seen = None
    scenario = replace(proposal.scenario, epsilon=epsilon)
    return replace(proposal, scenario=scenario, rehearsal=seen, audit=None)


def _first_failure(proposal: Proposal, checks: tuple[Check, ...]) -> Line | None:
    lines = (check(proposal) for check in checks)
    return next((line for line in lines if line.state == "fail"), None)


def _fails(proposal: Proposal, checks: tuple[Check, ...], epsilon: float) -> bool:
    """Whether a check fails there; an ε too small to be planned is too small."""
    try:
        return _first_failure(_at(proposal, epsilon), checks) is not None
    except EquipoiseError:
        return checks is BELOW


def _bounds(proposal: Proposal) -> tuple[float | None, float | None]:
    """The least ε that is not too small and the largest that is not too large."""
    values = grid(proposal)
    over = bisect_left(values, True, key=partial(_fails, proposal, _above(proposal)))
    enough = bisect_left(values, True, key=lambda e: not _fails(proposal, BELOW, e))
    return (values[enough] if enough < len(values) else None, values[over - 1] if over else None)


def _beyond(proposal: Proposal, epsilon: float) -> str:
    """The check that fails at the next ε; beyond all of them ε is not usual."""
    after = grid(proposal)[bisect_left(grid(proposal), epsilon) + 1 :]
    line = _first_failure(_at(proposal, after[0]), _above(proposal)) if after else None
    return "usual" if line is None else line.key


def _short(proposal: Proposal, epsilon: float) -> str:
    """The first check that a smaller ε fails."""
    before = grid(proposal)[: bisect_left(grid(proposal), epsilon)]
    line = _first_failure(_at(proposal, before[-1]), BELOW) if before else None
    return "error" if line is None else line.key


def _changes(proposal: Proposal, there: Proposal) -> Iterator[Way]:
    """More records, fewer edges, fewer states: each alone, where it is enough."""
    network, high = proposal.facts.network, there.scenario.epsilon
    records = math.ceil(_noise(proposal, network, high).max() / proposal.thresholds.most_noise)
    if proposal.delta * records < 1:
        yield Way(high, high, records=records)
    bare = Network(network.variables, ((),) * len(network.variables))
    two = Network(tuple(_fewer(v, 2) for v in network.variables), network.parents)
    for alter, furthest in ((_dropping, bare), (_merging, two)):
        if _quiet(proposal, furthest, high):
            yield from _descend(proposal, high, alter)


def _descend(
    proposal: Proposal, high: float, alter: Callable[[Network, int], Iterator[Network]]
) -> Iterator[Way]:
    """Change what is noisiest, the best change first, until some ε passes."""
    before = network = proposal.facts.network
    for _ in range(MOST):
        noisiest = (-_noise(proposal, network, high)).argsort(kind="stable").tolist()
        options = next((some for i in noisiest if (some := list(alter(network, i)))), [])
        if not options:
            return
        network = min(options, key=lambda option: _noise(proposal, option, high).max())
        low, top = _bounds(_on(proposal, network)) if _quiet(proposal, network, high) else (1, 0)
        if low is not None and top is not None and low <= top:
            gone = tuple(edge for edge in before.edges if edge not in network.edges)
            pairs = zip(before.variables, network.variables, strict=True)
            merged = tuple((b.name, a.cardinality) for b, a in pairs if a != b)
            yield Way(low, top, drop=gone, merge=merged)
            return


def _quiet(proposal: Proposal, network: Network, epsilon: float) -> bool:
    """Whether that graph's noise is within the limit."""
    most = proposal.thresholds.most_noise * proposal.facts.records
    return bool(_noise(proposal, network, epsilon).max() <= most)


def _on(proposal: Proposal, network: Network) -> Proposal:
    return replace(proposal, facts=replace(proposal.facts, network=network))


def _noise(proposal: Proposal, network: Network, epsilon: float) -> Array:
    """Forecast noise of each variable's table, with that graph and ε."""
    noise = _at(_on(proposal, network), epsilon).noise
    if noise is None:
        raise EquipoiseError("the plan of this method looks at the records; rehearse instead")
    return noise.deviations


def _dropping(network: Network, place: int) -> Iterator[Network]:
    """Without one parent of a variable."""
    for gone in network.parents[place]:
        yield network.without_edge(gone, network.names[place])


def _merging(network: Network, place: int) -> Iterator[Network]:
    """With half as many states, at least two, of one variable of a family."""
    for variable in network.families[place]:
        fewer = _fewer(variable, max(2, -(-variable.cardinality // 2)))
        if fewer != variable:
            changed = tuple(fewer if v is variable else v for v in network.variables)
            yield Network(changed, network.parents)


def _fewer(variable: Variable, keep: int) -> Variable:
    """With at most so many states: a forecast asks for their number alone."""
    return Variable(variable.name, variable.states[:keep])
