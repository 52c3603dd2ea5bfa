"""What Allocate shows: the plans of three methods side by side, dressed for its board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import METHODS
from core.network import Network
from core.options import PLAIN, Options
from core.study.allocated import Allocated
from core.study.quantities import ROW_WEIGHTED
from pages.ui import (
    allocate_board,
    allocate_findings,
    board,
    compute,
    inputs,
    palette,
    state,
    words,
)
from pages.ui import allocate_numbers as numbers
from pages.ui import allocate_words as say
from pages.ui.allocate_board import Setting
from pages.ui.allocate_proof import checks, proof
from pages.ui.inputs import Choice, command

SLOTS = {
    "equipoise": "equipoise",
    "data-dependent": "data-dependent-icml",
    "uniform": "uniform",
}
"""Hue -> the method shown in it unless another of its kind is chosen."""


def page_data(choice: Choice, session: state.Session) -> board.Data:
    """Everything on the page for the sidebar's choice."""
    scenario = choice.scenario
    options = scenario.options
    truth = compute.truth_of(choice.study, choice.network)
    compute.looked(choice.study, ("allocate", scenario))
    counts = choice.study.counts
    shown = [numbers.planned(m, truth, counts, scenario) for m in methods(session.explained)]
    chosen = next(p for p in shown if p.method == session.explained)
    reason = say.locked(options, choice.network.names[say.best(chosen, choice.network)])
    why = reason or say.because(chosen, choice.network)
    return {
        "epsilon": scenario.epsilon,
        "scenario": inputs.describe(choice),
        "heading": "Allocate the budget",
        "badge": "Study: bars are plans, errors compare with the truth",
        "finding": say.finding(shown, chosen, choice.network, why),
        "method": session.explained,
        "prior": options.prior,
        "methods": [[m.name, m.title] for m in METHODS.values() if m.guarantee != "none"],
        "cards": [_card(p, chosen, choice.network) for p in shown],
        "rows": _rows(choice, shown, chosen, options, session),
        "graph": _graph(choice, shown, chosen),
        "proof": _proof(choice, chosen),
        "findings": allocate_findings.views(choice, truth, scenario, shown[-1]),
    }


def methods(chosen: str) -> list[str]:
    """The three methods side by side: the chosen one takes the place of its kind."""
    hue = palette.hue(chosen)
    slot = hue if hue in SLOTS else "equipoise"
    return [chosen if name == slot else method for name, method in SLOTS.items()]


def choose(method: str) -> None:
    """Another method's plan is to be explained."""
    state.change(explained=method)


def change(asked_for: tuple[str, Setting]) -> None:
    """A node was locked, unlocked or weighted; what cannot be is refused with a sentence."""
    node, setting = asked_for
    session, here = state.load(), st.session_state.network
    options = inputs.chosen().scenario.options
    try:
        asked = numbers.with_setting(options, node, setting)
    except EquipoiseError as problem:
        state.change(message=f"{node} was not changed: {problem}.")
        return
    state.change(options={**session.options, here: asked}, message="")


def smooth(prior: float) -> None:
    """Another public prior."""
    session, here = state.load(), st.session_state.network
    asked = replace(session.options.get(here, PLAIN), prior=prior)
    state.change(options={**session.options, here: asked}, message="")


def unlock(_: int) -> None:
    """All locks and weights of this network go; the prior stays."""
    session, here = state.load(), st.session_state.network
    plain = Options(prior=session.options.get(here, PLAIN).prior)
    state.change(options={**session.options, here: plain}, message="")


def _card(planned: Allocated, chosen: Allocated, network: Network) -> board.Data:
    error = planned.row_error
    return {
        "label": f"{ROW_WEIGHTED.short}: {planned.method}",
        "hue": palette.hue(planned.method),
        "value": words.error(error.median),
        "range": f"95 % of releases: {words.error(error.low)} to {words.error(error.high)}",
        "note": say.card_note(planned, len(network.names)),
        "chosen": planned is chosen,
    }


