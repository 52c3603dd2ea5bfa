"""Graphs as networkx has them: to and from ``DiGraph``, and which evidence matters."""

from collections.abc import Collection
from xml.etree.ElementTree import ParseError

import networkx as nx

from core.errors import EquipoiseError, brief, repeated
from core.network import NODE_LIMIT, Network
from sources.foreign import refuse_entities
from sources.loaded import EdgeList
from sources.text import naming, shown


def to_digraph(network: Network | EdgeList) -> nx.DiGraph:
    """The graph over names, variables in their order; states, where known, on the nodes."""
    graph = nx.DiGraph()
    if isinstance(network, Network):
        graph.add_nodes_from((v.name, {"states": v.states}) for v in network.variables)
    else:
        graph.add_nodes_from(network.names)
    graph.add_edges_from(network.edges)
    return graph


def from_digraph(graph: nx.Graph, name: str = "graph") -> EdgeList:
    """Names and edges of a directed graph without cycles; anything else is refused."""
    if not graph.is_directed():
        raise EquipoiseError(f"{name} is undirected; give every edge a direction")
    if graph.is_multigraph() and len(set(graph.edges())) < graph.number_of_edges():
        raise EquipoiseError(f"{name} has an edge twice; keep one of each")
    names = [str(node) for node in graph]
    if len(set(names)) < len(names):
        twice = repeated(names)
        raise EquipoiseError(f"{name} names {twice!r} twice; names must differ")
    cycle = cycle_of(graph)
    if cycle:
        raise EquipoiseError(
            f"{name} is not acyclic: {' -> '.join(brief(str(one)) for one in cycle)}; remove one "
            "of these edges"
        )
    edges = tuple((str(p), str(c)) for c in graph for p in dict.fromkeys(graph.predecessors(c)))
    return EdgeList(tuple(names), edges, name)


def cycle_of(graph: nx.Graph) -> tuple[object, ...]:
    """A directed cycle, the first node repeated at its end; empty when there is none."""
    try:
        steps = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return ()
    return (*(step[0] for step in steps), steps[0][0])


def closed_by(network: Network, parent: str, child: str) -> tuple[str, ...]:
    """The shortest cycle that an edge would close, the first name repeated; empty without one."""
    graph = to_digraph(network)
    if parent == child:
        return (parent, child)
    if not nx.has_path(graph, child, parent):
        return ()
    return (parent, *nx.shortest_path(graph, child, parent))


def untouched(network: Network, evidence: Collection[str]) -> frozenset[str]:
    """Variables that the evidence tells nothing about: d-separated from all of it."""
    given = set(evidence)
    if not given:
        return frozenset()
    graph = to_digraph(network)
    others = [name for name in network.names if name not in given]
    return frozenset(n for n in others if nx.is_d_separator(graph, {n}, given, set()))


def needless(
    network: Network, targets: Collection[str], evidence: Collection[str], among: Collection[str]
) -> tuple[str, ...]:
    """Of some variables those that do not matter for a question, in the network's order.

    One that is known does not where the rest of the evidence d-separates it from the targets; any
    other does not where all of it does: to know it too would change no answer.
    """
    graph, asked = to_digraph(network), set(targets)
    given, others = set(evidence) - asked, set(among) - asked
    return tuple(
        name
        for name in network.names
        if name in others and nx.is_d_separator(graph, asked, {name}, given - {name})
    )


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
