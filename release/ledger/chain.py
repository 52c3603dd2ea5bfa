"""The chain of entries: each holds the digest of the one before, so that none can be changed.

An entry's text is canonical JSON; its digest is the SHA-256 of the text. Whoever can write the
file can also rewrite the whole chain from some entry on, or cut its end and correct the head:
only a receipt kept elsewhere (the dossier holds one) shows that.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from release.published import Receipt

GENESIS = "0" * 64

UNSEEN = (
    "a person who can write the file could also rewrite it from some entry to its end; only "
    "receipts kept elsewhere, such as in a dossier, show that"
)


@dataclass(frozen=True)
class Stored:
    """An entry as the file holds it."""

    number: int
    digest: str
    text: str


@dataclass(frozen=True)
class Verification:
    """Whether the ledger is as it was written; ``problems`` say what is not, in sentences."""

    entries: int
    head: str
    problems: tuple[str, ...]
    unseen: str = UNSEEN

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.problems


def canonical(value: object) -> str:
    """JSON text that is the same for the same value: sorted keys, no blanks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def chained(number: int, previous: str, facts: dict[str, Any]) -> Stored:
    """A new entry behind ``previous``."""
    text = canonical({"number": number, "previous": previous, **facts})
    return Stored(number, hashlib.sha256(text.encode()).hexdigest(), text)


def opened(stored: Stored) -> dict[str, Any]:
    """What an entry says, with its digest."""
    entry: dict[str, Any] = json.loads(stored.text)
    return {**entry, "digest": stored.digest}


def broken(entries: Sequence[Stored], head: Receipt, receipts: Sequence[Receipt]) -> list[str]:
    """Sentences about entries that are not as they were written."""
    problems, previous = [], GENESIS
    for place, entry in enumerate(entries, start=1):
        problem = _problem(entry, place, previous)
        if problem:
            problems.append(f"entry {place} {problem}")
        previous = entry.digest
    if (len(entries), previous) != (head.number, head.digest):
        problems.append(
            f"the last entry should be number {head.number} and is number {len(entries)} or "
            "another one: the end is missing or was changed"
        )
    digests = {entry.number: entry.digest for entry in entries}
    problems += [
        f"entry {receipt.number} is not the one that receipt {receipt.digest[:12]} was given for"
        for receipt in receipts
        if digests.get(receipt.number) != receipt.digest
    ]
    return problems


def _problem(entry: Stored, place: int, previous: str) -> str:
    if entry.number != place:
        return f"is missing: number {entry.number} stands in its place"
    if hashlib.sha256(entry.text.encode()).hexdigest() != entry.digest:
        return "was changed: its text does not give its digest"
    try:
        facts = json.loads(entry.text)
        fits = facts["number"] == place and facts["previous"] == previous
    except (ValueError, KeyError, TypeError, RecursionError):
        return "was changed: it is not an entry"
    return "" if fits else "was changed or moved: it does not follow the entry before it"
