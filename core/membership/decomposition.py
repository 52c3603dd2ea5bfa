"""Who carries the published risk: mu^2 = C / n is a sum over nodes, and edges move its terms.

All of it follows from the public graph. The AUC is not additive; mu^2 is.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.network import Network


@dataclass(frozen=True)
class EdgeShare:
    """An edge and how many free parameters leave with it."""

    parent: str
    child: str
    saves: int


def node_shares(network: Network) -> tuple[float, ...]:
    """Each node's part of mu^2: c_i / C."""
    return tuple(c / max(network.complexity, 1) for c in network.complexities)


def removal_savings(network: Network) -> tuple[EdgeShare, ...]:
    """Free parameters that removing each edge j -> i takes away: c_i (1 - 1 / r_j)."""
    savings = []
    for parent, child in network.edges:
        own = network.complexities[network.position[child]]
        states = network.variables[network.position[parent]].cardinality
        savings.append(EdgeShare(parent, child, own - own // states))
    return tuple(savings)


def attribute_saving(network: Network, name: str) -> int:
    """Free parameters gone with a variable: its own, and c_k (1 - 1 / r) of each child k."""
    node = network.index(name)
    states = network.variables[node].cardinality
    children = (network.complexities[k] for k in network.children[node])
    return network.complexities[node] + sum(c - c // states for c in children)
