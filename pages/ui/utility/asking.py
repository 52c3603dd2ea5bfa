"""The query builder: which question is asked, and the answers of single or of all releases."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.network import Network
from core.study.metrics import Truth
from pages.ui.kit.builder import KIND, KINDS, given_key, state_key, targets_key
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.sheet import stacked
from pages.ui.kit.state import KEEP
from pages.ui.utility import part
from pages.ui.utility.answers import Answer, answer_to, releases
from pages.ui.utility.sweep import lighter

TARGETS, EVIDENCE = 3, 6
"""Most targets, and most variables that may be given."""

PACE = 0.9
"""Seconds a single release stays on show."""


def section(choice: Choice, truth: Truth, methods: Sequence[str]) -> Query | None:
    """The whole section; the question asked, if it could be answered."""
    try:
        asked = builder(choice.network)
        if asked is None:
            st.info("Choose a variable to ask about.")
            return None
        answer = answer_to(asked, lighter(choice), truth, tuple(methods))
    except EquipoiseError as problem:
        refuse(problem)
        return None
    playing = st.toggle(
        "Play single releases",
        key="ask_play",
        help="One release after the other: in life you publish one of them, and see only that.",
    )
    _watch(answer, playing)
    part.show(asked, choice.network)
    return asked


def _watch(answer: Answer, playing: bool) -> None:
    """All releases together, or one after the other."""

    @st.fragment(run_every=PACE if playing else None)
    def look() -> None:
        single = None
        if playing:
            st.button("Next", key="ask_next")
            single = (st.session_state.get("ask_at", -1) + 1) % releases(answer)
            st.session_state.ask_at = single
        view = answer.view(single)
        stacked(view).mount(key="answers")
        table = answer.states(single)
        if table is not None:
            heads, columns = table
            st.dataframe(columns, column_config=heads, hide_index=True, height="content")

    if not playing:
        st.session_state.pop("ask_at", None)
    look()


def builder(network: Network) -> Query | None:
    """The widgets; a question without targets asks for the most probable explanation."""
    kind = st.segmented_control("Ask for", KINDS, default=KINDS[0], key=KIND, required=True, **KEEP)
    first = start(network)
    columns = st.columns(2 if kind == KINDS[0] else 1)
    targets: list[str] = []
    if kind == KINDS[0]:
        targets = columns[0].multiselect(
            "of",
            network.names,
            list(first.targets),
            key=targets_key(network),
            max_selections=TARGETS,
            **KEEP,
        )
    free = [name for name in network.names if name not in targets]
    given = columns[-1].multiselect(
        "given",
        free,
        [name for name in first.given if name in free],
        key=given_key(network, targets),
        max_selections=EVIDENCE,
        **KEEP,
    )
    states: dict[str, str] = {}
    places = st.columns(max(len(given), 3))
    for place, name in zip(places, given, strict=False):
        variable = network.variables[network.index(name)]
        states[name] = place.selectbox(
            f"{literal(name)} is", variable.states, key=state_key(network, name)
        )
    if kind == KINDS[0] and not targets:
        return None
    return Query(tuple(targets), states)


def start(network: Network) -> Query:
    """The question shown first: a leaf, given the first state of a root above it."""
    leaf = network.order[-1]
    root = leaf
    while network.parent_indices[root]:
        root = network.parent_indices[root][0]
    variable = network.variables[root]
    given = {} if root == leaf else {variable.name: variable.states[0]}
    return Query((network.names[leaf],), given)
