"""The query builder: which question is asked, and its answers dressed for the board."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.network import Network
from core.study.answered import Answered, Explained, answered, explained
from core.study.metrics import Truth
from pages.ui import board, palette, utility_board, words
from pages.ui import utility_numbers as numbers
from pages.ui import utility_words as say
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
    counts, scenario = choice.study.counts, choice.scenario
    if asked.targets:
        numbers.check_size(truth.network, asked.targets)
        found = {m: answered(asked, m, truth, counts, scenario) for m in methods}
        return _bands(asked, choice, found)
    found = {m: explained(asked.given, m, truth, counts, scenario) for m in methods}
    return _states(asked, choice, found)


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
            ("Source", "core/inference/queries.py: exact answers, on a junction tree"),
            ("Command line", command("query", choice, f"--method {methods[0]} {more}")),
        ),
        file="equipoise-study-answers.csv",
    )


def _bands(asked: Query, choice: Choice, found: dict[str, Answered]) -> board.Data:
    methods = [
        {
            "method": name,
            "hue": palette.hue(name),
            "note": f"off by {words.error(answer.median_off)} in total, median",
            "bands": board.numbers(answer.bands),
            "releases": board.numbers(answer.private[: numbers.PLAYED]),
        }
        for name, answer in found.items()
    ]
    title = say.question(asked.targets, asked.given)
    last, answer = list(found.items())[-1]
    return {
        **vars(_texts(asked, choice, title, list(found))),
        "lead": say.asked(last, answer, choice.scenario.epsilon),
        "mode": "bands",
        "head": [", ".join(asked.targets), "probability, 0 to 1", "truth"],
        "labels": [say.label(answer, row) for row in range(len(answer.truth))],
        "truth": board.numbers(answer.truth),
        "methods": methods,
    }


def _states(asked: Query, choice: Choice, found: dict[str, Explained]) -> board.Data:
    methods = [
        {
            "method": name,
            "hue": palette.hue(name),
            "note": f"{words.share(one.whole)} of releases agree on every variable",
            "agree": board.numbers(one.agreement),
            "releases": one.private[: numbers.PLAYED].tolist(),
        }
        for name, one in found.items()
    ]
    last, one = list(found.items())[-1]
    title = "Most probable explanation"
    given = ", ".join(f"{k} = {v}" for k, v in asked.given.items())
    return {
        **vars(_texts(asked, choice, f"{title} of {given}" if given else title, list(found))),
        "lead": say.explained(last, one, choice.scenario.epsilon),
        "mode": "states",
        "head": ["variable", "true state"],
        "labels": [v.name for v in one.variables],
        "states": [list(v.states) for v in one.variables],
        "truth": one.truth.tolist(),
        "methods": methods,
    }
