"""Risk's page: sheets and, between them, the controls that are Streamlit's."""

from __future__ import annotations

import streamlit as st

from core.network import Network
from pages.ui.kit import acting, compute, dragging, inputs, jobs, state
from pages.ui.kit.acting import SHOWN
from pages.ui.kit.component import Answers
from pages.ui.kit.inputs import Choice
from pages.ui.kit.knob import read_knob
from pages.ui.kit.replies import one_of, read_edit
from pages.ui.kit.rowless import rowless
from pages.ui.kit.sheet import Room, Sheet, Top
from pages.ui.risk import causes, curve_views, guessed_value, numbers, review, threshold_inputs
from pages.ui.risk import sentences as say
from pages.ui.risk.numbers import POOLS, PRIORS, REVIEWED

JOB = "attack"
ONE = Room(("tradeoff", "accuse"), "minmax(0, 1fr)")
WIDE = Room(("tradeoff accuse",), "minmax(0, 664fr) minmax(270px, 380fr)")
GRID = Room(("review",), "minmax(0, 1fr)")
CAUSES = Room(("nodes rails", "graph graph"), "minmax(0, 1fr) minmax(0, 1.3fr)")
STACKED = Room(("nodes", "rails", "graph"), "minmax(0, 1fr)")


def show(choice: Choice, session: state.Session) -> None:
    """Everything that follows ε: all numbers first, so that the picture changes as one."""
    exposure = numbers.exposure(SHOWN[session.method], choice)
    results = numbers.results(choice)
    own, _ = numbers.measured(results, session.method)
    rows = review.rows(exposure, results, session)
    suspects = _suspects()
    best = curve_views.proven(exposure)
    top = Top(
        "Assess the risk",
        "Study: measured attacks use the private rows",
        say.finding(
            best,
            review.broken([row for row in rows if row.key == best.key]),
            review.broken([row for row in rows if row.about == "exact"]),
        ),
        inputs.describe(choice),
        dragging.knobs(choice.scenario),
    )
    charts = [
        curve_views.tradeoff(choice, session, exposure, results, suspects[0]),
        curve_views.accuse(choice, session, exposure, own, suspects),
    ]
    grid = [review.view(choice, session, results, rows)]
    reasons = [
        causes.nodes(exposure),
        causes.rails(numbers.standing(choice)),
        causes.graph(choice, session, exposure),
    ]
    answers: Answers = {"knob": (read_knob, dragging.moved)}
    Sheet([], ONE, ONE, top, live=True).mount(key="risk_finding", answers=answers)
    _controls(session)
    Sheet(charts, WIDE, ONE).mount(key="risk_curves")
    Sheet(grid, GRID, GRID).mount(key="risk_review")
    threshold_inputs.show(session)
    _attack()
    guessed_value.section(choice, session)
    Sheet(reasons, CAUSES, STACKED).mount(key="risk_causes", answers=_answers(choice.network))


def _answers(network: Network) -> Answers:
    names = set(network.names)
    return {
        "selected": (lambda sent: one_of(sent, names), acting.select),
        "edit": (lambda sent: read_edit(sent, names), acting.edit),
    }


def _suspects() -> tuple[float, float]:
    """The false-alarm rate and the share of members among the suspects, as set below."""
    held = st.session_state
    return held.get("risk_alarm", REVIEWED[1]), held.get("risk_prior", PRIORS[3])


def _controls(session: state.Session) -> None:
    """Which release is on show, and what the accusations assume."""
    if st.session_state.get("risk_method") != session.method:
        st.session_state["risk_method"] = session.method
    with st.container(horizontal=True, gap="small", vertical_alignment="top"):
        st.segmented_control(
            "Release by",
            list(SHOWN),
            key="risk_method",
            on_change=_choose,
            required=True,
            width="content",
        )
        st.segmented_control(
            "False alarms the attacker accepts",
            REVIEWED,
            default=REVIEWED[1],
            format_func=say.percent,
            key="risk_alarm",
            required=True,
            persist_state="session",
            width="content",
        )
        st.select_slider(
            "Members among the suspects",
            PRIORS,
            PRIORS[3],
            format_func=say.percent,
            key="risk_prior",
            persist_state="session",
            width=160,  # all three stand in one row at 150 % zoom
        )


def _choose() -> None:
    acting.choose(st.session_state["risk_method"])


def _attack() -> None:
    """Number of pools, and the button that runs the attacks in the background."""
    if rowless(inputs.chosen().study, "risk_rows"):
        return
    job = jobs.current(JOB)
    running = job is not None and job.alive
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.segmented_control(
            "Number of pools",
            POOLS,
            default=POOLS[0],
            key="risk_pools",
            required=True,
            persist_state="session",
            width="content",
        )
        st.button(
            "Attack running" if running else "Run the attack",
            key="risk_attack",
            type="primary",
            on_click=attack,
            disabled=running,
        )
        st.caption(
            "Attacks this release, the exact conditionals and smoothed ones, in the background. "
            "Study only: it uses the private rows.",
            width="stretch",
        )


def attack() -> None:
    """Start the attacks of the release, of the exact and of the smoothed conditionals."""
    choice, session = inputs.chosen(), state.load()
    attacks = numbers.planned(choice, SHOWN[session.method], st.session_state["risk_pools"])
    results = numbers.results(choice)
    steps = numbers.steps_of(attacks)
    compute.looked(choice.study, choice.network, tuple(attacks), choice.scenario)
    jobs.start(JOB, None, steps, lambda: numbers.work(choice, attacks, results))
    state.change(refresh=True)
