"""What Reproduce shows: all items with their verdicts, as run here or shipped; one is opened."""

from collections import Counter
from collections.abc import Iterable, Iterator

import streamlit as st

from core.notation import short
from core.parallel import cores
from core.reproduce.documents import Document
from core.reproduce.item import Item, Verdict
from core.reproduce.papers import PAPERS, TITLES, item_of
from figures.readings import MOST, MeasuredRow, reading_figure
from pages.ui.kit import jobs
from pages.ui.kit.markdown import literal
from pages.ui.kit.messages import View
from pages.ui.kit.progress import watched
from pages.ui.kit.sheet import Words, figure_view, stacked
from pages.ui.kit.state import KEEP
from release.reproduced import ALL, chosen, inquiry, listed, reproducing, running, shipped

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


TABLE = "reproduce_table"
CHOSEN = "reproduce_item"
WIDE = st.column_config.TextColumn(width="medium")


def page() -> None:
    """Draw it."""
    st.caption(ABOUT)
    papers = (ALL, *PAPERS)
    paper = st.segmented_control(
        "Paper", papers, default=ALL, key="reproduce_paper", required=True, **KEEP
    )
    if paper != ALL:
        st.caption(literal(TITLES[paper]))
    rows = documents(paper)
    st.markdown(f"**{literal(finding(rows.values()))}**")
    st.button(
        "Run all again", key="reproduce_all", disabled=jobs.running(JOB), on_click=start_all,
        args=(paper,), help="every item on show in its quick size, on all cores: minutes",
    )  # fmt: skip
    job = jobs.current(JOB)
    counted = "items" if job is not None and job.key == ALL else "steps"
    watched(JOB, "Measuring", counted, key="reproduce_job")
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
            "verdict": [verdict(row) for row in rows],
            "printed": [printed(row) for row in rows],
            "ours ± half of the 95 % interval": [ours(row) for row in rows],
            "seconds": [row.get("seconds") for row in rows],
            "size": [size(row) for row in rows],
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
    st.markdown(f"**{literal(verdict(document))}.** {literal(document['why'])}")
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
                title, key=f"reproduce_{'full' if full else 'again'}", help=told,
                disabled=jobs.running(JOB), on_click=start, args=(paper, item),
                kwargs={"full": full},
            )  # fmt: skip
        if "made" in document:
            st.caption(literal(
                f"{size(document)}, seed {document['seed']}, version {document['version']}, "
                f"{document['made']}, {document['seconds']:g} s of processor time"
            ))  # fmt: skip


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
        details={
            "Rule": document["rule"],
            "Setting": document["setting"],
            "Source": f"{document['paper']}: {document['source']}",
            "Command line": document["command"],
        },
        file=f"equipoise-{key.replace(' ', '-').lower()}.csv",
    )
    table = {column: [row[column] for row in document["ours"]] for column in COLUMNS}
    own = [
        MeasuredRow(row["what"], row["value"],
                    *(row["value"] if row[end] is None else row[end] for end in ("low", "high")))
        for row in rows
    ]  # fmt: skip
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


def finding(documents: Iterable[Document]) -> str:
    """How many items have which verdict."""
    verdicts = [document["verdict"] for document in documents]
    counts = Counter(verdicts)
    told = [f"{v} {counts[v]}" for v in map(str, Verdict) if counts[v]]
    left = sum(n for verdict, n in counts.items() if verdict not in set(map(str, Verdict)))
    return f"{len(verdicts)} items: {', '.join(told)}" + (f", {left} not run yet." if left else ".")


def verdict(document: Document) -> str:
    """With a sign that does not need colour."""
    told = document["verdict"]
    return f"{SIGNS[Verdict(told)]} {told}" if told in set(map(str, Verdict)) else told


def printed(document: Document) -> str:
    """What the paper prints, shortened."""
    told = [f"{p['what']}: {p['value']}" for p in document["published"]]
    return _first_two(told) or "in words only"


def ours(document: Document) -> str:
    """The first numbers of ours with half of their interval."""
    rows = [row for row in document["ours"] if row["value"] is not None]
    return _first_two([f"{row['what']}: {_number(row)}" for row in rows])


def _first_two(told: list[str]) -> str:
    more = [f"{len(told) - 2} more"] if len(told) > 2 else []
    return "; ".join(told[:2] + more)


def _number(row: Document) -> str:
    if row["low"] is None or row["high"] is None or row["low"] == row["high"]:
        return short(row["value"], 3)
    return f"{short(row['value'], 3)} ± {short((row['high'] - row['low']) / 2, 2)}"


def size(document: Document) -> str:
    """Whether the paper's own number of repetitions was run."""
    return "full" if "--full" in document.get("command", "") else "quick"
