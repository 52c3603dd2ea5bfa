"""Risk's page: sheets and, between them, the controls that are Streamlit's."""

from typing import Any

import streamlit as st

from pages.ui.kit import acting, compute, dragging, inputs, jobs, state
from pages.ui.kit.acting import SHOWN, among, read_edit
from pages.ui.kit.component import Answers
from pages.ui.kit.inputs import Choice
from pages.ui.kit.rowless import rowless
from pages.ui.kit.sheet import Room, Sheet, stacked, study_top
from pages.ui.kit.state import KEEP
from pages.ui.risk import curve_views, guessed_value, numbers, review
from pages.ui.risk import sentences as say
from pages.ui.risk.numbers import POOLS, PRIORS, REVIEWED

JOB = "attack"
LEVEL: dict[str, Any] = {"required": True, "width": "content"}
ONE = Room(("tradeoff", "accuse"))
WIDE = Room(("tradeoff accuse",), "minmax(0, 664fr) minmax(270px, 380fr)")
CAUSES = Room(("nodes rails", "graph graph"), "minmax(0, 1fr) minmax(0, 1.3fr)")


def show(choice: Choice, session: state.Session) -> None:
    """Everything that follows ε: all numbers first, so that the picture changes as one."""
    exposure = numbers.exposure(session.method, choice)
    results = numbers.results(choice)
    own, _ = numbers.measured(results, session.method)
    rows = review.rows(exposure, results, session)
    held = st.session_state
    suspects = held.get("risk_alarm", REVIEWED[1]), held.get("risk_prior", PRIORS[3])
    best = curve_views.proven(exposure)
    broken = review.broken([row for row in rows if row.key == best.key])
    estimated = review.broken([row for row in rows if row.about == "exact"])
    finding = say.finding(best, broken, estimated)
    badge = "Study: measured attacks use the private rows"
    top = study_top("Assess the risk", finding, choice, badge)
    charts = [
        curve_views.tradeoff(choice, session, exposure, results, suspects[0]),
        curve_views.accuse(choice, session, exposure, own, suspects),
    ]
    reasons = [
        curve_views.nodes(exposure),
        curve_views.rails(numbers.standing(choice)),
        curve_views.graph(choice, session, exposure),
    ]
    Sheet([], ONE, ONE, top, live=True).mount(key="risk_finding", answers=dragging.KNOB)
    _controls(session)
    Sheet(charts, WIDE).mount(key="risk_curves")
    stacked(review.view(choice, session, results, rows)).mount(key="risk_review")
    review.inputs(session)
    _attack()
    guessed_value.section(choice, session)
    names = set(choice.network.names)
    answers: Answers = {
        "selected": among(names, acting.select),
        "edit": (lambda sent: read_edit(sent, names), acting.edit),
    }
    Sheet(reasons, CAUSES).mount(key="risk_causes", answers=answers)


def _controls(session: state.Session) -> None:
    if st.session_state.get("risk_method") != session.method:
        st.session_state["risk_method"] = session.method
    with st.container(horizontal=True, gap="small", vertical_alignment="top"):
        st.segmented_control(
            "Release by", SHOWN, key="risk_method",
            on_change=lambda: acting.choose(st.session_state["risk_method"]), **LEVEL,
        )  # fmt: skip
        told: dict[str, Any] = {"format_func": say.percent, **KEEP}
        alarms, members = "False alarms accepted", "Members among suspects"
        st.segmented_control(
            alarms, REVIEWED, default=REVIEWED[1], key="risk_alarm", **LEVEL, **told
        )
        # narrow: all three stand in one row at 150 % zoom
        st.select_slider(members, PRIORS, PRIORS[3], key="risk_prior", width=140, **told)


def _attack() -> None:
    if rowless(inputs.chosen().study, "risk_rows"):
        return
    running = jobs.running(JOB)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.segmented_control(
            "Number of pools", POOLS, default=POOLS[0], key="risk_pools", **LEVEL, **KEEP
        )
        label = "Attack running" if running else "Run the attack"
        st.button(label, key="risk_attack", type="primary", on_click=attack, disabled=running)
        st.caption(
            "Attacks this release, the exact conditionals and smoothed ones, in the background. "
            "Study only: it uses the private rows.",
            width="stretch",
        )


def attack() -> None:
    """Start the attacks of the release, of the exact and of the smoothed conditionals."""
    choice, session = inputs.chosen(), state.load()
    attacks = numbers.planned(choice, session.method, st.session_state["risk_pools"])
    results = numbers.results(choice)
    steps = numbers.steps_of(attacks)
    compute.looked(choice.study, choice.network, tuple(attacks), choice.scenario)
    jobs.start(JOB, None, steps, lambda: numbers.work(choice, attacks, results))
    state.change(refresh=True)
