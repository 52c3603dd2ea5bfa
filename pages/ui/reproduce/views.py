"""The picture and the table of one item."""

from __future__ import annotations

from core.reproduce.documents import Document
from figures.readings import MOST, MeasuredRow, reading_figure
from figures.template import Figure
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view

COLUMNS = ("reading", "what", "value", "low", "high", "replicates")


def view(document: Document, reading: str) -> View:
    """Measured and printed numbers of one reading; the table has all."""
    every = [row for row in document["ours"] if row["value"] is not None]
    rows = [row for row in every if row["reading"] == reading]
    count = len({row["reading"] for row in every})
    key = f"{document['paper']} {document['item']}"
    words = Words(
        title=f"{document['item']}: {document['title']}",
        subtitle=f"{reading}, one of {count}; dots with 95 % intervals are measured here, diamonds "
        "are printed",
        caption=""
        if len(rows) <= MOST
        else f"The first {MOST} rows of a reading; the CSV has all.",
        alt=f"{len(rows)} numbers of {document['title']}; verdict {document['verdict']}.",
        details=(
            ("Rule", document["rule"]),
            ("Setting", document["setting"]),
            ("Source", f"{document['paper']}: {document['source']}"),
            ("Command line", document["command"]),
        ),
        file=f"equipoise-{key.replace(' ', '-').lower()}.csv",
    )
    table = {column: [row[column] for row in document["ours"]] for column in COLUMNS}
    return figure_view("readings", words, {reading: _figure(document, rows)}, table)


def _figure(document: Document, rows: list[Document]) -> Figure:
    own = [MeasuredRow(row["what"], row["value"], *_ends(row)) for row in rows]
    told = {
        p["what"]: float(p["value"])
        for p in document["published"]
        if not isinstance(p["value"], str)
    }
    return reading_figure(own, told, revision=document["item"])


def _ends(row: Document) -> tuple[float, float]:
    low, high = row["low"], row["high"]
    return (row["value"] if low is None else low, row["value"] if high is None else high)
