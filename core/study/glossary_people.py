"""Words of a release: anchor -> (name, meaning, where it is from)."""

from __future__ import annotations

OURS = "This project"

PEOPLE: dict[str, tuple[str, str, str]] = {
    "study": (
        "study",
        "Numbers that compare with the truth, to learn from; not for publication.",
        OURS,
    ),
    "look": (
        "look at the exact rows",
        "One distinct question (method, graph, every knob) whose error a study measures on the "
        "private rows; asked again, also after a reload, it is the same look.",
        OURS,
    ),
    "rehearsal": (
        "rehearsal",
        "A release on public stand-in records: it spends nothing and shows what would be written.",
        OURS,
    ),
    "release": (
        "release",
        "Noise is drawn once from the operating system's randomness, ε is spent for good, and the "
        "result may be published.",
        OURS,
    ),
    "stand-in": (
        "stand-in",
        "Public records that play the private ones in a rehearsal.",
        OURS,
    ),
    "ledger": (
        "ledger",
        "The file that records every payment from a data set's budget; nothing in it is undone.",
        OURS,
    ),
    "token": (
        "token",
        "The mark of one click, so that a double click or a retry pays once.",
        OURS,
    ),
    "receipt": (
        "receipt",
        "Number and digest of the ledger's entry that paid for a release.",
        OURS,
    ),
    "dossier": (
        "dossier",
        "The document that reviewers read: what was asked, checked, spent and overridden.",
        OURS,
    ),
    "check": (
        "check",
        "A line of the review that passes, fails, or is overridden with a reason.",
        OURS,
    ),
    "override": (
        "override",
        "A failed check that a person accepts with a reason, printed in the dossier.",
        OURS,
    ),
    "audit": (
        "audit",
        "A method is run many times on neighbouring data to bound its real ε from below: finding "
        "no violation is no proof of privacy.",
        OURS,
    ),
    "planted-bug": (
        "planted bug",
        "A method with a known mistake that an audit must catch.",
        OURS,
    ),
    "schema": (
        "schema",
        "The public list of columns with their states or bin edges; read off the records it would "
        "not be private.",
        OURS,
    ),
    "steward": (
        "steward",
        "The person who answers for the data and orders a release.",
        OURS,
    ),
}
