"""What each parameter of a link does to the session, or why it cannot be used; and its text.

Nodes are written as their places in the network, so that a link stays short and no name needs
escaping; lists are joined by ``_``, pairs by ``-``, which an address carries as they are.
The question on Utility lives in widgets under keys made of the network; one in a link is put under
the same keys before they are drawn.
"""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.methods.registry import METHODS
from core.network import Network
from core.options import PLAIN, Named
from pages.ui.kit import state
from pages.ui.kit.acting import SHOWN
from sources.named_numbers import number_text

KIND = "ask_kind"
KINDS = ("a distribution", "the most probable explanation")


def asked(network: Network) -> Query | None:
    """The question on show; none before Utility was opened."""
    values = st.session_state
    if KIND not in values:
        return None
    targets = values.get(targets_key(network), []) if values[KIND] == KINDS[0] else []
    given = values.get(given_key(network, targets), [])
    states = {name: values.get(state_key(network, name)) for name in given}
    whole = all(states.values()) and (targets or values[KIND] == KINDS[1])
    return Query(tuple(targets), {k: v for k, v in states.items() if v}) if whole else None


def put(query: Query, network: Network) -> None:
    """What the builder shows when it is drawn next."""
    targets, values = list(query.targets), st.session_state
    values[KIND] = KINDS[0 if targets else 1]
    if targets:
        values[targets_key(network)] = targets
    values[given_key(network, targets)] = list(query.given)
    for name, value in query.given.items():
        values[state_key(network, name)] = value


def targets_key(network: Network) -> str:
    """Of the widget that says what is asked about."""
    return f"ask_{hash(network)}_targets"


def given_key(network: Network, targets: list[str]) -> str:
    """Of the widget that says what is known; another one for other targets."""
    return f"ask_{hash(network)}_given_{'-'.join(str(network.position[t]) for t in targets)}"


def state_key(network: Network, name: str) -> str:
    """Of the widget that says in which state a known variable is."""
    return f"ask_{hash(network)}_state_{network.position[name]}"


LIMITS = len(state.Session().limits)


def named_text(named: Named, network: Network) -> str:
    """Numbers of some nodes.

    ``((dysp, 0.3),)`` is ``7-0.3`` in a network whose eighth node is dysp.
    """
    place = network.position
    return "_".join(f"{place[name]}-{number_text(x)}" for name, x in named if name in place)


def read_named(text: str, network: Network) -> Named:
    """The numbers again."""
    pairs = [part.partition("-") for part in text.split("_")]
    return tuple((_named_node(place, network), read_number(value)) for place, _, value in pairs)


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
        names = tuple(_named_node(place, loaded) for place in listed.split(".") if place)
        parents[loaded.index(_named_node(child, loaded))] = names
    return Network(loaded.variables, tuple(parents))


def query_text(asked: Query, network: Network) -> str:
    """A question: targets, then what is given as node and state; no target asks for all."""
    targets = ".".join(str(network.position[name]) for name in asked.targets)
    return f"{targets}-{given_text(asked.given, network)}" if asked.given else targets


def read_query(text: str, network: Network) -> Query:
    """The question again."""
    first, _, given = text.partition("-")
    targets = tuple(_named_node(place, network) for place in first.split(".") if place)
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
        name = _named_node(node, network)
        states = network.variables[network.index(name)].states
        given[name] = states[_place(value, len(states), "state")]
    return given


def read_number(text: str) -> float:
    """A number, or a refusal."""
    try:
        return float(text)
    except ValueError:
        raise EquipoiseError("it holds something that is not a number") from None


def _named_node(text: str, network: Network) -> str:
    return network.names[_place(text, len(network.names), "node")]


def _place(text: str, count: int, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise EquipoiseError(f"it names a {what} by a place that is not there")
    return int(text)


@dataclass(frozen=True)
class On:
    """The network a link speaks of, as it was loaded."""

    name: str
    loaded: Network

    def shown(self, session: state.Session) -> Network:
        """With the edits of the session."""
        return session.edits.get(self.name, self.loaded)


Reader = Callable[[str, state.Session, On], Any]
"""What a parameter says, on a session and a network."""


def _field(name: str, read: Reader) -> Reader:
    """The session with another value of a field."""
    return lambda value, session, on: replace(session, **{name: read(value, session, on)})


def _by_network(name: str, read: Reader) -> Reader:
    """The same for a field that has a value for each network."""
    return _field(name, lambda *asked: {**getattr(asked[1], name), asked[2].name: read(*asked)})


def _option(name: str, read: Callable[[str, Network], object]) -> Reader:
    """The same for one of the options asked for on Allocate."""

    def change(value: str, session: state.Session, on: On) -> object:
        before: Any = session.options.get(on.name, PLAIN)
        return replace(before, **{name: read(value, on.loaded)})

    return _by_network("options", change)


def _one(known: Sequence[str]) -> Reader:
    return lambda value, session, on: _one_of(value, known)


def _limits(value: str, session: state.Session, on: On) -> tuple[float, ...]:
    limits = tuple(read_number(part) for part in value.split("_"))
    if len(limits) != LIMITS or not all(0 < limit <= 1 for limit in limits) or limits[-1] < 0.5:
        raise EquipoiseError(
            f"it is not {LIMITS} numbers above 0 and at most 1, the last of them at least 0.5"
        )
    return limits


def _ask(value: str, session: state.Session, on: On) -> state.Session:
    network = on.shown(session)
    put(read_query(value, network), network)
    return session


def _look(value: str, session: state.Session, on: On) -> state.Session:
    if not re.fullmatch(r"[a-z-]+\.\d(_[a-z-]+\.\d)*", value):
        raise EquipoiseError("it is not a list like graph.1_error.1")
    return session  # the browser reads it


PLANNED = tuple(name for name, method in METHODS.items() if method.guarantee.private)
"""Methods whose plan Allocate explains."""

READERS: dict[str, Reader] = {
    "method": _field("method", _one(SHOWN)),
    "plan": _field("explained", _one(PLANNED)),
    "node": _field("selected", lambda value, session, on: _one_of(value, on.loaded.names)),
    "edges": _by_network("edits", lambda value, session, on: read_edges(value, on.loaded)),
    "locks": _option("floors", read_named),
    "weights": _option("weights", read_named),
    "prior": _option("prior", lambda value, network: read_number(value)),
    "limits": _field("limits", _limits),
    "ask": _ask,
    "showing": _field("showing", _one(get_args(state.Showing))),
    "evidence": _by_network(
        "evidence", lambda value, session, on: read_given(value, on.shown(session))
    ),
    "look": _look,
}


def _one_of(value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise EquipoiseError(unknown(value, known))
    return value


def unknown(value: str, known: Sequence[str]) -> str:
    """What there is instead: the likely one, or all while they are few."""
    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(value.lower(), folded, 1)
    if close:
        return f"there is no such value (perhaps {folded[close[0]]} is meant)"
    few = f"; there are {', '.join(known)}" if len(known) <= 12 else ""
    return f"there is no such value{few}"
