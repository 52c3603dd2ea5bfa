"""GraphML, GML and adjacency lists: edges and names, read by networkx.

States are not in such files: they come from a schema, or are read off the records.
"""

from __future__ import annotations

from xml.etree.ElementTree import ParseError

import networkx as nx

from core.errors import EquipoiseError
from core.network import NODE_LIMIT
from sources.foreign import refuse_entities
from sources.graphs import from_digraph
from sources.loaded import EdgeList
from sources.text import naming, shown

SIZE = 4_000_000
"""Most letters of such a file; 2,000 names with their edges take a tenth of it."""

FORMS = {"graphml": "GraphML", "gml": "GML", "adjlist": "an adjacency list"}
_UNREADABLE = (
    nx.NetworkXException, ParseError, ValueError, LookupError, TypeError, AttributeError,
    RecursionError,
)  # fmt: skip
"""What networkx raises about a file that it cannot read."""


def read_graph(name: str, text: str, form: str) -> EdgeList:
    """The edges of a file in the form ``graphml``, ``gml`` or ``adjlist``; a cycle is named."""
    if len(text) > SIZE:
        raise EquipoiseError(
            f"{name} has {len(text):,} letters; a graph file may have {SIZE:,}, so leave out what "
            "is neither a node nor an edge"
        )
    if form == "graphml":
        refuse_entities(name, text)
    try:
        graph = _parsed(text, form)
    except _UNREADABLE as problem:
        said = str(problem).partition("\n")[0] or type(problem).__name__
        raise EquipoiseError(
            f"{name} is not {FORMS[form]} ({shown(said)}); export it again, or as an edge list"
        ) from None
    if not graph:
        raise EquipoiseError(f"{name} names no node; add at least one")
    if len(graph) > NODE_LIMIT:
        raise EquipoiseError(
            f"{name} has {len(graph):,} nodes; at most {NODE_LIMIT:,} are supported, so split it"
        )
    with naming(name):
        return from_digraph(_by_label(graph), name)


def _parsed(text: str, form: str) -> nx.Graph:
    if form == "graphml":
        return nx.parse_graphml(text)
    if form == "gml":
        return nx.parse_gml(text, label="label" if "label" in text else "id")
    return nx.parse_adjlist(text.splitlines(), create_using=nx.DiGraph)


def _by_label(graph: nx.Graph) -> nx.Graph:
    """Nodes under the names that people gave them, where every one has such a name."""
    for key in ("name", "label"):
        given = nx.get_node_attributes(graph, key)
        if len(given) == len(graph) == len(set(map(str, given.values()))):
            return nx.relabel_nodes(graph, {node: str(text) for node, text in given.items()})
    return graph
