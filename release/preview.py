"""Preview: what a release will measure and what that costs, proved before any count is read."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.method import Release
from core.methods.randomness import Fresh
from core.methods.registry import LEARNERS, METHODS, method_named
from core.network import Network
from core.privbayes.learners import shares
from core.scenario import Scenario
from core.table import Array, Table, Variable
from release.meter import Meter, Whole
from release.published import Measurement
from release.rationals import LARGEST_SCALE, decimal


@dataclass(frozen=True)
class Nothing:
    """Tables of zeros; ``asked`` remembers the families, ``known`` a public number of records.

    The table of no variable holds that number: a method that learns its graph begins with it.
    """

    known: int | None = None
    asked: list[tuple[tuple[Variable, ...], ...]] = field(default_factory=list)

    @property
    def records(self) -> int:
        """The public number of records; without one there is none to be had."""
        if self.known is None:
            raise EquipoiseError("a release may not use the number of records; it is private")
        return self.known

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Tables of zeros."""
        self.asked.append(tuple(families))
        return tuple(Table(f, self._zeros(f)) for f in families)

    def _zeros(self, family: tuple[Variable, ...]) -> Array:
        return np.zeros([v.cardinality for v in family]) if family else np.array(self.known or 0.0)


HEADROOM = 2**20
"""How much larger a scale may become where the records decide how the budget is shared: by the
square root of a count over a floor, of at most 2^40 in all."""


DRAWN = 2**24
"""Most cells of all tables of a release: minutes of drawing."""


@dataclass(frozen=True)
class Preview:
    """The measurements of a release with their exact budgets and scales.

    ``public`` says that they are the same whatever the records are. Otherwise only the cost is:
    how it is divided will depend on the noisy tables of the first stage. ``families`` are the
    tables that will be asked for. ``parts`` are what the phases of a method may cost that learns
    its graph, of ``rho`` where there is a δ; its tables are not known yet.
    """

    epsilon: Fraction
    delta: Fraction
    rho: Fraction | None
    cost: Fraction
    measurements: tuple[Measurement, ...]
    public: bool
    families: tuple[tuple[tuple[Variable, ...], ...], ...]
    parts: tuple[tuple[str, Fraction], ...] = ()


TYPICAL = 10_000
"""Records that a method is told of which learns its graph, where it is tried on zeros."""


class _Silence:
    """A drawer of zeros: nothing is known and nothing is drawn."""

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        return np.zeros(sum(cells), dtype=np.int64)

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        return counts

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        return int(np.argmin(gaps))


def nothing(method: str) -> Nothing:
    """No records for a method to be tried on; one that learns needs to be told of some."""
    return Nothing(TYPICAL if method_named(method).learns else None)


def releasable(method: str) -> None:
    """Refuse a method that cannot be released, in one sentence."""
    refused = method_named(method).refused
    if refused:
        able = ", ".join(name for name, m in (METHODS | LEARNERS).items() if not m.refused)
        raise EquipoiseError(f"{method!r} cannot be released: {refused}; choose one of {able}")


def delta_of(method: str, scenario: Scenario) -> Fraction:
    """δ of the method's guarantee: zero where it is pure."""
    has_delta = method_named(method).guarantee.has_delta
    return decimal(scenario.options.delta) if has_delta else Fraction(0)


@contextlib.contextmanager
def plannable(method: str) -> Iterator[None]:
    """Refuse knobs so extreme that arithmetic fails on them, in one sentence."""
    try:
        yield
    except EquipoiseError:
        raise
    except (ArithmeticError, ValueError) as problem:
        raise EquipoiseError(
            f"{method!r} cannot be planned with these knobs ({type(problem).__name__}: {problem}); "
            "choose less extreme ones"
        ) from problem


def run(
    network: Network, source: CountSource, method: str, scenario: Scenario, meter: Fresh
) -> Release:
    """One run of a method with a meter's noise: the same code that is rehearsed."""
    return method_named(method).run(network, source, replace(scenario, replicates=1), rng=meter)


def preview(network: Network, method: str, scenario: Scenario) -> Preview:
    """What the release will measure; refused here if its parts do not fit the budget."""
    releasable(method)
    epsilon, delta = decimal(scenario.epsilon), delta_of(method, scenario)
    meter, source = Meter(epsilon, delta, scenario.neighbours, _Silence()), nothing(method)
    with plannable(method), np.errstate(all="ignore"):
        planned = run(network, source, method, scenario, meter)
    if not meter.measurements or planned.plan is None:
        raise EquipoiseError(f"{method!r} draws no noise, so it is not released")
    cells = sum(m.cells for m in meter.measurements if not m.is_choice)
    if cells > DRAWN:
        raise EquipoiseError(
            f"the tables of {method!r} have {cells:,} cells in all; at most {DRAWN:,} are drawn: "
            "drop edges or merge states"
        )
    public = planned.plan.parts.ndim == 1
    if not public and max(m.scale for m in meter.measurements) > LARGEST_SCALE / HEADROOM:
        raise EquipoiseError(
            f"{method!r} decides by the records how ε is shared, and at ε = {scenario.epsilon:g} a "
            "table could get nothing that can be measured; raise ε or β"
        )
    learns = method_named(method).learns
    asked = () if learns else tuple(dict.fromkeys(source.asked))
    parts = shares(method, scenario.neighbours) if learns else ()
    return Preview(
        epsilon,
        delta,
        meter.rho,
        meter.cost,
        tuple(meter.measurements),
        public,
        asked,
        tuple((name, meter.total * share) for name, share in parts),
    )
