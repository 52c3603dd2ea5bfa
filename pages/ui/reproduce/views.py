"""The picture and the table of one item."""

from __future__ import annotations

from core.reproduce.documents import Document
from figures.readings import MOST, MeasuredRow, reading_figure
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view

COLUMNS = ("reading", "what", "value", "low", "high", "replicates")


def view(document: Document, reading: str) -> View:
    """Measured and printed numbers of one reading; the table has all."""
    every = [row for row in document["ours"] if row["value"] is not None]
    rows = [row for row in every if row["reading"] == reading]
    count = len({row["reading"] for row in every})
    key = f"{document['paper']} {document['item']}"
    told = beside(document, rows)
    words = Words(
        title=f"{document['item']}: {document['title']}",
        subtitle=_subtitle(reading, count, rows[:MOST], told),
        caption=""
        if len(rows) <= MOST
        else f"The first {MOST} of {len(rows)} rows; the CSV has all.",
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
    own = [MeasuredRow(row["what"], row["value"], *_ends(row)) for row in rows]
    figure = reading_figure(own, told, revision=document["item"])
    return figure_view("readings", words, {reading: figure}, table)


def _subtitle(reading: str, count: int, rows: list[Document], told: dict[str, float]) -> str:
    """The reading, and what the marks are that this picture has."""
    ranged = any(row["low"] != row["high"] for row in rows)
    marks = f"dots{' with 95 % intervals' if ranged else ''} are measured here"
    marks += ", diamonds are printed" if any(row["what"] in told for row in rows) else ""
    return f"{reading}{f', one of {count} readings' if count > 1 else ''}; {marks}"


def beside(document: Document, rows: list[Document]) -> dict[str, float]:
    """What the paper prints, row by row; a number without a row of its own is told for all parts.

    A limit "parameters, L1" stands beside "parameters, L1, alarm", a ratio beside every row that
    ends in it.
    """
    printed = {p["what"]: p["value"] for p in document["published"]}
    told = {}
    for row in rows:
        what = row["what"]
        fits = [v for p, v in printed.items()
                if what == p or what.startswith(f"{p}, ") or what.endswith(f": {p}")]  # fmt: skip
        if len(fits) == 1 and not isinstance(fits[0], str):
            told[what] = float(fits[0])
    return told


def _ends(row: Document) -> tuple[float, float]:
    low, high = row["low"], row["high"]
    return (row["value"] if low is None else low, row["value"] if high is None else high)
