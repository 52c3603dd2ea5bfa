"""Checklist: what a release must meet, computed and not ticked.

Every line is a function of the proposal: of public facts, of what the steward states and of the
ledger. None looks at the rows, so the whole list may be published. A line that fails blocks the
release until the steward writes down why it may pass; some may not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

from core.errors import EquipoiseError
from release.review.checks_data import bins, domain, known, missing, records, unit
from release.review.checks_plan import audited, budget, guarantee, plan, rehearsed, risk, usual
from release.review.checks_use import accepted, error, groups
from release.review.facts import ORIGINS, Basis, Facts, Line, State
from release.review.proposal import Proposal
from release.words import counted, in_words


def structure(proposal: Proposal) -> Line:
    """Whether the graph is given, or was paid for."""
    facts = proposal.facts
    number = counted(len(facts.network.edges), "edge")
    if facts.structure == "learned":
        number = "to be learned"
    state, more, advice = _told(facts)
    sentence = f"{ORIGINS[facts.structure]}{more}"
    read_off = facts.public or facts.structure in ("edited", "rehearsed")
    basis: Basis = "public" if read_off else "stated"
    if facts.structure in ("learned", "released"):
        basis = "ledger"
    return Line("structure", "Graph is public", state, number, sentence, advice, basis=basis)


def _told(facts: Facts) -> tuple[State, str, str]:
    """State, what else is to say, and what to do."""
    named = f" (ε = {facts.structure_epsilon:g} named)" if facts.structure_epsilon else ""
    answers: dict[str, tuple[State, str, str]] = {
        "given": ("pass", "", ""),
        "learned": (
            "pass",
            ": every choice is drawn exactly from fresh entropy and paid for before",
            "",
        ),
        "released": ("pass", f" ({facts.learned_by}, which the ledger has charged)", ""),
        "private": (
            "pass",
            f" with ε = {facts.structure_epsilon:g}, which the ledger is charged once",
            "",
        ),
        "unstated": (
            "fail",
            "",
            "State whether the graph was known without the records, or learned from them and how.",
        ),
        "edited": (
            "fail",
            ", next to errors computed from the rows",
            "Publish the given graph, or write from which knowledge outside the rows the edits "
            "come.",
        ),
        "rows": (
            "fail",
            ": an edge can be there because of one person, and no noise hides it",
            "Learn the graph privately, give one known without the rows, or write why this one "
            "may be shown.",
        ),
        "rehearsed": (
            "fail",
            f"{named}: a rehearsal is not private, because its seed is known and its ε is in no "
            "ledger",
            "Give a graph known without the rows, or write why this one may be shown.",
        ),
    }
    return answers[facts.structure]


CHECKS: tuple[Callable[[Proposal], Line], ...] = (
    *(domain, bins, structure, missing, records, unit),
    *(guarantee, plan, usual, budget, risk, error, groups, rehearsed, audited),
)
"""Every check, in the order in which a reviewer reads."""

REASON_LIMIT = 1000
"""Most characters of a written reason."""

REASON_LEAST = 15
"""Fewest: a reader of the dossier has to understand it, and "x" says nothing."""

NAME_LIMIT = 80
"""Most characters of the name under a reason."""

Verdict = Literal["pass", "fail", "overridden"]


@dataclass(frozen=True)
class Checklist:
    """All lines of one review."""

    lines: tuple[Line, ...]

    @property
    def open(self) -> tuple[Line, ...]:
        """Lines that block: failed, and no reason is written."""
        return tuple(line for line in self.lines if line.blocks)

    @property
    def overridden(self) -> tuple[Line, ...]:
        """Lines that failed and pass for a written reason."""
        return tuple(line for line in self.lines if line.reason)

    @property
    def verdict(self) -> Verdict:
        """What all lines say together."""
        return "fail" if self.open else "overridden" if self.overridden else "pass"

    @property
    def counted(self) -> str:
        """How many pass, have a remark, pass for a reason, fail: each kind counted for itself."""
        whole = len(self.lines)
        ticks = sum(line.state == "pass" for line in self.lines)
        remarks = sum(line.state == "note" for line in self.lines)
        if ticks == whole:
            return f"All {whole} checks pass"
        verb = "passes" if ticks == 1 else "pass"
        parts = [f"{in_words(ticks).capitalize()} of {whole} checks {verb}"]
        for number, one, many in (
            (remarks, "has a remark", "have a remark"),
            (len(self.overridden), "passes for a written reason", "pass for a written reason"),
            (len(self.open), "fails", "fail"),
        ):
            if number:
                parts.append(f"{in_words(number)} {one if number == 1 else many}")
        return ", ".join(parts)

    @property
    def sentence(self) -> str:
        """What all lines say together, in words."""
        if self.open:
            first, keys = self.open[0], ", ".join(line.key for line in self.open)
            return f"{self.counted} ({keys}): {first.sentence}. {first.advice}"
        titles = ", ".join(line.title.lower() for line in self.overridden)
        return f"{self.counted} ({titles})." if titles else f"{self.counted}."

    def override(self, key: str, reason: str, signed: str) -> Checklist:
        """The same list with one failed line passed for a signed reason, which is recorded."""
        text = f"{check_reason(reason)} (signed: {check_signed(signed)})"
        line = next((line for line in self.lines if line.key == key), None)
        if line is None or line.state != "fail":
            raise EquipoiseError(
                f"the check {key!r} has not failed, so there is nothing to override; "
                f"failed: {', '.join(one.key for one in self.open) or 'none'}"
            )
        if line.final:
            raise EquipoiseError(
                f"the check {key!r} cannot be overridden: {line.sentence}. {line.advice}"
            )
        changed = (replace(one, reason=text) if one is line else one for one in self.lines)
        return Checklist(tuple(changed))

    def override_all(self, reason: str, signed: str) -> Checklist:
        """The same list with every line that may be overridden passed for one reason."""
        keys = (line.key for line in self.open if not line.final)
        return reduce(lambda done, key: done.override(key, reason, signed), keys, self)


def check_reason(reason: str) -> str:
    """A written reason without surrounding space; a blank, wordless or short one is refused."""
    text = " ".join(reason.split())
    if not any(character.isalpha() for character in text):
        raise EquipoiseError("the reason for an override is blank; write why the check may pass")
    if len(text) < REASON_LEAST or len(text.split()) < 3:
        raise EquipoiseError(
            f"the reason for an override is {text!r}, too short for whoever reads the dossier; "
            f"write a sentence, three words and {REASON_LEAST} characters at least, that says why "
            "the check may pass"
        )
    if len(text) > REASON_LIMIT:
        raise EquipoiseError(
            f"the reason for an override has {len(text):,} characters; at most "
            f"{REASON_LIMIT:,} are kept, so shorten it"
        )
    return text


def check_signed(name: str) -> str:
    """The name of who gives a reason; a reader of the dossier may want to ask."""
    text = " ".join(name.split())
    if sum(character.isalpha() for character in text) < 2 or len(text) > NAME_LIMIT:
        raise EquipoiseError(
            f"the reason for an override is signed {text[:NAME_LIMIT]!r}; write the name of who "
            f"gives it, two letters and at most {NAME_LIMIT} characters"
        )
    return text


def review(proposal: Proposal) -> Checklist:
    """Every check of a proposal, and what is stated about tables. Looks at no row."""
    lines = [check(proposal) for check in CHECKS]
    stated = (known(proposal), accepted(proposal))
    return Checklist((*lines, *(line for line in stated if line is not None)))
