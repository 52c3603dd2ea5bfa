"""Texts of page Reproduce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.notation import short
from core.reproduce.documents import Document
from core.reproduce.item import Verdict

ABOUT = (
    "Every figure, table, theorem and claim of the four papers that can run here. A verdict is "
    "computed from the numbers by the rule that the item states; where a paper can be read in "
    "several ways each is tried, and the kindest counts."
)
SIGNS = {
    Verdict.REPRODUCES: "●",
    Verdict.HOLDS: "●",
    Verdict.PARTLY: "◐",
    Verdict.FAILS: "○",
    Verdict.VIOLATED: "○",
    Verdict.UNTESTED: "–",
}


def finding(documents: Iterable[Document]) -> str:
    """How many items have which verdict."""
    verdicts = [document["verdict"] for document in documents]
    counts = Counter(verdicts)
    told = [f"{counts[v]} {v}" for v in map(str, Verdict) if counts[v]]
    left = sum(n for verdict, n in counts.items() if verdict not in set(map(str, Verdict)))
    return f"{len(verdicts)} items: {', '.join(told)}" + (f", {left} not run yet." if left else ".")


def verdict(document: Document) -> str:
    """With a sign that does not need colour."""
    told = document["verdict"]
    return f"{SIGNS[Verdict(told)]} {told}" if told in set(map(str, Verdict)) else told


def printed(document: Document) -> str:
    """What the paper prints, shortened."""
    told = [f"{p['what']}: {p['value']}" for p in document["published"][:2]]
    more = len(document["published"]) - len(told)
    return "; ".join(told) + (f"; {more} more" if more > 0 else "") or "in words only"


def ours(document: Document) -> str:
    """The first numbers of ours with half of their interval."""
    rows = [row for row in document["ours"] if row["value"] is not None]
    told = [f"{row['what']}: {_number(row)}" for row in rows[:2]]
    more = len(rows) - len(told)
    return "; ".join(told) + (f"; {more} more" if more > 0 else "")


def _number(row: Document) -> str:
    if row["low"] is None or row["high"] is None or row["low"] == row["high"]:
        return short(row["value"], 3)
    return f"{short(row['value'], 3)} ± {short((row['high'] - row['low']) / 2, 2)}"


def size(document: Document) -> str:
    """Whether the paper's own number of repetitions was run."""
    return "full" if "--full" in document.get("command", "") else "quick"
