"""An item and what came out of it as one JSON document; what changes from run to run comes last.

Numbers are written to ten significant digits: the same on every machine, and all that matters.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from core.reproduce.item import Finding, Inquiry, Item

DIGITS = 10
NOTHING = 1e-13
CHANGING = ("version", "seconds", "made")
"""Keys whose values differ between two runs of the same command."""

MEASURED = ("verdict", "why", "readings", "notes", "command", "seed", *CHANGING)
COLUMNS = ("reading", "what", "value", "low", "high", "replicates")

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
        "published": [{"what": what, "value": told} for what, told in item.published.items()],
        "rule": item.rule,
        "timed": item.timed,
    }


def document(paper: str, item: Item, inquiry: Inquiry, finding: Finding) -> Document:
    """All of it but the time that it took."""
    ours = []
    readings = list(dict.fromkeys(own.reading for own in finding.ours))
    for own in sorted(finding.ours, key=lambda row: readings.index(row.reading)):
        numbers = {key: rounded(getattr(own, key)) for key in ("value", "low", "high")}
        ours.append({**own._asdict(), **numbers})
    return {
        **described(paper, item),
        "ours": ours,
        "verdict": str(finding.judged.verdict),
        "why": finding.judged.why,
        "readings": [[name, str(verdict), why] for name, verdict, why in finding.judged.parts],
        "notes": [*finding.notes, *item.notes],
        "command": command(paper, item.key, inquiry),
        "seed": inquiry.seed,
    }


def command(paper: str, key: str, inquiry: Inquiry) -> str:
    """The line that makes it again."""
    line = f"python cli.py reproduce {paper} --item {key}"
    line += " --full" if inquiry.full else ""
    return line if inquiry.seed == 0 else f"{line} --seed {inquiry.seed}"


def packed(documents: Sequence[Document]) -> str:
    """Results as a file: a line for each item, numbers by reading, without what the item says."""
    lines = []
    for kept in documents:
        ours: dict[str, list[list[Any]]] = {}
        for row in kept["ours"]:
            short = [row["what"], row["value"]]
            if not row["low"] == row["value"] == row["high"] or row["replicates"] != 1:
                short += [row["low"], row["high"], row["replicates"]]
            ours.setdefault(row["reading"], []).append(short)
        own = {"paper": kept["paper"], "item": kept["item"], "ours": ours,
               **{key: kept[key] for key in MEASURED}}  # fmt: skip
        lines.append(json.dumps(own, ensure_ascii=False, separators=(",", ":")))
    return '{"items":[\n' + ",\n".join(lines) + "\n]}\n"


def unpacked(
    kept: Document, item_of: Callable[[str, str], Item]
) -> dict[tuple[str, str], Document]:
    """The documents of such a file, by paper and item."""
    every = {}
    for own in kept["items"]:
        ours = []
        for reading, rows in own["ours"].items():
            for what, value, *more in rows:
                ends = more or (value, value, 1)
                ours.append(dict(zip(COLUMNS, (reading, what, value, *ends), strict=True)))
        about = described(own["paper"], item_of(own["paper"], own["item"]))
        measured = {key: own[key] for key in MEASURED}
        every[own["paper"], own["item"]] = {**about, "ours": ours, **measured}
    return every
