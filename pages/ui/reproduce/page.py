"""What Reproduce shows: all items with their verdicts, and one of them opened."""

from __future__ import annotations

import streamlit as st

from core.reproduce.documents import Document
from core.reproduce.papers import PAPERS, TITLES, item_of
from pages.ui.kit import jobs
from pages.ui.kit.markdown import literal
from pages.ui.kit.progress import watched
from pages.ui.kit.sheet import stacked
from pages.ui.kit.state import KEEP
from pages.ui.reproduce import words as say
from pages.ui.reproduce.numbers import JOB, Place, documents, start, start_all
from pages.ui.reproduce.views import view
from release.reproduced import ALL, shipped

TABLE = "reproduce_table"
CHOSEN = "reproduce_item"
WIDE = st.column_config.TextColumn(width="medium")


def page() -> None:
    """Draw it."""
    st.caption(say.ABOUT)
    papers = (ALL, *PAPERS)
    paper = st.segmented_control(
        "Paper", papers, default=ALL, key="reproduce_paper", required=True, **KEEP
    )
    if paper != ALL:
        st.caption(literal(TITLES[paper]))
    rows = documents(paper)
    st.markdown(f"**{literal(say.finding(rows.values()))}**")
    st.button(
        "Run all again", key="reproduce_all", disabled=_busy(), on_click=start_all, args=(paper,),
        help="every item on show in its quick size, on all cores: minutes",
    )  # fmt: skip
    watched(JOB, "Measuring", _counted(), key="reproduce_job")
    places = list(rows)
    _table(places, list(rows.values()))
    place = st.selectbox(
        "Item (or choose a row above)",
        places,
        key=CHOSEN,
        format_func=lambda p: f"{p[1]}  {rows[p]['title']}" if p in rows else p[1],
    )
    if place is not None:
        _item(place, rows[place])


def _table(places: list[Place], rows: list[Document]) -> None:
    def choose() -> None:
        picked = st.session_state[TABLE].selection.rows
        if picked:
            st.session_state[CHOSEN] = places[picked[0]]

    st.dataframe(
        {
            "item": [row["item"] for row in rows],
            "what": [row["title"] for row in rows],
            "verdict": [say.verdict(row) for row in rows],
            "printed": [say.printed(row) for row in rows],
            "ours ± half of the 95 % interval": [say.ours(row) for row in rows],
            "seconds": [row.get("seconds") for row in rows],
            "size": [say.size(row) for row in rows],
            "date": [row.get("made", "") for row in rows],
            "claim": [row["claim"] for row in rows],
        },
        hide_index=True,
        width="stretch",
        height=min(420, 38 * (len(rows) + 1)),
        column_config={"printed": WIDE, "ours ± half of the 95 % interval": WIDE},
        key=TABLE,
        on_select=choose,
        selection_mode="single-row",
        alt="Every item with its verdict.",
    )


def _item(place: Place, document: Document) -> None:
    paper, key = place
    item = item_of(paper, key)
    st.subheader(f"{literal(key)} {literal(item.title)}", anchor=False)
    st.markdown(f"**{literal(say.verdict(document))}.** {literal(document['why'])}")
    st.markdown(f"*Claim:* {literal(document['claim'])}")
    for note in document["notes"]:
        st.caption(literal(note))
    if document["readings"]:
        with st.expander(f"{len(document['readings']):d} readings or parts, each with its verdict"):
            names, verdicts, reasons = zip(*document["readings"], strict=True)
            st.table({"reading": names, "verdict": verdicts, "why": reasons})
    _again(place, document)
    if any(row["value"] is not None for row in document["ours"]):
        readings = list(dict.fromkeys(row["reading"] for row in document["ours"]))
        reading = readings[0]
        if len(readings) > 1:
            reading = st.selectbox("Reading", readings, key=f"reproduce_reading_{key}")
        stacked(view(document, reading)).mount(key="reproduced")


def _busy() -> bool:
    job = jobs.current(JOB)
    return job is not None and job.alive


def _counted() -> str:
    """What the bar counts: items of a whole run, steps of one item."""
    job = jobs.current(JOB)
    return "items" if job is not None and job.key == ALL else "steps"


def _again(place: Place, document: Document) -> None:
    paper, key = place
    item = item_of(paper, key)
    if item.work is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        for title, full in (("Run again", False), ("Run in full", True)):
            kept = shipped(paper, item, full=full)
            told = "" if kept is None else f"about {kept['seconds']:.0f} s"
            st.button(
                title, key=f"reproduce_{'full' if full else 'again'}", disabled=_busy(), help=told,
                on_click=start, args=(paper, item), kwargs={"full": full},
            )  # fmt: skip
        if "made" in document:
            st.caption(literal(
                f"{say.size(document)}, seed {document['seed']}, version {document['version']}, "
                f"{document['made']}, {document['seconds']:g} s of processor time"
            ))  # fmt: skip
