"""Answers to one question, dressed: ranges over releases, or one release at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
from pages.ui.utility.sweep import PLAYED, check_size

Table = tuple[dict[str, Any], dict[str, list[Any]]]
"""Column configuration and columns, as ``st.dataframe`` takes them."""


def answer_to(asked: Query, choice: Choice, truth: Truth, methods: tuple[str, ...]) -> Answer:
    """Computed once for a scenario; a single release is read off."""
    counts, scenario = choice.study.counts, choice.scenario
    said = (asked.targets, tuple(asked.given.items()))
    key = ("answers", said, methods, choice.study.fingerprint, choice.network, scenario)
    if asked.targets:
        check_size(truth.network, asked.targets)
        return Distribution(asked, choice, compute.remembered(
            key, lambda: {m: answered(asked, m, truth, counts, scenario) for m in methods}
        ))  # fmt: skip
    return Explanation(asked, choice, compute.remembered(
        key, lambda: {m: explained(asked.given, m, truth, counts, scenario) for m in methods}
    ))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Distribution:
    """P(targets | evidence) by method."""

    asked: Query
    choice: Choice
    answers: Mapping[str, Answered]

    def view(self, single: int | None) -> View:
        """Ranges with the truth; a table says the numbers."""
        title = say.question(self.asked.targets, self.asked.given)
        method, last = list(self.answers.items())[-1]
        labels = [say.label(last, row) for row in range(len(last.truth))]
        texts = _texts(
            self.asked,
            self.choice,
            title,
            say.asked(method, last, self.choice.scenario.epsilon)
            + say.likeliest(method, likeliest(last)),
            _which(self, single, "Tick: truth. Bands: 50, 80 and 95 % of releases; beside each "
                   "method the median of its error in total (0 exact, 2 worst)."),
            tuple(self.answers),
        )  # fmt: skip
        shown = [
            [label, f"{last.truth[row]:.2f}", *(self._told(m, row, single) for m in self.answers)]
            for row, label in enumerate(labels)
        ]
        heads = (", ".join(self.asked.targets), "truth", *self.answers)
        figure = answer_figure(labels, self.answers, single)
        table = answer_table(labels, self.answers)
        return figure_view("answers", texts, {"answers": figure}, table, (heads, shown))

    def _told(self, method: str, row: int, single: int | None) -> str:
        answer = self.answers[method]
        if single is not None:
            return f"{answer.private[single, row]:.2f}"
        return f"{answer.bands[0, row]:.2f} to {answer.bands[-1, row]:.2f}"

    def states(self, single: int | None) -> Table | None:
        """Probabilities are drawn; there is nothing to say state by state."""
        return None


@dataclass(frozen=True, eq=False)
class Explanation:
    """The most probable states of all free variables by method."""

    asked: Query
    choice: Choice
    explained: Mapping[str, Explained]

    def view(self, single: int | None) -> View:
        """How often each method names every state, or whether one release does."""
        method, last = list(self.explained.items())[-1]
        given = ", ".join(f"{k} = {v}" for k, v in self.asked.given.items())
        title = "Most probable explanation" + (f" of {given}" if given else "")
        texts = _texts(
            self.asked,
            self.choice,
            title,
            say.explained(method, last, self.choice.scenario.epsilon),
            _which(self, single, "Below, by variable: share of releases that name the true state."),
            tuple(self.explained),
        )
        columns: dict[str, list[Any]] = {
            "variable": [variable.name for variable in last.variables],
            "truth": list(last.states.values()),
        }
        columns |= {f"{m} agrees": numbers(e.agreement) for m, e in self.explained.items()}
        told = [
            words.share(e.whole) if single is None else say.right(bool(e.hits[single]))
            for e in self.explained.values()
        ]
        shown = {"method": list(self.explained), "releases that name every state": told}
        return table_view("answers", texts, columns, shown=shown)

    def states(self, single: int | None) -> Table:
        """Variable by variable: shares as bars, or the states that one release names."""
        last = list(self.explained.values())[-1]
        columns: dict[str, list[Any]] = {
            "variable": [variable.name for variable in last.variables],
            "true state": list(last.states.values()),
        }
        heads: dict[str, Any] = {}
        for method, one in self.explained.items():
            if single is None:
                columns[method] = one.agreement.tolist()
                heads[method] = st.column_config.ProgressColumn(
                    method, help="Share of releases that name the true state", format="percent",
                    min_value=0.0, max_value=1.0,
                )  # fmt: skip
            else:
                pairs = zip(one.variables, one.private[single], one.truth, strict=True)
                columns[method] = [f"{'=' if k == t else '≠'} {v.states[k]}" for v, k, t in pairs]
        return heads, columns


Answer = Distribution | Explanation
"""What a question's answers show, all together or of one release."""


def releases(answer: Answer) -> int:
    """How many can be played."""
    return min(PLAYED, answer.choice.scenario.replicates)


def _which(answer: Answer, single: int | None, together: str) -> str:
    if single is None:
        return together
    return (
        f"release {single + 1} of {releases(answer)}: in life you publish one of them, and see "
        "only that."
    )


def _texts(
    asked: Query, choice: Choice, title: str, lead: str, caption: str, methods: tuple[str, ...]
) -> Words:
    more = words.asked_for(asked.targets, asked.given)
    return Words(
        title=title,
        subtitle=f"{lead} {choice.scenario.replicates} releases, against the truth.",
        caption=caption,
        alt=f"{title}: truth against private answers of {', '.join(methods)}. {lead}",
        details={
            "Study only": "Truth comes from the exact counts; it is not private.",
            "Source": "core/inference/queries.py: exact answers, on a junction tree",
            "Command line": command("query", choice, f"--method {methods[0]} {more}"),
        },
        file="equipoise-study-answers.csv",
    )
