"""Answers to one question, dressed: ranges over releases, or one release at a time."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.inference.evidence import Query
from core.study.answered import Answered, Explained, answered, explained, likeliest
from core.study.metrics import Truth
from figures.template import numbers
from figures.utility import answer_figure, answer_table
from pages.ui.kit import compute, words
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view, table_view
from pages.ui.utility import words as say
from pages.ui.utility.sweep import check_size

PLAYED = 60
"""Most single releases that are played."""

Table = tuple[dict[str, Any], dict[str, list[Any]]]
"""Column configuration and columns, as ``st.dataframe`` takes them."""

Answer = Callable[[int | None], tuple[View, Table | None]]
"""What a question's answers show, all together or of one release."""


def answer_to(asked: Query, choice: Choice, truth: Truth, methods: tuple[str, ...]) -> Answer:
    """Computed once for a scenario; a single release is read off."""
    counts, scenario = choice.study.counts, choice.scenario
    said = (asked.targets, tuple(asked.given.items()))
    key = ("answers", said, methods, choice.study.fingerprint, choice.network, scenario)
    if asked.targets:
        check_size(truth.network, asked.targets)
        return functools.partial(_distribution, asked, choice, compute.remembered(
            key, lambda: {m: answered(asked, m, truth, counts, scenario) for m in methods}
        ))  # fmt: skip
    return functools.partial(_explanation, asked, choice, compute.remembered(
        key, lambda: {m: explained(asked.given, m, truth, counts, scenario) for m in methods}
    ))  # fmt: skip


def releases(choice: Choice) -> int:
    """How many can be played."""
    return min(PLAYED, choice.scenario.replicates)


def _distribution(
    asked: Query, choice: Choice, answers: Mapping[str, Answered], single: int | None
) -> tuple[View, None]:
    """P(targets | evidence) by method: ranges with the truth; a table says the numbers."""
    method, last = list(answers.items())[-1]
    labels = [", ".join(states) for states in last.states]
    lead = say.asked(method, last, choice.scenario.epsilon)
    lead += say.likeliest(method, likeliest(last))
    together = (
        "Tick: truth. Bands: 50, 80 and 95 % of releases; beside each method the median of its "
        "error in total (0 exact, 2 worst)."
    )
    title = say.question(asked.targets, asked.given)
    texts = _texts(asked, choice, title, lead, together, tuple(answers), single)

    def told(answer: Answered, row: int) -> str:
        if single is not None:
            return f"{answer.private[single, row]:.2f}"
        return f"{answer.bands[0, row]:.2f} to {answer.bands[-1, row]:.2f}"

    shown = [
        [label, f"{last.truth[row]:.2f}", *(told(answer, row) for answer in answers.values())]
        for row, label in enumerate(labels)
    ]
    heads = (", ".join(asked.targets), "truth", *answers)
    figure = answer_figure(labels, answers, single)
    table = answer_table(labels, answers)
    return figure_view("answers", texts, {"answers": figure}, table, (heads, shown)), None


def _explanation(
    asked: Query, choice: Choice, parts: Mapping[str, Explained], single: int | None
) -> tuple[View, Table]:
    """The most probable states of all free variables by method.

    How often each method names every state, or whether one release does; below, by variable,
    shares as bars, or the states that one release names.
    """
    method, last = list(parts.items())[-1]
    lead = say.explained(method, last, choice.scenario.epsilon)
    together = "Below, by variable: share of releases that name the true state."
    given = ", ".join(f"{k} = {v}" for k, v in asked.given.items())
    title = "Most probable explanation" + (f" of {given}" if given else "")
    texts = _texts(asked, choice, title, lead, together, tuple(parts), single)
    names, states = [variable.name for variable in last.variables], list(last.states.values())
    columns: dict[str, list[Any]] = {"variable": names, "truth": states}
    columns |= {f"{m} agrees": numbers(e.agreement) for m, e in parts.items()}
    every, heads = [], {}
    rows: dict[str, list[Any]] = {"variable": names, "true state": states}
    for name, one in parts.items():
        if single is None:
            every.append(words.share(one.whole))
            rows[name] = one.agreement.tolist()
            heads[name] = st.column_config.ProgressColumn(
                name, help="Share of releases that name the true state", format="percent",
                min_value=0.0, max_value=1.0,
            )  # fmt: skip
        else:
            every.append("this one does" if one.hits[single] else "not this one")
            pairs = zip(one.variables, one.private[single], one.truth, strict=True)
            rows[name] = [f"{'=' if k == t else '≠'} {v.states[k]}" for v, k, t in pairs]
    shown = {"method": list(parts), "releases that name every state": every}
    return table_view("answers", texts, columns, shown=shown), (heads, rows)


def _texts(
    asked: Query, choice: Choice, title: str, lead: str, together: str, methods: tuple[str, ...],
    single: int | None,
) -> Words:  # fmt: skip
    more = words.asked_for(asked.targets, asked.given)
    return Words(
        title=title,
        subtitle=f"{lead} {choice.scenario.replicates} releases, against the truth.",
        caption=together
        if single is None
        else f"release {single + 1} of {releases(choice)}: in life you publish one of them, and "
        "see only that.",
        alt=f"{title}: truth against private answers of {', '.join(methods)}. {lead}",
        details={
            "Study only": "Truth comes from the exact counts; it is not private.",
            "Source": "core/inference/queries.py: exact answers, on a junction tree",
            "Command line": command("query", choice, f"--method {methods[0]} {more}"),
        },
        file="equipoise-study-answers.csv",
    )