def _rows(
    choice: Choice,
    shown: list[Allocated],
    chosen: Allocated,
    options: Options,
    session: state.Session,
) -> board.Data:
    network = choice.network
    top = say.best(chosen, network)
    texts = board.Words(
        title="Budget per node, and what it follows from",
        subtitle="ε is spent once: more for one node is less for the others",
        caption="A bracket joins nodes that share one table and one ε; t1, t2, … name the table "
        "where the order parts them. Height, out-degree and sensitivity are public constants of "
        "the graph; of the data-dependent weights only δ reads the records.",
        alt=f"Budget of {len(network.names)} nodes under {len(shown)} methods; {chosen.method} "
        f"gives {network.names[top]} most, ε = {words.budget(chosen.epsilon[top])}.",
        details=(
            *say.allocation(chosen.method),
            *((name.capitalize(), text) for name, text in say.FORMULAS.items()),
            ("Command line", _command(choice, chosen)),
        ),
        file="equipoise-study-allocation.csv",
    )
    return {
        **vars(texts),
        "nodes": list(network.names),
        "series": [
            allocate_board.series(
                p.method, p.epsilon, p.epsilon_limits if p.trace.varies else None
            )
            for p in shown
        ],
        "columns": _columns(shown, chosen),
        "epsilons": len(shown) - 1,
        "tables": _groups(shown[0].plan.serving),
        "together": chosen is shown[0],
        "order": board.numbers(chosen.epsilon),
        "heights": [node.height for node in chosen.trace.nodes],
        "floors": [node.floor for node in chosen.trace.nodes],
        "weights": [node.importance for node in chosen.trace.nodes],
        "summary": words.summary(options, len(network.names)),
        "message": session.message,
    }


def _command(choice: Choice, chosen: Allocated) -> str:
    more = f"--method {chosen.method}"
    return command("allocate", choice, more.rstrip())


def _groups(serving: Sequence[int]) -> list[int]:
    """Tables numbered by the order in which nodes name them."""
    order = {table: number for number, table in enumerate(dict.fromkeys(serving))}
    return [order[table] for table in serving]


def _columns(shown: list[Allocated], chosen: Allocated) -> list[board.Data]:
    make, nodes = allocate_board.column, chosen.trace.nodes
    budgets = [
        make(
            (say.short(p.method), "ε"),
            say.formula(p.method),
            "epsilon",
            p.epsilon,
            palette.hue(p.method),
        )
        for p in shown
        if palette.hue(p.method) != "uniform"
    ]
    deltas = next((p.deltas for p in shown if p.deltas is not None), None)
    expected = (
        []
        if deltas is None
        else [make(("error", "δ × 10³"), say.FORMULAS["delta"], "probability", 1000 * deltas)]
    )
    return [
        *budgets,
        make(("height", ""), say.FORMULAS["height"], "count", [n.height for n in nodes]),
        make(("out-", "degree"), say.FORMULAS["degree"], "count", [n.out_degree for n in nodes]),
        make(
            ("sensitivity", "Δ"),
            say.FORMULAS["sensitivity"],
            "epsilon",
            [n.sensitivity for n in nodes],
        ),
        *expected,
        make(("weight", "W"), say.FORMULAS["weight"], "weight", [n.weight for n in nodes]),
    ]


def _graph(choice: Choice, shown: list[Allocated], chosen: Allocated) -> board.Data:
    network = choice.network
    top = say.best(chosen, network)
    texts = board.Words(
        title="The same on the graph",
        subtitle="ε of each node; choose whose plan fills the nodes",
        caption="Click a node to find it in the table above.",
        alt=f"Network of {len(network.names)} nodes, filled by the ε each plan gives them; most "
        f"goes to {network.names[top]}.",
        details=(("Command line", _command(choice, chosen)),),
        file="equipoise-study-budget.csv",
    )
    ordered = sorted(shown, key=lambda p: p is not chosen)
    return board.graph(
        texts,
        compute.drawing_of(network),
        [board.measure(p.method, p.method, "epsilon", p.epsilon, "budget") for p in ordered],
        board.Chosen(network.names[top], chosen.method, (chosen.method,), editable=False),
    )


def _proof(choice: Choice, chosen: Allocated) -> board.Data:
    texts = board.Words(
        title="Why the plan keeps its promise",
        subtitle=f"{chosen.method}: {METHODS[chosen.method].guarantee}",
        caption="",
        alt="Proof of the guarantee",
        details=(
            ("Source", METHODS[chosen.method].source),
            ("Command line", _command(choice, chosen)),
        ),
        file="equipoise-study-guarantee.csv",
    )
    return {**vars(texts), "sentences": proof(chosen), "checks": checks(chosen)}
