"""Third step: the graph, uploaded, drawn, copied from a sample, or left to be learned."""

import csv
import io
import itertools
from dataclasses import replace

import streamlit as st

from core.errors import EquipoiseError
from core.network import Network
from core.table import Variable
from pages.ui.data import draft as drafts
from pages.ui.data.columns_step import Columns
from pages.ui.data.draft import Draft, Edges, in_memory
from pages.ui.kit import compute
from pages.ui.kit.acting import Edit, among, changed, read_edit
from pages.ui.kit.graph_view import Showing, graph_view, worded
from pages.ui.kit.sheet import Words, stacked
from pages.ui.kit.state import KEEP
from pages.ui.kit.words import counted
from sources.columns import Stream
from sources.loaded import EdgeList, Loaded
from sources.networks import EXTENSIONS, sample, sample_names
from sources.study import File, open_network

FROM = {
    "file": "Upload it",
    "draw": "Draw it",
    "copy": "Copy a sample",
    "learn": "None: learn it privately",
}
DRAWN_FILE = "drawn.csv"
DRAWN = 80
"""Most columns that are drawn."""


def source() -> str:
    """Where the graph comes from."""
    return str(st.session_state.get("graph_from", "file"))


def network_file(
    draft: Draft, stream: Stream | None, columns: Columns | None
) -> tuple[str | None, File | None]:
    """A sample's name or a network file; neither where the graph is left to be learned."""
    way = source()
    if way == "copy":
        names = _fitting(stream)
        chosen = st.session_state.get("against")
        return chosen if chosen in names else next(iter(names), None), None
    if way == "draw" and columns is not None:
        return None, (DRAWN_FILE, edges_file(_names(columns), _edges(draft, columns)))
    return None, in_memory(draft.files.get("dag_file")) if way == "file" else None


def stated_by(draft: Draft, stream: Stream | None) -> Loaded | EdgeList | None:
    """The network file or sample, where there is one; one with states needs no columns stated."""
    name, dag = network_file(draft, stream, None)
    return None if name is None and dag is None else open_network(name, dag)


def edges_file(names: tuple[str, ...], edges: Edges) -> bytes:
    """An edge list that names every column, also those without an edge."""
    buffer = io.StringIO()
    rows = [("parent", "child"), *((name, "") for name in names), *edges]
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue().encode()


def told(draft: Draft, stream: Stream | None, columns: Columns | None) -> str:
    """The graph in one line; empty where none is there yet."""
    way, (name, dag) = source(), network_file(draft, stream, columns)
    if way == "learn":
        return "none: learned privately inside the release"
    if way == "draw" and columns is not None:
        return f"drawn, {counted(len(_edges(draft, columns)), 'edge')}"
    return f"of {name}" if name else dag[0] if dag else ""


def section(draft: Draft, stream: Stream | None, columns: Columns | None) -> None:
    """Which way, and what that way needs."""
    way = st.segmented_control(
        "Where does the graph come from?", list(FROM), default="file", key="graph_from",
        format_func=FROM.__getitem__, required=True, **KEEP,
    )  # fmt: skip
    if way == "file":
        drafts.uploader(
            "Network", EXTENSIONS, "dag_file",
            "BIF, XMLBIF, NET, XDSL, UAI, JSON; or edges alone: GraphML, GML, adjacency list, CSV "
            "with header parent,child.",
        )  # fmt: skip
    elif way == "learn":
        st.info(
            "No edge is assumed. Synthesise rehearses what a private run would learn; Release pays "
            "for it: structure and tables from one budget. The other pages treat the columns as "
            "independent until then.",
            icon=":material/school:",
        )
    elif stream is None:
        st.info("Choose the records first: the nodes are their columns.")
    elif way == "copy" and (names := _fitting(stream)):
        st.selectbox("Sample network", names, key="against", **KEEP)
    elif way == "copy":
        st.info("No sample network has names that are all columns of this file; draw the graph.")
    elif columns is not None:
        _drawing(draft, columns)


def _fitting(stream: Stream | None) -> list[str]:
    """Sample networks whose names are all columns of the table."""
    if stream is None:
        return []
    named = compute.remembered(
        "names of samples", lambda: {name: sample(name).network.names for name in sample_names()}
    )
    return [name for name, own in named.items() if set(stream.header).issuperset(own)]


def _names(columns: Columns) -> tuple[str, ...]:
    return tuple(column.variable.name for column in columns.used)


def _edges(draft: Draft, columns: Columns) -> Edges:
    used = set(_names(columns))
    return tuple(edge for edge in draft.edges if used.issuperset(edge))


def _drawing(draft: Draft, columns: Columns) -> None:
    names = _names(columns)
    if not 1 < len(names) <= DRAWN:
        st.info(f"A graph of 2 to {DRAWN:d} columns can be drawn; upload an edge list instead.")
        return
    network = drawn(names, _edges(draft, columns))
    with st.container(horizontal=True):
        st.button("Join each column to the next", key="graph_chain", on_click=_keep,
                  args=(tuple(itertools.pairwise(names)),),
                  help="A start by the columns' order; remove what is wrong.")  # fmt: skip
        st.download_button("Save the graph", edges_file(names, network.edges), DRAWN_FILE,
                           "text/csv", on_click="ignore", icon=":material/download:")  # fmt: skip
        st.button("Remove all edges", key="graph_clear", on_click=_keep, args=((),),
                  disabled=not network.edges)  # fmt: skip
    states = [counted(c.variable.cardinality, "state") for c in columns.used]
    selected = st.session_state.get("data_node")
    view = graph_view(
        "graph",
        Words(
            title="Draw the graph",
            subtitle="Edit edges, then click a parent and its child; click an edge to remove it",
            caption=f"{counted(len(names), 'column')}, {counted(len(network.edges), 'edge')}. "
            "With the keyboard: arrows move, Enter picks.",
            alt=f"Graph of {len(names)} columns with {len(network.edges)} edges.",
            file="equipoise-graph.csv",
        ),
        compute.drawing_of(network),
        [worded("states", "states", states, [""] * len(names))],
        Showing(selected if selected in names else names[0], message=draft.message),
    )
    known = set(names)
    stacked(view).mount(
        key="data_graph",
        answers={
            "edit": (lambda sent: read_edit(sent, known), lambda asked: _edit(network, asked)),
            "selected": among(known, lambda name: st.session_state.update(data_node=name)),
        },
    )


def drawn(names: tuple[str, ...], edges: Edges) -> Network:
    """The graph over names alone; one state stands in for those of a column."""
    structure = EdgeList(names, edges)
    return Network(tuple(Variable(name, ("?",)) for name in names), structure.parents)


def _edit(network: Network, asked: Edit) -> None:
    try:
        after = changed(network, asked)
    except EquipoiseError as problem:
        said = f"{asked.parent} → {asked.child} was not added: {problem}."
        drafts.keep(replace(drafts.load(), message=said))
        return
    compute.keep_drawing(network, after)
    _keep(tuple(after.edges))


def _keep(edges: Edges) -> None:
    drafts.keep(replace(drafts.load(), edges=edges, message=""))
