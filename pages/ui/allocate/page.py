"""Allocate from top to bottom: finding, plans side by side, nodes, graph, proof, three facts."""

from typing import Literal

import streamlit as st

from core.methods.registry import METHODS
from core.study.quantities import ROW_WEIGHTED
from figures.palette import hue
from pages.ui.allocate import views
from pages.ui.allocate import words as say
from pages.ui.allocate.compared import SORTS, Plans, arranged, plans_of
from pages.ui.allocate.node_table import PRIOR_LIMIT, nodes, smooth
from pages.ui.allocate.views import checks, facts, proof, taken
from pages.ui.kit import dragging, state, words
from pages.ui.kit.acting import among, select
from pages.ui.kit.around import foot
from pages.ui.kit.component import Answers
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import written
from pages.ui.kit.sheet import Room, Sheet, stacked, stamped, study_top

FACTS = Room(("constant sampling literal",), "repeat(3, minmax(0, 1fr))")
NARROW_FACTS = Room(("constant sampling", "literal literal"), "repeat(2, minmax(0, 1fr))")
METHOD, PRIOR, SORT = "allocate_method", "allocate_prior", "allocate_sort"


def draw(choice: Choice, session: state.Session) -> None:
    """The whole page for the sidebar's choice."""
    plans = plans_of(choice, session.explained)
    known = session.selected in choice.network.position
    selected = session.selected if known else plans.top
    reason = say.locked(choice.scenario.options, plans.top)
    reason = reason or say.because(plans.chosen, plans.network)
    said = say.finding(plans.shown, plans.chosen, plans.network, reason)
    badge = "Study: bars are plans, errors compare with the truth"
    top = study_top("Allocate the budget", said, choice, badge)
    Sheet([], top=top, live=True).mount(key="board", answers=dragging.KNOB)
    sort = _controls(plans)
    _metrics(plans)
    rows = arranged(plans, sort)
    stacked(views.budget(plans, rows, selected)).mount(key="budget_chart")
    nodes(plans, rows, selected)
    answers: Answers = {"selected": among(choice.network.names, select)}
    stacked(views.graph(plans, selected)).mount(key="budget_graph", answers=answers)
    _proof(plans)
    st.markdown("##### What the published formulas do not say")
    Sheet(facts(plans), FACTS, NARROW_FACTS).mount(key="printed_facts")


def _controls(plans: Plans) -> str:
    titles = {m.name: m.title for m in METHODS.values() if m.guarantee.private}
    st.session_state[METHOD] = plans.chosen.method
    st.session_state[PRIOR] = plans.choice.scenario.options.prior
    row = st.container(key="wrapping_knobs")
    first, second, third = row.columns([1.5, 1, 1.1], vertical_alignment="bottom")
    first.selectbox(
        "Explain the plan of", list(titles), format_func=titles.__getitem__, key=METHOD,
        on_change=lambda: state.change(explained=st.session_state[METHOD], refresh=True),
    )  # fmt: skip
    second.number_input(
        "Public prior, records a cell", 0.0, max(PRIOR_LIMIT, st.session_state[PRIOR]),  # of a link
        step=0.5, format="%g", key=PRIOR, on_change=lambda: smooth(st.session_state[PRIOR]),
        help="A Dirichlet pseudo-count added to every cell before rows are normalised. It is "
        "public: choose it without looking at the records.",
    )  # fmt: skip
    sort: str = third.segmented_control(
        "Sort nodes", SORTS, default=SORTS[0], key=SORT, required=True, width="stretch"
    )
    return sort


CHIPS: dict[str, Literal["green", "blue", "orange", "violet"]] = {
    "equipoise": "green",
    "data-dependent": "blue",
    "uniform": "orange",
    "undirected": "violet",
}
"""Hue -> the nearest colour that Streamlit has for a metric."""


def _metrics(plans: Plans) -> None:
    st.caption(f"What follows from each plan: {ROW_WEIGHTED.name} ({ROW_WEIGHTED.unit})")
    row = st.container(key="wrapping_errors")
    for place, plan in zip(row.columns(len(plans.shown)), plans.shown, strict=True):
        error = plan.row_error
        with place.container(border=True, gap="xsmall"):
            st.metric(
                f"**{plan.method}**" if plan is plans.chosen else plan.method,
                words.error(error.median),
                f"{words.error(error.low)} to {words.error(error.high)}",
                delta_color=CHIPS.get(hue(plan.method), "gray"),
                delta_arrow="off",
                delta_description="95 % of releases",
            )
            st.caption(say.card_note(plan, len(plans.network.names)))


def _proof(plans: Plans) -> None:
    method = METHODS[plans.chosen.method]
    held = checks(plans.chosen, plans.choice)
    with st.container(border=True, key="proof"):
        st.markdown("##### Why the plan keeps its promise")
        st.caption(f"{method.name}: {method.guarantee.text}")
        for sentence in proof(plans.chosen):
            st.markdown(written(sentence))
        st.markdown(" &nbsp; ".join(f":material/check: {check}" for check in held))
        if left := " and ".join(filter(None, taken(plans.choice))):
            st.caption(f":material/warning: Not part of the promise: {left}.")
        foot(
            (("Source", method.source), ("Command line", views.command_line(plans))),
            {"check": held, "holds": ["yes"] * len(held)},
            stamped("equipoise-study-guarantee.csv"),
            key="proof_csv",
        )
