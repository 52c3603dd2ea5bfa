"""Backwards on Utility: from the largest acceptable error to the smallest ε of each method."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.study.solve import Goal, Solution, solve
from pages.ui import board, jobs, utility_board, words
from pages.ui import utility_words as say
from pages.ui.inputs import command
from pages.ui.utility import Sweep, progress
from sources.study import Once

JOB = "solve"
QUESTION = "question"
STARTS = {"l1_row": 0.2, "marginal_l1": 0.02, "query_l1": 0.05, "map_accuracy": 0.9, QUESTION: 0.02}
"""What is offered first for each kind of goal."""


def builder(here: Sweep, asked: Query | None) -> Goal | None:
    """The widgets; none while the button was not pressed for this goal."""
    columns = {m.name: m.column for m in here.metrics}
    if asked is not None and asked.targets:
        columns[QUESTION] = f"every probability of {say.question(asked.targets, asked.given)}"
    left, middle, right = st.columns([3, 1.2, 1.6], vertical_alignment="bottom")
    kind = left.selectbox(
        "What must be right", list(columns), format_func=columns.get, key="solve_kind"
    )
    label = {"map_accuracy": "at least"}.get(kind, "off by at most")
    limit = middle.number_input(
        label, 0.0001, 2.0, STARTS[kind], step=0.01, format="%.4g", key=f"solve_limit_{kind}"
    )
    population = right.toggle(
        "against the population",
        key="solve_population",
        help="The records are a sample themselves. Against the population their own sampling "
        "error counts too, and may alone be larger than you accept.",
    )
    if kind == QUESTION:
        return Goal(limit, queries=(asked,), population=population)
    return Goal(limit, kind, population=population)


def section(here: Sweep, asked: Query | None) -> None:
    """The whole section: widgets, a button, progress, the answer."""
    try:
        goal = builder(here, asked)
    except EquipoiseError as problem:
        st.error(str(problem), icon=":material/error:")
        return
    key = (here.key, goal)
    job = jobs.current(JOB)
    if job is None or job.key != key:
        st.button("Find the smallest ε", on_click=_start, args=(here, goal), type="primary")
        return
    _watch(here, goal, job)


def _start(here: Sweep, goal: Goal) -> None:
    found: list[Solution] = []
    st.session_state["solved"] = found
    counts = Once(here.choice.study.counts.rows)

    def work() -> Iterator[None]:
        for method in here.methods:
            found.extend(solve(here.truth, counts, here.choice.scenario, goal, methods=[method]))
            yield

    jobs.start(JOB, (here.key, goal), len(here.methods), work)


def _watch(here: Sweep, goal: Goal, job: jobs.Job) -> None:
    """Draw what is found; look again while more is to come."""

    @st.fragment(run_every=jobs.POLL if job.alive else None)
    def look() -> None:
        progress(job, "methods", "solve_stop")
        found = list(st.session_state["solved"])
        if found or not job.alive:
            utility_board.mount_notes([_table(here, goal, found)], key="solved_notes")
        if not job.alive and st.session_state.get("solve_ended") is not job:
            st.session_state.solve_ended = job
            st.rerun()

    look()


def _table(here: Sweep, goal: Goal, found: list[Solution]) -> board.Data:
    asked = say.question(goal.queries[0].targets, goal.queries[0].given) if goal.queries else ""
    texts = board.Words(
        title="The smallest ε that is enough",
        subtitle=say.solved(found),
        caption=f"Asked for: {say.goal(goal.metric, goal.limit, asked, goal.population)}.",
        alt="Smallest ε of each method for this goal.",
        details=(
            (
                "Formula",
                "Bracketed by steps of four, then halved on the log scale; the same random draws "
                "serve every ε. Against the population: √(noise² + sampling²).",
            ),
            ("Study only", "Choosing ε by looking at the records leaks; use a public stand-in."),
            ("Command line", _command(here, goal)),
        ),
        file="equipoise-study-solved.csv",
    )
    rows = [
        [
            s.method if say.pure(s.method) else f"{s.method} (not pure ε)",
            "none" if s.epsilon is None else words.budget(s.epsilon),
            "–" if s.reached is None else words.error(s.reached),
            _interval(s),
            s.reason,
        ]
        for s in found
    ]
    return utility_board.facts(texts, ("method", "ε", "reached", "95 % interval", "note"), rows)


def _interval(solution: Solution) -> str:
    if solution.low is None or solution.high is None:
        return "–"
    return f"{words.error(solution.low)} to {words.error(solution.high)}"


def _command(here: Sweep, goal: Goal) -> str:
    more = f"--methods {','.join(here.methods)} --goal {words.exactly(goal.limit)}"
    for asked in goal.queries:
        given = ",".join(f"{k}={v}" for k, v in asked.given.items())
        more += f" --ask {words.quoted(','.join(asked.targets) + ('|' + given if given else ''))}"
    if not goal.queries:
        more += f" --metric {goal.metric}"
    if goal.population:
        more += " --population"
    return command("solve", here.choice, more)
