"""Audit: what runs on neighbouring data have proven, against which claims, and with what power."""

from dataclasses import dataclass

from core.methods.registry import method_named
from core.notation import short
from core.privacy import Guarantee
from core.scenario import Scenario
from release.audit.claims import Claim, delta_of
from release.audit.planted import bugs_of


@dataclass(frozen=True)
class Part:
    """What one measured table proves, against the part of the budget that it is charged."""

    table: str
    claim: Claim
    lower_bound: float


@dataclass(frozen=True)
class Shown:
    """What one pair of data sets proves: of the whole release, and of each table that differs."""

    pair: str
    lower_bound: float
    tables: tuple[Part, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What is proven so far; ``done`` of ``total`` steps.

    ``tested`` is the claim that ``pairs`` are held against; ``half`` is what the same runs prove
    on a copy with half the noise. ``about`` says of which mechanism all this is.
    """

    method: str
    guarantee: Guarantee
    about: tuple[object, ...]
    scenario: Scenario
    tested: Claim
    confidence: float
    trials: int
    bug: str
    exact: bool
    pairs: tuple[Shown, ...] = ()
    half: tuple[Shown, ...] = ()
    done: int = 0
    total: int = 0
    seconds: float = 0.0

    @property
    def claimed(self) -> float:
        """The ε that the method claims, at its own δ."""
        return self.scenario.epsilon

    @property
    def delta(self) -> float:
        """The δ that the method claims; zero where it is pure."""
        return delta_of(self.method, self.scenario)

    @property
    def neighbours(self) -> str:
        """Which data sets count as neighbours."""
        return self.scenario.neighbours.value

    @property
    def learned(self) -> bool:
        """Whether the method learns its graph: then parts of ε are tested, not single tables."""
        return method_named(self.method).learns

    @property
    def lower_bound(self) -> float:
        """The ε that the method has at least at the δ tested, at the stated confidence."""
        return max((shown.lower_bound for shown in self.pairs), default=0.0)

    @property
    def violated(self) -> bool:
        """Whether the claim is proven wrong, of the whole or of a table's part."""
        return _broken(self.pairs, self.tested)

    @property
    def catches_half(self) -> bool | None:
        """Whether half the noise would have been caught; nothing where that was not run."""
        return _broken(self.half, self.tested) if self.half else None

    @property
    def verdict(self) -> str:
        """In one word: ``violated``, ``none found``, or ``unfinished`` after a stop."""
        if self.violated:
            return "violated"
        return "none found" if self.done == self.total else "unfinished"

    @property
    def power(self) -> str:
        """What finding nothing is worth, in one sentence; empty where it was not tried."""
        if self.catches_half is None:
            return ""
        if self.catches_half:
            return "The same runs catch a copy with half the noise."
        return (
            "The same runs do not catch a copy with half the noise: at this ε they would not "
            "have noticed a mistake of that size."
        )

    @property
    def where(self) -> str:
        """At which δ it is tested, and why not at the one claimed; empty where there is none."""
        if not self.delta:
            return ""
        if self.tested == Claim(self.claimed, self.delta):
            return f"tested at δ = {short(self.delta, 6)}"
        return (
            f"tested at δ = {short(self.tested.delta)}, where the same noise allows "
            f"ε = {self.tested.epsilon:.3f}, because {self.trials:,} runs cannot see "
            f"δ = {short(self.delta, 6)}"
        )

    @property
    def sentence(self) -> str:
        """In words: the claim, the proof, the verdict, and what it is worth."""
        what = self.method
        if self.bug:
            what += f" with {bugs_of(self.method)[self.bug].title}"
        at = f" at δ = {short(self.tested.delta)}" if self.delta else ""
        proof = (
            f"{self.trials:,} runs on each of {len(self.pairs)} pairs of neighbours prove "
            f"ε of at least {self.lower_bound:.3f}{at} at {100 * self.confidence:g} % confidence"
        )
        if not self.guarantee.private:
            return (
                f"{what} claims nothing, and fails by design: {proof}, where {self.claimed:g} was "
                "asked for."
            )
        claim = f"ε = {self.claimed:g}"
        if self.delta:
            claim += f" at δ = {short(self.delta, 6)}, {self.where}"
        return f"{what} claims {claim}; {proof}: {self._ending} {self.power}".strip()

    @property
    def _ending(self) -> str:
        if not self.violated:
            return "no violation is found."
        worst = max(
            (part for shown in self.pairs for part in shown.tables),
            key=lambda part: part.lower_bound - part.claim.epsilon,
            default=None,
        )
        if self.lower_bound > self.tested.epsilon or worst is None:
            return "the claim is broken."
        named = worst.table if self.learned else f"the table of {worst.table}"
        return (
            f"{named} is charged {worst.claim.epsilon:.3f} and costs at least "
            f"{worst.lower_bound:.3f}, so the claim is broken."
        )


def _broken(pairs: tuple[Shown, ...], tested: Claim) -> bool:
    return any(
        shown.lower_bound > tested.epsilon
        or any(part.lower_bound > part.claim.epsilon for part in shown.tables)
        for shown in pairs
    )
