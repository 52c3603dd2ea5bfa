"""The sheet: a page's finding and its views, drawn by one component.

A view is plain data (``kind``, ``name`` and what that kind draws): a figure, a graph, or the rows
of a conditional. One push of data repaints what changed. Where the server has no routes, the same
figures go through ``st.plotly_chart`` and the rest through the component with its code inline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, cast

import streamlit as st

from core.study.glossary import named_in
from figures.template import Figure, resolved
from pages.ui.kit import dragging, inputs, links, routes, state
from pages.ui.kit.around import CODE, PYTHON, foot, offered
from pages.ui.kit.component import Answers, Component
from pages.ui.kit.dragging import EPSILON
from pages.ui.kit.entries import PAGE, PAGES
from pages.ui.kit.markdown import literal
from pages.ui.kit.messages import FigureView, Laid, PaperView, SheetMessage, TableView, Texts, View
from pages.ui.kit.words import Runs
from sources.named_numbers import number_text

PLAIN = "equipoise-study-"


def prefix() -> str:
    """What the names of this page's files begin with."""
    page = next((entry for entry in PAGES if entry.title == st.session_state.get(PAGE)), None)
    if page is None:
        return PLAIN
    values, scenario = st.session_state, ""
    if page.sidebar:
        network = "upload" if values.network == state.UPLOADED else values.network
        scenario = f"{network}-eps{number_text(values.eps)}-seed{int(values.seed)}-"
    return f"{PLAIN}{scenario}{page.title.lower()}-"


def stamped(file: str) -> str:
    """A study's file named after page, network, ε and seed; one of a release keeps its own.

    ``equipoise-study-error.csv`` becomes ``equipoise-study-alarm-eps1-seed0-explore-error.csv`` on
    Explore, so that no two pages save different content under one name. Uploaded data is named
    *upload* and nothing else.
    """
    return f"{prefix()}{file.removeprefix(PLAIN)}" if file.startswith(PLAIN) else file


SCRIPTS = (
    *("dom", "link", "words", "parts", "view", "table", "figure"),
    *("beliefs", "edit", "dag", "panel", "paper", "slider", "sheet"),
)
STYLES = ("board", "graph", "tables", "figure", "knob", "room")
COMPONENT = Component(
    "equipoise_sheet", '<div class="board" data-painted="0"></div>', SCRIPTS, STYLES
)

Columns = Mapping[str, Sequence[object]]
"""A table behind a picture: head -> values."""


@dataclass(frozen=True)
class Words:
    """The texts around one view; ``details`` are heading and text behind the expander.

    ``file`` is named after the view where it is not said.
    """

    title: str
    subtitle: str
    caption: str
    alt: str
    details: Mapping[str, str] = field(default_factory=dict)
    file: str = ""


@dataclass(frozen=True)
class Room:
    """Where the views stand: rows of place names, and how wide the columns are."""

    areas: tuple[str, ...]
    tracks: str = "minmax(0, 1fr)"


def abreast(names: Sequence[str]) -> Room:
    """Two and two beside each other; one that is left takes the width."""
    pairs = [names[i : i + 2] for i in range(0, len(names), 2)]
    areas = tuple(f"{pair[0]} {pair[-1]}" for pair in pairs)
    return Room(areas, "repeat(2, minmax(0, 1fr))")


@dataclass(frozen=True)
class Top:
    """What stands above the views: heading, mode, the finding in runs of (text, role)."""

    heading: str
    badge: str
    finding: Sequence[tuple[str, str]]
    scenario: str
    knobs: Mapping[str, float]
    """What is on show, by knob: a slider waits for the page to show its value."""


def study_top(
    heading: str,
    finding: Runs,
    choice: inputs.Choice,
    badge: str = "Study: compares with the truth, not for publication",
) -> Top:
    """What stands above a study of the sidebar's choice."""
    scenario, knobs = inputs.describe(choice), dragging.knobs(choice.scenario)
    return Top(heading, badge, finding, scenario, knobs)


