"""What is sent to the browser, key by key; a test compares with what its scripts read."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from figures.template import Figure

Numbers = list[Any]
"""Nested lists of numbers, as JSON takes them."""


class Texts(TypedDict):
    """Around every view; ``terms`` are name and anchor of what the texts link to."""

    name: str
    title: str
    subtitle: str
    caption: str
    alt: str
    details: Sequence[tuple[str, str]]
    file: str
    terms: NotRequired[list[list[str]]]


class Laid(TypedDict):
    """A table by columns."""

    head: list[str]
    columns: list[list[object]]


class SummaryTable(TypedDict):
    """A small table by rows."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Variant(TypedDict):
    """One of the charts between which a reader chooses."""

    key: str
    title: str
    figure: Figure


class FigureView(Texts):
    """A chart."""

    kind: Literal["figure"]
    variants: list[Variant]
    table: Laid
    summary: SummaryTable | None


class TableView(Texts):
    """A table; ``kept`` is its file where that is another."""

    kind: Literal["table"]
    table: Laid
    kept: Laid | None


class PaperView(TypedDict):
    """A document in a frame."""

    kind: Literal["paper"]
    name: str
    title: str
    html: str


class PanelView(Texts):
    """The rows of a conditional."""

    kind: Literal["panel"]
    node: str
    hue: str
    parents: list[str]
    states: list[str]
    settings: list[list[str]]
    records: Numbers
    truth: Numbers
    bands: Numbers
    total: int


class Measure(TypedDict):
    """One number per node, or one word; ``marks`` are how words look."""

    key: str
    tone: str
    title: str
    kind: Literal["epsilon", "error", "share", "word"]
    values: Numbers
    marks: NotRequired[list[str]]


class Belief(TypedDict):
    """What one node is believed to be."""

    states: list[str]
    labels: list[str]
    more: int
    truth: Numbers
    bands: Numbers
    given: str
    faint: bool


class Believed(TypedDict):
    """The same of all nodes, and how high a row and a name are."""

    nodes: list[Belief]
    row: int
    head: int


class GraphView(Texts):
    """A network; nodes and edges are those of :class:`pages.ui.graph.drawing.Drawing`."""

    kind: Literal["graph"]
    width: float
    height: float
    box_width: int
    nodes: Sequence[Mapping[str, object]]
    edges: Sequence[Mapping[str, object]]
    measures: list[Measure]
    answers: Believed | None
    hue: str
    selected: str
    method: str
    methods: Sequence[str]
    edited: bool
    message: str
    editable: bool
    showing: str
    kinds: Sequence[str]


View = FigureView | TableView | PaperView | PanelView | GraphView


class RoomMessage(TypedDict):
    """A room: rows of names, and how wide the columns are."""

    areas: Sequence[str]
    tracks: str


class SheetMessage(TypedDict):
    """A whole sheet; what stands above the views is left out where nothing does."""

    heading: NotRequired[str]
    badge: NotRequired[str]
    finding: NotRequired[Sequence[tuple[str, str]]]
    scenario: NotRequired[str]
    knobs: NotRequired[Mapping[str, float]]
    link: NotRequired[Mapping[str, str]]
    rooms: Mapping[str, RoomMessage]
    live: bool
    budget: NotRequired[Mapping[str, object]]
    files: str
    views: list[View]


class KnobMessage(TypedDict):
    """A slider and where its thumb stands."""

    knob: Mapping[str, object]
    value: float
    disabled: bool


Message = SheetMessage | KnobMessage
