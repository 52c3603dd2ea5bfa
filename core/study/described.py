"""What follows from the graph alone."""

from typing import Any

from core.inference.queries import treewidth
from core.network import Network
from core.table import cells


def described(network: Network) -> dict[str, Any]:
    """A network in numbers: each variable, how much depends on it, its free parameters."""
    nodes = zip(
        network.variables,
        network.parents,
        network.heights,
        map(len, network.children),
        network.complexities,
        strict=True,
    )
    keys = ("name", "states", "parents", "height", "out_degree", "complexity")
    return {
        "edges": network.edges,
        "complexity": network.complexity,
        "treewidth": treewidth(network),
        "largest_table": max(cells(family) for family in network.families),
        "nodes": [dict(zip(keys, (v.name, v.states, *rest), strict=True)) for v, *rest in nodes],
    }
