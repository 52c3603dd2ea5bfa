"""Papers run again, and the results that are shipped: one door for the page and the shell."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from core.reproduce.documents import Document, described, document, untested
from core.reproduce.item import Finding, Inquiry, Item, Steps
from core.reproduce.papers import PAPERS, item_of, items_of
from release.house import FOLDER, House
from release.versions import versions

ALL = "all"
SHIPPED = Path(__file__).parent.parent / "docs" / "reproduced"
"""Folder of the results that come with the house: ``quick.json`` and ``full.json``."""


UNRUN: Document = {"verdict": "not run yet", "why": "", "ours": [], "readings": [], "notes": []}


def chosen(paper: str, key: str | None) -> list[tuple[str, Item]]:
    """The items of a paper, one of them, or those of all papers."""
    if key is not None:
        return [(paper, item_of(paper, key))]
    papers = PAPERS if paper == ALL else (paper,)
    return [(name, item) for name in papers for item in items_of(name)]


def inquiry(*, full: bool, seed: int) -> Inquiry:
    """How items are run here."""
    return Inquiry(House(), full, seed)


def steps_of(item: Item, asked: Inquiry) -> Steps:
    """The work of an item; one that cannot be done here says so."""
    if item.run is None:
        return _nothing(untested(item))
    if item.data and asked.laboratory.rows(item.data) is None:
        reason = f"needs the table {item.data}: put it into a folder and name that in {FOLDER}"
        return _nothing(untested(item, reason))
    return item.run(asked)


def _nothing(finding: Finding) -> Steps:
    yield 1
    return finding


def running(
    paper: str, item: Item, asked: Inquiry, keep: Callable[[Document], None]
) -> Iterator[int]:
    """The work step by step, each yielding how many there are; the document is kept at the end."""
    began = time.thread_time()
    finding = yield from steps_of(item, asked)
    keep(
        {
            **document(paper, item, asked, finding),
            "version": versions()[0][1],
            "seconds": round(time.thread_time() - began, 2),
            "made": datetime.now(UTC).date().isoformat(),
        }
    )


def reproduce(
    paper: str,
    item: Item,
    asked: Inquiry,
    progress: Callable[[int, int], None] | None = None,
) -> Document:
    """One item, run to its end. ``seconds`` are those of the processor."""
    documents: list[Document] = []
    for done, total in enumerate(running(paper, item, asked, documents.append), start=1):
        if progress is not None:
            progress(min(done, total), total)
    return documents[0]


@functools.cache
def _read(name: str) -> dict[tuple[str, str], Document]:
    path = SHIPPED / name
    if not path.exists():
        return {}
    items = json.loads(path.read_text(encoding="utf-8"))["items"]
    return {(kept["paper"], kept["item"]): kept for kept in items}


def shipped(paper: str, item: Item, *, full: bool | None = None) -> Document | None:
    """The result that comes with the house: the full one if there is, unless asked otherwise."""
    names = {None: ("full.json", "quick.json"), True: ("full.json",), False: ("quick.json",)}[full]
    kept = (_read(name).get((paper, item.key)) for name in names)
    return next((one for one in kept if one is not None), None)


def listed(paper: str) -> list[Document]:
    """Every item as it stands: what is shipped, or what is known before a run."""
    rows = []
    for name, item in chosen(paper, None):
        kept = shipped(name, item)
        rows.append({**described(name, item), **UNRUN} if kept is None else kept)
    return rows
