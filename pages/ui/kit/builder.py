"""The question that Utility's builder holds, for the link: read from its widgets or put there.

The builder's widgets live under keys made of the network; a question in a link is put under the
same keys before they are drawn.
"""

from __future__ import annotations

import streamlit as st

from core.inference.evidence import Query
from core.network import Network

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
