"""Results on show: those of this session's runs, else those that are shipped."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.parallel import cores
from core.reproduce.documents import Document
from core.reproduce.item import Item
from pages.ui.kit import jobs
from release.reproduced import ALL, chosen, inquiry, listed, reproducing, running

JOB = "reproduce"
LONGEST = 1800.0
"""Seconds that a run may take."""

Place = tuple[str, str]
"""(paper, item)."""


def kept() -> dict[Place, Document]:
    """What was run in this session."""
    runs: dict[Place, Document] = st.session_state.setdefault("reproduce_runs", {})
    return runs


def documents(paper: str) -> dict[Place, Document]:
    """Every item of a paper, or of all, as it stands."""
    own = kept()
    places = [((d["paper"], d["item"]), d) for d in listed(paper)]
    return {place: own.get(place, document) for place, document in places}


def start(paper: str, item: Item, *, full: bool) -> None:
    """Run an item in the background; its result is kept in the session."""
    asked, own = inquiry(full=full, seed=0), kept()

    def keep(document: Document) -> None:
        own[paper, item.key] = document

    def work() -> Iterator[int]:
        return running(paper, item, asked, keep)

    jobs.start(JOB, (paper, item.key, full), 1, work, seconds=LONGEST)


def start_all(paper: str) -> None:
    """Run the quick size of every item of a paper, or of all, on all cores."""
    wanted, own = chosen(paper, None), kept()

    def work() -> Iterator[int]:
        for group in reproducing(wanted, full=False, seed=0, workers=cores(), shortest=True):
            for document in group:
                own[document["paper"], document["item"]] = document
                yield len(wanted)

    jobs.start(JOB, ALL, len(wanted), work, seconds=LONGEST)
