"""What follows from the graph alone."""

from typing import Any

from core.inference.queries import treewidth
from core.network import Network
from core.table import cells


def described(network: Network) -> dict[str, Any]:
    """A network in numbers: each variable, how much depends on it, its free parameters."""
    return {
        "edges": network.edges,
        "complexity": network.complexity,
        "treewidth": treewidth(network),
        "largest_table": max(cells(family) for family in network.families),
        "nodes": [
            {
                "name": variable.name,
                "states": variable.states,
                "parents": network.parents[i],
                "height": network.heights[i],
                "out_degree": len(network.children[i]),
                "complexity": network.complexities[i],
            }
            for i, variable in enumerate(network.variables)
        ],
    }
