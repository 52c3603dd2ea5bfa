"""A scenario as short text for the address: what is not a widget of the sidebar.

Nodes are written as their places in the network, so that a link stays short and no name needs
escaping; lists are joined by ``_``, pairs by ``-``, which an address carries as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.network import Network
from core.options import Named
from pages.ui.kit.words import exactly


def named_text(named: Named, network: Network) -> str:
    """Numbers of some nodes.

    ``((dysp, 0.3),)`` is ``7-0.3`` in a network whose eighth node is dysp.
    """
    place = network.position
    return "_".join(f"{place[name]}-{exactly(x)}" for name, x in named if name in place)


def read_named(text: str, network: Network) -> Named:
    """The numbers again."""
    pairs = [part.partition("-") for part in text.split("_")]
    return tuple((_node(place, network), read_number(value)) for place, _, value in pairs)


def edges_text(edited: Network, loaded: Network) -> str:
    """The parents of every node that has others than in the network loaded."""
    if edited.variables != loaded.variables:
        return ""
    place = loaded.position
    return "_".join(
        f"{i}-{'.'.join(str(place[parent]) for parent in after)}"
        for i, (before, after) in enumerate(zip(loaded.parents, edited.parents, strict=True))
        if before != after
    )


def read_edges(text: str, loaded: Network) -> Network:
    """The edited network again; a cycle is refused as on screen."""
    parents = list(loaded.parents)
    for part in text.split("_"):
        child, _, listed = part.partition("-")
        names = tuple(_node(place, loaded) for place in listed.split(".") if place)
        parents[loaded.index(_node(child, loaded))] = names
    return Network(loaded.variables, tuple(parents))


def query_text(asked: Query, network: Network) -> str:
    """A question: targets, then what is given as node and state; no target asks for all."""
    targets = ".".join(str(network.position[name]) for name in asked.targets)
    return f"{targets}-{given_text(asked.given, network)}" if asked.given else targets


def read_query(text: str, network: Network) -> Query:
    """The question again."""
    first, _, given = text.partition("-")
    targets = tuple(_node(place, network) for place in first.split(".") if place)
    return Query(targets, read_given(given, network) if given else {})


def given_text(given: Mapping[str, str], network: Network) -> str:
    """What is known, as node and state: ``4.0-6.1``."""
    place = network.position
    states = {v.name: v.states for v in network.variables}
    return "-".join(f"{place[n]}.{states[n].index(value)}" for n, value in given.items())


def read_given(text: str, network: Network) -> dict[str, str]:
    """What is known again."""
    given: dict[str, str] = {}
    for pair in text.split("-"):
        node, _, value = pair.partition(".")
        name = _node(node, network)
        states = network.variables[network.index(name)].states
        given[name] = states[_place(value, len(states), "state")]
    return given


def read_number(text: str) -> float:
    """A number, or a refusal."""
    try:
        return float(text)
    except ValueError:
        raise EquipoiseError("it holds something that is not a number") from None


def _node(text: str, network: Network) -> str:
    return network.names[_place(text, len(network.names), "node")]


def _place(text: str, count: int, what: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < count):
        raise EquipoiseError(f"it names a {what} by a place that is not there")
    return int(text)
