"""Graphs as networkx has them: to and from ``DiGraph``, and which evidence matters."""

from __future__ import annotations

from collections.abc import Collection

import networkx as nx

from core.errors import EquipoiseError, brief, repeated
from core.network import Network
from sources.loaded import EdgeList


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
