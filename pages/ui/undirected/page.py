"""What Undirected shows: knobs, the view that is looked at, and the job behind it."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.markov.collective import STEPS
from core.markov.mobility import Town
from core.scenario import Scenario
from core.undirected.estimators import ESTIMATORS
from core.undirected.sample import KINDS, MORAL, Setting, Shape
from figures.undirected import SHORT
from pages.ui.kit import dragging, jobs, words
from pages.ui.kit.inputs import Choice
from pages.ui.kit.sheet import Room, Sheet, Top
from pages.ui.kit.state import KEEP
from pages.ui.undirected import more_views, numbers, tasks, views
from pages.ui.undirected.numbers import Asked, store_of, truth_of
from pages.ui.undirected.tasks import Task
from pages.ui.undirected.views import Page

JOB = "undirected"
TOWN_ALONE = (
    "A town has a chain of its own: model, nodes and states above are not used here, and neither "
    "are Gaussian noise and DP-SGD."
)
START = ["naive", "cgm", "gaussian", "dp-sgd", "non-private"]
LOOPY = "On Edge marginals: what messages around cycles make of the true model. For teaching."
NAMES = {"chain": "Third-order chain", "random": "Random graph"}


@dataclass(frozen=True)
class Aspect:
    """One view: its work in steps, and its pictures; ``live`` when it follows the slider."""

    work: Callable[[Asked], list[Task]]
    draw: Callable[[Asked, float], Page]
    what: str = "points"
    live: bool = False


VIEWS = {
    "Learning curves": Aspect(tasks.learning, views.learning, live=True),
    "Edge marginals": Aspect(tasks.marginals, views.marginal, "estimators"),
    "Slopes": Aspect(tasks.squares, views.falling, live=True),
    "Projection": Aspect(tasks.projections, more_views.projection),
    "λ and EM steps": Aspect(tasks.tuning, more_views.penalty, "steps"),
    "Mobility": Aspect(tasks.holdouts, more_views.mobility, live=True),
    "Time": Aspect(tasks.times, more_views.times),
}


def knobs(choice: Choice) -> Asked:
    """Draw the knobs; what they ask for. A model that cannot be trained raises its sentence."""
    picked = str(st.session_state.network)
    names = {**NAMES, MORAL: f"Moral graph of {picked}"}
    row = st.columns([1.7, 0.8, 0.8, 0.9, 0.9, 0.8], vertical_alignment="bottom")
    kind = row[0].selectbox(
        "Model", KINDS, 0, key="und_kind", format_func=names.__getitem__, **KEEP
    )
    moral = kind == MORAL
    note = "The network has its own." if moral else None
    nodes, states = (
        cell.number_input(
            label, 2, most, start, key=f"und_{label.lower()}", disabled=moral, help=note, **KEEP
        )
        for cell, label, most, start in ((row[1], "Nodes", 40, 10), (row[2], "States", 20, 5))
    )
    share = row[3].number_input(
        "**λ** in b/N", 0.0, 100.0, Shape(kind).share, 0.1,
        key=f"und_share_{'moral' if moral else 'synthetic'}",
        help="Penalty on squared log-potentials, in units of noise over records.", **KEEP,
    )  # fmt: skip
    steps = row[4].number_input(
        "EM steps", 0, 200, STEPS, key="und_steps", help="Of CGM, after its start.", **KEEP
    )
    with row[5].popover("More", width="stretch"):
        more: dict[str, Any] = {
            "projected": st.toggle("Project noisy tables first", True, key="und_projected", **KEEP),
            "zero": st.toggle("Start EM from zero, not from naive", key="und_zero", **KEEP),
            "populations": st.number_input("Populations", 1, 20, 5, key="und_populations", **KEEP),
            "repeats": st.number_input("Noise draws for each", 1, 20, 2, key="und_repeats", **KEEP),
        }
        loopy = st.toggle("Show loopy belief propagation", key="und_loopy", help=LOOPY, **KEEP)
    estimators = st.pills(
        "Estimators", list(ESTIMATORS), selection_mode="multi", default=START,
        format_func=SHORT.__getitem__, key="und_estimators", wrap=True, **KEEP,
    )  # fmt: skip
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    view = left.segmented_control(
        "View", list(VIEWS), default=next(iter(VIEWS)), key="und_view", required=True,
        wrap=True, **KEEP,
    )  # fmt: skip
    shape = Shape(kind) if moral else Shape(kind, int(nodes), int(states))
    scenario, records = choice.scenario, choice.study.records
    setting = Setting(
        scenario.epsilon, records, scenario.neighbours, float(share), steps=int(steps),
        seed=scenario.seed, **more,
    )  # fmt: skip
    town = _town() if view == "Mobility" else Town()
    other = numbers.BUDGETS[1]
    if view == "Learning curves":
        other = right.selectbox("Second **ε**", numbers.BUDGETS, 1, key="und_other", **KEEP)
    return Asked(
        choice, picked, shape, truth_of(shape, choice, picked), setting,
        tuple(e for e in ESTIMATORS if e in estimators), view, other, town, loopy,
        store_of(shape, choice, setting),
    )  # fmt: skip


def _town() -> Town:
    start = Town()
    row = [*st.columns(4), *st.columns(5)]
    limits = {
        "people": (100, 50_000, 1000), "places": (1, 30, 1), "slots": (2, 12, 1),
        "segments": (1, 24, 1), "stay": (0.01, 0.98, 0.05), "leave": (0.01, 0.98, 0.05),
        "arrive": (0.01, 0.99, 0.05), "unevenness": (0.0, 4.0, 0.25),
        "presence": (0.01, 0.99, 0.05),
    }  # fmt: skip
    return Town(
        **{
            name: cell.number_input(
                name.capitalize(), low, high, getattr(start, name), step,
                key=f"und_town_{name}", **KEEP,
            )
            for cell, (name, (low, high, step)) in zip(row, limits.items(), strict=True)
        }
    )  # fmt: skip


def measuring(asked: Asked) -> jobs.Job | None:
    """The job for what the view lacks: started at once, unless it was stopped by hand."""
    return jobs.unasked(JOB, asked.key, lambda: start(asked))


def start(asked: Asked) -> jobs.Job | None:
    """A job for the steps still missing, or none when there are none."""
    missing = tasks.todo(VIEWS[asked.view].work(asked), asked.store.refused)
    if not missing:
        return None
    work = functools.partial(tasks.steps, missing, asked.store.refused)
    return jobs.start(JOB, asked.key, len(missing), work, patience=jobs.UNASKED)


def sheet(asked: Asked, live: Scenario) -> Sheet:
    """The view that is looked at; ``live`` is what the sidebar says while the slider moves."""
    view = VIEWS[asked.view]
    page = view.draw(asked, live.epsilon if view.live else asked.setting.epsilon)
    columns = max(len(row.split()) for row in page.areas)
    badge = "Study: compares with the truth, not for publication"
    knobs = dragging.knobs(live)
    top = Top("Compare undirected models", badge, page.finding, asked.scenario, knobs)
    room = Room(page.areas, f"repeat({columns}, minmax(0, 1fr))")
    return Sheet(page.views, room, top=top, live=True)


def notice(asked: Asked) -> str:
    """What is not used or left out, and why; or nothing."""
    said = [TOWN_ALONE] if asked.view == "Mobility" else []
    if short := numbers.unfinished(asked.store, asked.view):
        said.append(
            f"{words.counted(short, 'replicate')} here were not solved to tolerance; what was "
            "reached is shown."
        )
    refused = dict(asked.store.refused)
    labels = [task.label for task in VIEWS[asked.view].work(asked) if task.label in refused]
    if labels:
        more = f" ({len(labels) - 1} more like it)" if len(labels) > 1 else ""
        said.append(f"Left out: {labels[0]}, because {refused[labels[0]]}{more}.")
    return " ".join(said)
