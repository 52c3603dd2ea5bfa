"""Backwards on Utility: from the largest acceptable error to the smallest ε of each method."""

from collections.abc import Iterator

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.parallel import cores
from core.study.solve import Goal, Solution, solving
from pages.ui.kit import jobs, words
from pages.ui.kit.inputs import command
from pages.ui.kit.markdown import refuse
from pages.ui.kit.messages import View
from pages.ui.kit.progress import draw_again, progress
from pages.ui.kit.sheet import Words, stacked, table_view
from pages.ui.utility import words as say
from pages.ui.utility.sweep import Sweep
from sources.named_numbers import number_text
from sources.study import Once

JOB = "solve"
QUESTION = "question"
STARTS = {
    "l1_row": 0.2,
    "l1_weighted": 0.02,
    "marginal_l1": 0.02,
    "query_l1": 0.05,
    "map_accuracy": 0.9,
    QUESTION: 0.02,
}
"""What is offered first for each kind of goal."""


def builder(measured: Sweep, asked: Query | None) -> Goal:
    """The widgets; what they ask for."""
    goals = {quantity.key: quantity.name for quantity in measured.matched}
    if asked is not None and asked.targets:
        goals[QUESTION] = f"every probability of {say.question(asked.targets, asked.given)}"
    left, middle, right = st.columns([3, 1.2, 1.6], vertical_alignment="bottom")
    kind = left.selectbox(
        "What must be right", list(goals), format_func=goals.__getitem__, key="solve_kind"
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
    if kind == QUESTION and asked is not None:
        return Goal(limit, queries=(asked,), population=population)
    return Goal(limit, kind, population=population)


def section(measured: Sweep, asked: Query | None) -> None:
    """The whole section: widgets, a button, progress, the answer."""
    try:
        goal = builder(measured, asked)
    except EquipoiseError as problem:
        refuse(problem)
        return
    key = (measured.key, goal)
    job = jobs.current(JOB)
    if job is None or job.key != key:
        st.button("Find the smallest ε", on_click=_start, args=(measured, goal), type="primary")
        return
    _watch(measured, goal, job)


def _start(measured: Sweep, goal: Goal) -> None:
    solutions: list[Solution] = []
    st.session_state["solved"] = solutions
    counts = Once(measured.choice.study.counts.source)

    def work() -> Iterator[None]:
        asked = (measured.truth, counts, measured.choice.scenario, goal)
        for solution in solving(*asked, methods=measured.methods, workers=cores()):
            solutions.append(solution)
            yield

    jobs.start(JOB, (measured.key, goal), len(measured.methods), work)


def _watch(measured: Sweep, goal: Goal, job: jobs.Job) -> None:

    @st.fragment(run_every=jobs.POLL if job.alive else None)
    def look() -> None:
        progress(job, "methods", "solve_stop")
        solutions = list(st.session_state["solved"])
        if solutions or not job.alive:
            stacked(_table(measured, goal, solutions)).mount(key="solved")
        draw_again(job)

    look()


def _table(measured: Sweep, goal: Goal, solutions: list[Solution]) -> View:
    asked = say.question(goal.queries[0].targets, goal.queries[0].given) if goal.queries else ""
    texts = Words(
        title="The smallest ε that is enough",
        subtitle=say.solved(solutions),
        caption=f"Asked for: {say.goal(goal.metric, goal.limit, asked, goal.population)}.",
        alt="Smallest ε of each method for this goal.",
        details={
            "Formula": "Bracketed by steps of four, then halved on the log scale; the same random "
            "draws serve every ε. Against the population: √(noise² + sampling²).",
            "Study only": "Choosing ε by looking at the records leaks; use a public stand-in.",
            "Command line": _command(measured, goal),
        },
    )
    columns = {
        "method": [say.promising(s.method) for s in solutions],
        "ε": ["none" if s.epsilon is None else words.budget(s.epsilon) for s in solutions],
        "reached": ["–" if s.reached is None else words.error(s.reached) for s in solutions],
        "95 % interval": [
            "–"
            if s.low is None or s.high is None
            else f"{words.error(s.low)} to {words.error(s.high)}"
            for s in solutions
        ],
        "note": [s.reason for s in solutions],
    }
    return table_view("solved", texts, columns)


def _command(measured: Sweep, goal: Goal) -> str:
    more = f"--methods {','.join(measured.methods)} --goal {number_text(goal.limit)}"
    for asked in goal.queries:
        given = ",".join(f"{k}={v}" for k, v in asked.given.items())
        more += f" --ask {words.quoted(','.join(asked.targets) + ('|' + given if given else ''))}"
    if not goal.queries:
        more += f" --metric {goal.metric}"
    if goal.population:
        more += " --population"
    return command("solve", measured.choice, more)