@dataclass(frozen=True, eq=False)
class Sheet:
    """One page's views with their places, without a room one beneath the other.

    ``live`` where ε may be dragged over it.
    """

    views: Sequence[View]
    wide: Room | None = None
    middle: Room | None = None
    top: Top | None = None
    live: bool = field(default=False)

    def mount(self, *, key: str, answers: Answers | None = None) -> None:
        """Draw it."""
        if routes.served():
            COMPONENT.mount(self._data(self.views), key=key, answers=answers)
            return
        figures = [view for view in self.views if view["kind"] == "figure"]
        others = [view for view in self.views if view["kind"] != "figure"]
        if others or self.top:
            COMPONENT.mount(self._data(others), key=key, answers=answers)
        for view in figures:
            _plainly(view, key)

    @cached_property
    def _named(self) -> dict[str, dict[str, object]]:
        """The views with what their texts link to; made once for a sheet that is drawn again."""
        return {view["name"]: _for_browser(view) for view in self.views}

    def _data(self, views: Sequence[View]) -> SheetMessage:
        column = Room(tuple(view["name"] for view in self.views) or (".",))
        rooms = {"wide": vars(self.wide or column), "middle": vars(self.middle or column)}
        top = {} if self.top is None else {**vars(self.top), "link": links.parameters()}
        live = {"live": True, "budget": asdict(EPSILON)} if self.live else {"live": False}
        named = [self._named[view["name"]] for view in views]
        message = {**top, "rooms": rooms, **live, "files": prefix(), "views": named}
        return cast("SheetMessage", message)


def stacked(*views: View) -> Sheet:
    """One view beneath the other."""
    return Sheet(views)


def texts(name: str, words: Words) -> Texts:
    """The texts of the view of that name."""
    file = words.file or f"{PLAIN}{name}.csv"
    details = (*offered(words.details.items()),)
    return cast("Texts", {"name": name, **vars(words), "details": details, "file": file})


def _for_browser(view: View) -> dict[str, object]:
    if view["kind"] == "paper":
        return {**view, "terms": _terms(view)}
    # a browser writes a call itself from the line before it
    details = [(heading, "" if heading == PYTHON else text) for heading, text in view["details"]]
    return {**view, "details": details, "terms": _terms(view)}


def _terms(view: View) -> list[list[str]]:
    """What the texts around a view link to in the glossary: name and anchor."""
    told = [view["title"]]
    if view["kind"] != "paper":
        told += [view["subtitle"], view["caption"]]
        told += [text for heading, text in view["details"] if heading not in CODE]
    return [[term.name, term.key] for term in named_in("\n".join(told))]


def figure_view(
    name: str,
    words: Words,
    variants: Mapping[Any, Figure],
    table: Columns,
    summary: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None,
) -> FigureView:
    """A chart with its texts and its table; a reader chooses between ``variants`` by name."""
    return {
        "kind": "figure",
        **texts(name, words),
        "variants": [{"key": k, "title": k, "figure": f} for k, f in variants.items()],
        "table": _laid(table),
        "summary": None if summary is None else {"head": summary[0], "rows": summary[1]},
    }


def table_view(
    name: str,
    words: Words,
    columns: Columns,
    kept: Columns | None = None,
    *,
    shown: Columns | None = None,
) -> TableView:
    """A small table of texts with its own texts around it.

    ``kept`` is its file where that says more; ``shown`` says less than the columns, which are then
    the file.
    """
    file = columns if shown is not None else kept
    return {
        "kind": "table",
        **texts(name, words),
        "table": _laid(columns if shown is None else shown),
        "kept": None if file is None else _laid(file),
    }


def _laid(columns: Columns) -> Laid:
    return {
        "head": list(columns),
        "columns": [v if isinstance(v, list) else list(v) for v in columns.values()],
    }


def paper_view(name: str, title: str, document: str) -> PaperView:
    """A document of ours in a frame that runs nothing.

    ``st.iframe`` would do but for its sandbox, which allows scripts, forms and the page's origin.
    """
    return {"kind": "paper", "name": name, "title": title, "html": document}


def _plainly(view: FigureView, key: str) -> None:
    st.markdown(f"#### {literal(view['title'])}")
    st.caption(literal(view["subtitle"]))
    shown = view["variants"][0]
    if len(view["variants"]) > 1:
        titles = [variant["title"] for variant in view["variants"]]
        chosen = st.segmented_control(
            view["title"], titles, default=titles[0], key=f"{key}_{view['name']}_variant",
            label_visibility="collapsed", required=True,
        )  # fmt: skip
        shown = view["variants"][titles.index(chosen)]
    dark = st.context.theme.type == "dark"
    st.plotly_chart(
        resolved(shown["figure"], int(dark)), key=f"{key}_{view['name']}", theme=None,
        alt=view["alt"],
    )  # fmt: skip
    if view["caption"]:
        st.caption(literal(view["caption"]))
    columns = dict(zip(view["table"]["head"], view["table"]["columns"], strict=True))
    foot(view["details"], columns, stamped(view["file"]), key=f"{key}_{view['name']}_csv")
