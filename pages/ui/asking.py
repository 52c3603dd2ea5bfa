"""The query builder: which question is asked, and its answers dressed for the board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.evidence import Query
from core.metrics import Truth
from core.network import Network
from pages.ui import board, palette, utility_board, words
from pages.ui import utility_numbers as numbers
from pages.ui import utility_words as say
from pages.ui.board import QUANTILES
from pages.ui.inputs import Choice, command
from pages.ui.utility import lighter

KINDS = ("a distribution", "the most probable explanation")
TARGETS, EVIDENCE = 3, 6
"""Most targets, and most variables that may be given."""


def section(choice: Choice, truth: Truth, methods: Sequence[str]) -> Query | None:
    """The whole section; the question asked, if it could be answered."""
    try:
        asked = builder(choice.network)
        if asked is None:
            st.info("Choose a variable to ask about.")
            return None
        data = answer_data(asked, lighter(choice), truth, methods)
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return None
    utility_board.mount_answers(data, key="answers")
    return asked


def builder(network: Network) -> Query | None:
    """The widgets; a question without targets asks for the most probable explanation."""
    key = f"ask_{hash(network)}"
    kind = st.segmented_control(
        "Ask for", KINDS, default=KINDS[0], key="ask_kind", required=True, persist_state="session"
    )
    first = start(network)
    columns = st.columns(2 if kind == KINDS[0] else 1)
    targets: list[str] = []
    if kind == KINDS[0]:
        targets = columns[0].multiselect(
            "of",
            network.names,
            list(first.targets),
            key=f"{key}_targets",
            max_selections=TARGETS,
            persist_state="session",
        )
    free = [name for name in network.names if name not in targets]
    given = columns[-1].multiselect(
        "given",
        free,
        [name for name in first.given if name in free],
        key=f"{key}_given_{'-'.join(str(network.position[t]) for t in targets)}",
        max_selections=EVIDENCE,
        persist_state="session",
    )
    states: dict[str, str] = {}
    places = st.columns(max(len(given), 3))
    for place, name in zip(places, given, strict=False):
        variable = network.variables[network.index(name)]
        states[name] = place.selectbox(
            f"{name} is", variable.states, key=f"{key}_state_{network.position[name]}"
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


def answer_data(asked: Query, choice: Choice, truth: Truth, methods: Sequence[str]) -> board.Data:
    """The board's data for the question asked."""
    if asked.targets:
        found = numbers.answers(asked, truth, choice.study, choice.scenario, methods)
        return _bands(asked, choice, found)
    explained = numbers.explanations(asked.given, truth, choice.study, choice.scenario, methods)
    return _states(asked, choice, explained)


def _texts(asked: Query, choice: Choice, title: str, methods: Sequence[str]) -> board.Words:
    given = ",".join(f"{k}={v}" for k, v in asked.given.items())
    ask = (
        f"--target {words.quoted(','.join(asked.targets))}" if asked.targets else "--most-probable"
    )
    more = f"{ask} --given {words.quoted(given)}" if given else ask
    return board.Words(
        title=title,
        subtitle=f"{choice.scenario.replicates} private releases at ε = "
        f"{choice.scenario.epsilon:g}, against the truth",
        caption="Tick: truth. Bands: 50, 80 and 95 % of releases. Play shows single ones: in life "
        "you publish one of them, and see only that."
        if asked.targets
        else "Bar: share of releases that name the true state. Play shows single releases.",
        alt=f"{title}: truth against private answers of {', '.join(methods)}.",
        details=(
            ("Study only", "Truth comes from the exact counts; it is not private."),
            ("Source", "core.inference.query and most_probable on a junction tree: exact answers"),
            ("Command line", command("query", choice, f"--method {methods[0]} {more}")),
        ),
        file="equipoise-study-answers.csv",
    )


def _bands(asked: Query, choice: Choice, found: numbers.Answers) -> board.Data:
    methods = []
    for name, values in found.private.items():
        error = float(np.median(np.abs(values - found.truth).sum(axis=-1)))
        methods.append(
            {
                "method": name,
                "hue": palette.hue(name),
                "note": f"off by {words.error(error)} in total, median",
                "bands": board.numbers(np.quantile(values, QUANTILES, axis=0)),
                "releases": board.numbers(values[: numbers.PLAYED]),
            }
        )
    title = say.question(asked.targets, asked.given)
    return {
        **vars(_texts(asked, choice, title, list(found.private))),
        "lead": say.asked(found, choice.scenario.epsilon),
        "mode": "bands",
        "head": [", ".join(asked.targets), "probability, 0 to 1", "truth"],
        "labels": list(found.labels),
        "truth": board.numbers(found.truth),
        "methods": methods,
    }


def _states(asked: Query, choice: Choice, found: numbers.Explanations) -> board.Data:
    methods = []
    for name, codes in found.private.items():
        whole = float((codes == found.truth).all(axis=-1).mean())
        methods.append(
            {
                "method": name,
                "hue": palette.hue(name),
                "note": f"{words.share(whole)} of releases agree on every variable",
                "agree": board.numbers((codes == found.truth).mean(axis=0)),
                "releases": codes[: numbers.PLAYED].tolist(),
            }
        )
    variables = [choice.network.variables[i] for i in found.free]
    title = "Most probable explanation"
    given = ", ".join(f"{k} = {v}" for k, v in asked.given.items())
    return {
        **vars(
            _texts(asked, choice, f"{title} of {given}" if given else title, list(found.private))
        ),
        "lead": say.explained(found, choice.scenario.epsilon),
        "mode": "states",
        "head": ["variable", "true state"],
        "labels": [v.name for v in variables],
        "states": [list(v.states) for v in variables],
        "truth": found.truth.tolist(),
        "methods": methods,
    }
