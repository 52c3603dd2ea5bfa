"""The query builder: which question is asked, its answers, and which nodes matter for it."""

from collections.abc import Sequence

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.network import Network
from core.study.metrics import Truth
from pages.ui.kit import compute, state, words
from pages.ui.kit.acting import among, select
from pages.ui.kit.graph_view import Showing, graph_view, worded
from pages.ui.kit.inputs import Choice
from pages.ui.kit.link_reading import KIND, KINDS, given_key, state_key, targets_key
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.sheet import Words, stacked
from pages.ui.kit.state import KEEP
from pages.ui.utility import words as say
from pages.ui.utility.answers import Answer, answer_to, releases
from pages.ui.utility.sweep import lighter
from sources.graphs import needless

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
        choice = lighter(choice)
        answer = answer_to(asked, choice, truth, tuple(methods))
    except EquipoiseError as problem:
        refuse(problem)
        return None
    playing = st.toggle(
        "Play single releases",
        key="ask_play",
        help="One release after the other: in life you publish one of them, and see only that.",
    )
    _watch(answer, releases(choice), playing)
    matters(asked, choice.network)
    return asked


def _watch(answer: Answer, most: int, playing: bool) -> None:

    @st.fragment(run_every=PACE if playing else None)
    def look() -> None:
        single = None
        if playing:
            st.button("Next", key="ask_next")
            single = (st.session_state.get("ask_at", -1) + 1) % most
            st.session_state.ask_at = single
        view, table = answer(single)
        stacked(view).mount(key="answers")
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
        key = targets_key(network)
        targets = columns[0].multiselect(
            "of", network.names, list(first.targets), key=key, max_selections=TARGETS, **KEEP
        )
    free = [name for name in network.names if name not in targets]
    known, key = [name for name in first.given if name in free], given_key(network, targets)
    given = columns[-1].multiselect("given", free, known, key=key, max_selections=EVIDENCE, **KEEP)
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


FEW = 4
"""Nodes that a sentence names; of more it says how many."""


def matters(asked: Query, network: Network) -> None:
    """The graph with what each node is for the question, and a sentence."""
    names = set(network.names)
    idle = idle_nodes(asked, network)
    roles = {name: "no part" for name in idle}
    roles |= {n: "given, no part" if n in idle else "given" for n in asked.given}
    roles |= dict.fromkeys(_targets(asked, network), "asked")
    marks = ["faint" if n in idle else "given" if n in asked.given else "" for n in network.names]
    texts = Words(
        title="Which nodes matter for it",
        subtitle=sentence(asked, idle, network),
        caption="Dashed and faint: no part in the answer. Follows from the graph alone, for every "
        "method and every ε.",
        alt=f"Network of {len(names)} nodes; {len(idle)} play no part in the question.",
        details={
            "Formula": "a node plays no part where it is d-separated from what is asked by what is "
            "given (of a given node: by the rest): whatever the probabilities, the two are "
            "independent then.",
            "Source": "sources/graphs.py: needless, by networkx",
        },
        file="equipoise-study-question.csv",
    )
    part = worded("part", "part", [roles.get(n, "matters") for n in network.names], marks)
    selected = state.load().selected
    first = _targets(asked, network)[0]
    chosen = Showing(selected if selected in names else first, editable=False)
    view = graph_view("part", texts, compute.drawing_of(network), [part], chosen)
    stacked(view).mount(key="part", answers={"selected": among(names, select)})


def idle_nodes(asked: Query, network: Network) -> tuple[str, ...]:
    """Nodes that play no part; kept in the session."""
    targets, given = _targets(asked, network), tuple(asked.given)
    return compute.remembered(
        ("needless", network, targets, given),
        lambda: needless(network, targets, given, network.names),
    )


def _targets(asked: Query, network: Network) -> tuple[str, ...]:
    """What is asked; for the most probable explanation all that is not given."""
    return asked.targets or tuple(name for name in network.names if name not in asked.given)


def sentence(asked: Query, idle: tuple[str, ...], network: Network) -> str:
    """What plays no part, in words."""
    asks = say.question(asked.targets, asked.given) if asked.targets else "the explanation"
    told = [name for name in idle if name in asked.given]
    free = [name for name in idle if name not in asked.given]
    parts = []
    if told:
        rest = " once the rest is known" if len(asked.given) > len(told) else ""
        parts.append(f"Of what is given, {_listed(told)} changes nothing in {asks}{rest}.")
    if free:
        parts.append(f"To know {_listed(free)} too would change nothing in {asks}.")
    return " ".join(parts) or f"Every node matters for {asks}."


def _listed(names: list[str]) -> str:
    if len(names) > FEW:
        return f"any of {words.counted(len(names), 'node')}"
    return " or ".join(names)
