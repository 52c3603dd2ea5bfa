"""What follows from the graph alone."""

from dataclasses import dataclass

from core.inference.queries import treewidth
from core.network import Network
from core.table import cells


@dataclass(frozen=True)
class NodeFacts:
    """One variable: its states and parents, how much depends on it, its free parameters."""

    name: str
    states: tuple[str, ...]
    parents: tuple[str, ...]
    height: int
    out_degree: int
    complexity: int


@dataclass(frozen=True)
class GraphFacts:
    """A network in numbers."""

    edges: tuple[tuple[str, str], ...]
    complexity: int
    treewidth: int
    largest_table: int
    nodes: tuple[NodeFacts, ...]


def described(network: Network) -> GraphFacts:
    """What follows from the graph."""
    return GraphFacts(
        network.edges,
        network.complexity,
        treewidth(network),
        max(cells(family) for family in network.families),
        tuple(
            NodeFacts(
                variable.name,
                variable.states,
                tuple(network.parents[i]),
                network.heights[i],
                len(network.children[i]),
                network.complexities[i],
            )
            for i, variable in enumerate(network.variables)
        ),
    )
