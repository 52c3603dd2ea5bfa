"""An item and what came out of it as one JSON document; what changes from run to run comes last.

Numbers are written to ten significant digits: the same on every machine, and all that matters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from core.reproduce.item import Finding, Inquiry, Item, Judged, Verdict

DIGITS = 10
NOTHING = 1e-13
CHANGING = ("seconds", "made")
"""Keys whose values differ between two runs of the same command."""

Document = dict[str, Any]


def rounded(number: float) -> float | None:
    """To ten significant digits, rounding errors as zero; none for what JSON lacks."""
    if not math.isfinite(number):
        return None
    return 0.0 if abs(number) < NOTHING else float(f"{number:.{DIGITS}g}")


def described(paper: str, item: Item) -> Document:
    """What is known of an item before it is run."""
    return {
        "paper": paper,
        "item": item.key,
        "title": item.title,
        "source": item.source,
        "claim": item.claim,
        "setting": item.setting,
        "published": [p._asdict() for p in item.published],
        "rule": item.rule,
        "timed": item.timed,
    }


def untested(item: Item, reason: str = "") -> Finding:
    """What is said of an item that cannot be run here."""
    return Finding((), Judged(Verdict.UNTESTED, item.blocked or reason))


def document(paper: str, item: Item, inquiry: Inquiry, finding: Finding) -> Document:
    """All of it but the time that it took."""
    return {
        **described(paper, item),
        "ours": [_row(dict(reading._asdict())) for reading in finding.ours],
        "verdict": str(finding.judged.verdict),
        "why": finding.judged.why,
        "readings": [list(part) for part in finding.judged.parts],
        "notes": list(finding.notes),
        "command": command(paper, item.key, inquiry),
        "seed": inquiry.seed,
    }


def _row(reading: Document) -> Document:
    numbers = {key: rounded(reading[key]) for key in ("value", "low", "high")}
    return {**reading, **numbers}


def command(paper: str, key: str, inquiry: Inquiry) -> str:
    """The line that makes it again."""
    line = f"python cli.py reproduce {paper} --item {key}"
    line += " --full" if inquiry.full else ""
    return line if inquiry.seed == 0 else f"{line} --seed {inquiry.seed}"


def lasting(kept: Mapping[str, Any]) -> Document:
    """A document without what changes from run to run: equal for equal seeds, digit for digit."""
    return {key: value for key, value in kept.items() if key not in CHANGING}
