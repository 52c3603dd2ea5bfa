"""Line: one check, its state, its number and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.membership.guardrails import Guardrail

State = Literal["pass", "fail", "note"]

Basis = Literal["public", "stated", "ledger", "measured", "study"]
"""What a line is computed from; a ``study`` line looks at the rows and stays unpublished."""


@dataclass(frozen=True)
class Line:
    """One check: ``number`` with its unit, a sentence without full stop, and what to do.

    A line that failed blocks the release unless ``reason`` says why it may pass; a ``final`` one
    always blocks.
    """

    key: str
    title: str
    state: State
    number: str
    sentence: str
    advice: str = ""
    basis: Basis = "public"
    final: bool = False
    reason: str = ""

    @property
    def blocks(self) -> bool:
        """Whether the release has to wait for this line."""
        return self.state == "fail" and not self.reason


def study_lines(rails: tuple[Guardrail, ...]) -> tuple[Line, ...]:
    """Guardrails of Risk as lines, for the steward's eyes. Computed from the exact counts."""
    return tuple(
        Line(
            f"study-{rail.key}",
            rail.finding,
            "note" if rail.state != "fine" else "pass",
            rail.finding,
            rail.rest,
            rail.advice,
            basis="study",
        )
        for rail in rails
    )
