"""What Utility shows: curves of error against ε, and what ε buys."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.study.error_curves import error_curve
from core.study.metrics import Truth
from pages.ui import board, compute, inputs, jobs, utility_board
from pages.ui import utility_numbers as numbers
from pages.ui import utility_words as say
from pages.ui.inputs import Choice, command

REFERENCE = "uniform"
JOB = "sweep"
QUICK = 0.6
"""Seconds a page waits for work that is about to end."""
SHOWN = 100
"""Most releases behind a picture that is drawn while the reader waits."""
BANDS = {"error": "bands: 50, 80 and 95 % of them", "share": "band: 50 % of them"}


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is measured for the sidebar's choice, whatever its ε; shared by all reruns."""

    choice: Choice
    truth: Truth
    methods: tuple[str, ...]
    found: numbers.Found

    @property
    def metrics(self) -> tuple[say.Metric, ...]:
        """Those that this network can be asked."""
        silent = compute.unanswerable(self.choice.network)
        return tuple(m for m in say.METRICS if not (silent and m.needs_answers))

    @property
    def key(self) -> tuple[object, ...]:
        """What a job works for: everything but ε."""
        whole = replace(self.choice.scenario, epsilon=1.0)
        return (self.choice.study.fingerprint, self.choice.network, whole, self.methods)


def lighter(choice: Choice) -> Choice:
    """The choice with at most ``SHOWN`` releases: enough for bands that are drawn at once."""
    scenario = replace(choice.scenario, replicates=min(choice.scenario.replicates, SHOWN))
    return replace(choice, scenario=scenario)


def sweep(choice: Choice, methods: tuple[str, ...]) -> Sweep:
    """What is measured so far; points found before are kept when methods come and go."""
    whole = replace(choice.scenario, epsilon=1.0)
    key = ("utility", choice.study.fingerprint, choice.network, whole)
    found: numbers.Found = compute.remembered(key, dict)
    return Sweep(choice, compute.truth_of(choice.study, choice.network), methods, found)


def measuring(here: Sweep) -> jobs.Job | None:
    """The job for what is missing: started at once, unless it was stopped by hand."""
    job = jobs.current(JOB)
    if job is not None and job.key == here.key:
        return job
    job = resume(here)
    if job is not None:
        job.wait(QUICK)  # drawn once and whole when it is quick
    return job


def resume(here: Sweep) -> jobs.Job | None:
    """A job for the points still missing, or none when there are none."""
    points = numbers.todo(here.found, here.methods)
    if not points:
        return None
    metrics = [m.name for m in here.metrics]
    choice = here.choice
    compute.looked(choice.study, here.key)

    def work() -> numbers.Steps:
        return numbers.steps(here.found, points, here.truth, choice.study, choice.scenario, metrics)

    return jobs.start(JOB, here.key, len(points), work)


def page_data(here: Sweep, reference_epsilon: float) -> board.Data:
    """Curves, matches and finding of what is measured so far."""
    choice, epsilon = here.choice, here.choice.scenario.epsilon
    found = dict(here.found)  # the job goes on adding
    last = here.metrics[-1 if len(here.metrics) == 1 else 2].name
    curves = {m: error_curve(found, m, last) for m in here.methods}
    matches = numbers.matches(found, REFERENCE, reference_epsilon)
    return {
        "epsilon": epsilon,
        "scenario": inputs.describe(choice),
        "heading": "Measure the utility",
        "badge": "Study: compares with the truth, not for publication",
        "finding": say.finding(curves, epsilon, matches, last),
        "notice": say.notice(here.methods),
        "charts": [_chart(here, found, metric) for metric in here.metrics],
        "matches": _matches(here, found, matches, reference_epsilon),
    }


def _chart(here: Sweep, found: numbers.Found, metric: say.Metric) -> board.Data:
    epsilon = here.choice.scenario.epsilon
    curves = [error_curve(found, m, metric.name) for m in here.methods]
    dashes = utility_board.dashes(here.methods)
    texts = board.Words(
        title=metric.title,
        subtitle=metric.subtitle,
        caption="",
        alt=f"{metric.title}: {metric.subtitle}, against ε, for {', '.join(here.methods)}.",
        details=(
            ("Formula", metric.formula),
            (
                "Reading",
                f"Line: median of {here.choice.scenario.replicates} releases; "
                f"{BANDS[metric.kind]}. Dots are measured; between them the line is drawn "
                "straight on these scales.",
            ),
            ("Study only", "Measured against the exact counts, so it is not private."),
            ("Command line", _sweep_command(here, metric.name)),
        ),
        file=f"equipoise-study-{metric.name.replace('_', '-')}.csv",
    )
    return {
        **vars(texts),
        "metric": metric.name,
        "kind": metric.kind,
        "range": [numbers.GRID[0], numbers.GRID[-1]],
        "series": [
            utility_board.series(c.method, dashes[c.method], c.epsilons, c.bands, c.at(epsilon))
            for c in curves
        ],
    }


def _matches(
    here: Sweep, found: numbers.Found, matches: dict, reference_epsilon: float
) -> board.Data:
    texts = board.Words(
        title="ε needed for the same error",
        subtitle=f"as {REFERENCE} at ε = {reference_epsilon:g}; in brackets the share of its "
        "budget",
        caption="Mean over releases, between measured budgets on log scales. Below 1× is cheaper "
        f"than {REFERENCE}. Saturated: {REFERENCE} itself is no worse with less, so what others "
        "need for the same is no saving.",
        alt=f"The ε at which each method is as good as {REFERENCE} at ε = {reference_epsilon:g}.",
        details=(
            ("Formula", "the smallest ε whose mean error equals the reference's at its own ε."),
            (
                "Command line",
                _sweep_command(here, ",".join(m.name for m in here.metrics))
                + f" --reference-epsilon {reference_epsilon:g}",
            ),
        ),
        file="equipoise-study-matches.csv",
    )
    rows = []
    for method in here.methods:
        cells = [
            say.needed(matches.get((method, m.name)), error_curve(found, method, m.name))
            for m in here.metrics
        ]
        rows.append([method if say.pure(method) else f"{method} (not pure ε)", *cells])
    return utility_board.facts(texts, ["method", *(m.column for m in here.metrics)], rows)


def _sweep_command(here: Sweep, metrics: str) -> str:
    epsilons = ",".join(f"{e:g}" for e in numbers.GRID)
    more = f"--methods {','.join(here.methods)} --epsilons {epsilons} --metrics {metrics}"
    return command("sweep", here.choice, more)


def progress(job: jobs.Job | None, what: str, key: str) -> None:
    """How far the job is; a button that stops it."""
    if job is None or job.end == "done":
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    share = job.done / max(job.total, 1)
    left.progress(share, jobs.status(job, what))
    if job.alive:
        right.button("Stop", on_click=job.stop, key=key, width="stretch")
