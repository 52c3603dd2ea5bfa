"""What Explore shows: the numbers of one scenario, dressed for the board."""

from __future__ import annotations

import itertools
import shlex
import time

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.membership.bound import PublishedBound, guaranteed_power, roc
from core.metrics import Truth
from pages.ui import board, compute, inputs, limits, state, words
from pages.ui.compute import Snapshot
from pages.ui.inputs import Choice

METHOD = "uniform"
ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 31), np.linspace(0.12, 0.999, 45)])
MARK = 0.01


def board_data(choice: Choice, session: state.Session) -> board.Data:
    """The whole board for the sidebar's choice."""
    network = choice.network
    selected = session.selected if session.selected in network.position else _first(choice)
    truth = compute.truth_of(choice.study, network)
    bound = PublishedBound(network.complexity, choice.study.records)
    now = compute.snapshot(
        METHOD, truth, choice.study, choice.scenario, network.index(selected)
    )
    finding = words.finding(
        METHOD, choice.scenario, float(now.overall[3]), now.answer_error, bound
    )
    return board.assemble(
        choice.scenario.epsilon,
        finding,
        {
            "graph": _graph(choice, session, selected, now),
            "error": _error(choice, truth, selected, now),
            "risk": _risk(choice, bound),
            "panel": _panel(choice, truth, selected, now),
        },
    )


def select(name: str) -> None:
    """A node was clicked."""
    state.change(selected=name, message="")


def edit(asked: board.Edit) -> None:
    """An edge was added or removed on the board; a cycle is refused with a sentence."""
    session, choice = state.load(), inputs.chosen()
    here = st.session_state.network
    edits = dict(session.edits)
    try:
        if asked.operation == "restore":
            edits.pop(here, None)
        elif asked.operation == "add":
            edits[here] = choice.network.with_edge(asked.parent, asked.child)
        else:
            edits[here] = choice.network.without_edge(asked.parent, asked.child)
    except EquipoiseError as problem:
        state.change(message=f"{asked.parent} -> {asked.child} was not added: {problem}")
        return
    state.change(edits=edits, message="")


def _first(choice: Choice) -> str:
    """The node shown before one is chosen: the largest conditional says most."""
    sizes = choice.network.complexities
    return choice.network.names[sizes.index(max(sizes))]


def _graph(
    choice: Choice, session: state.Session, selected: str, now: Snapshot
) -> board.Data:
    network, plan = choice.network, now.plan
    share = np.array(network.complexities) / network.complexity
    texts = board.Words(
        title="Where the budget goes",
        subtitle="ε that serves each node, its error, or its share of the risk",
        caption=f"{len(plan.measurements)} tables share ε = {choice.scenario.epsilon:g}. "
        "Click a node, or move with the arrow keys.",
        alt=f"Network of {len(network.names)} nodes and {len(network.edges)} edges; every node "
        f"receives ε = {words.budget(plan.node_epsilon[0])}.",
        details=(
            ("Formula", "ε_i = ε / n, half for the family's table and half for its parents'."),
            ("Guarantee", words.guarantee(plan)),
            ("Source", "Chowdhury et al. 2020 (ICML), section 5, baseline D-Ind."),
            ("Command line", _command("allocate", choice, f"--method {METHOD}")),
        ),
        file="equipoise-study-budget.csv",
    )
    return board.graph(
        texts,
        compute.drawing_of(network),
        [
            board.measure("budget", "budget ε", "epsilon", plan.node_epsilon),
            board.measure("error", "row error", "error", now.node_errors[3]),
            board.measure("share", "share of risk", "share", share),
        ],
        board.Chosen(selected, METHOD, (METHOD,), choice.edited, session.message),
    )


def _error(choice: Choice, truth: Truth, selected: str, now: Snapshot) -> board.Data:
    node = choice.network.index(selected)
    curve = compute.curve(METHOD, truth, choice.study, choice.scenario, _Progress())
    texts = board.Words(
        title="How wrong the parameters will be",
        subtitle="L1 error of a row, weighted by its probability",
        caption=f"Line: median of {choice.scenario.replicates} releases. Bands: 50, 80, 95 %.",
        alt=f"Row error against ε; at ε = {choice.scenario.epsilon:g} the median is "
        f"{words.error(float(now.overall[3]))}, 95 % of releases lie between "
        f"{words.error(float(now.overall[0]))} and {words.error(float(now.overall[6]))}.",
        details=(
            ("Formula", "mean over nodes of Σ_rows P(row) · Σ_x |P(x | row) − P̃(x | row)|; "
                        "0 is exact, 2 is as wrong as can be."),
            ("Study only", "Measured against the exact counts, so it is not private."),
            ("Command line", _command("sweep", choice, "--methods uniform --epsilons 0.1,1,10")),
        ),
        file="equipoise-study-error.csv",
    )
    line = board.series(
        METHOD, curve[..., -1], curve[..., node], now.overall, now.node_errors[:, node]
    )
    return board.error(texts, compute.grid(), [line], node=selected)


class _Progress:
    """A bar that appears only when the work turns out to be long."""

    def __init__(self) -> None:
        self.began, self.bar = time.monotonic(), st.empty()

    def __call__(self, done: int, total: int) -> None:
        passed = time.monotonic() - self.began
        if done == total:
            self.bar.empty()
        elif passed > 0.5:
            left = passed / done * (total - done)
            self.bar.progress(done / total, f"Rehearsing budget {done} of {total}; {left:.0f} s "
                              "left. Any control stops it; what is done is kept.")


def _risk(choice: Choice, bound: PublishedBound) -> board.Data:
    scenario = choice.scenario
    published, guaranteed = roc(bound, scenario.epsilon, scenario.neighbours, ALARMS)
    found = guaranteed_power(MARK, scenario.epsilon, scenario.neighbours)
    texts = board.Words(
        title="What an attacker gains",
        subtitle="Share of members found, against false alarms",
        caption="Solid: proven for this ε. Dashed: asymptotic, for the exact tables.",
        alt=f"Members found against false alarms; at 1 % false alarms at most "
        f"{words.share(found)} are found, {words.share(bound.power(MARK))} by the published "
        "bound for exact tables.",
        details=(
            ("Guarantee from ε", "power ≤ min(e^E a, 1 − e^−E (1 − a)) at false-alarm rate a; the "
             "attack swaps a record, so E = 2ε when a record is added or removed, E = ε when it "
             "is replaced. It holds for every attacker."),
            ("Published bound", f"power = Φ(μ − z_a), μ = √(C/n) = √({bound.complexity:,} / "
             f"{bound.records:,}) = {bound.mu:.3f}; AUC {bound.auc:.3f}. Exact tables, large n; "
             "it can be exceeded at small a."),
            ("Source", "Murakonda, Shokri, Theodorakopoulos 2021, Theorem 1."),
            ("Command line", _command("risk", choice, "")),
        ),
        file="equipoise-study-risk.csv",
    )
    return board.risk(
        texts,
        ALARMS,
        [
            board.curve("guarantee from ε", "guarantee", guaranteed),
            board.curve("published bound, exact tables", "asymptotic", published),
            board.curve("guessing", "guessing", ALARMS),
        ],
        mark=(MARK, found),
        head=("false alarms", "finds at most", "published bound"),
        rows=words.alarms(scenario, bound, limits.FALSE_ALARMS),
    )


def _panel(choice: Choice, truth: Truth, selected: str, now: Snapshot) -> board.Data:
    network = choice.network
    i = network.index(selected)
    layout = network.layout
    *parents, child = network.families[i]
    given = f" given {' and '.join(p.name for p in parents)}" if parents else ""
    low = int((truth.row_counts[layout.row_slices[i]] < 50).sum())
    texts = board.Words(
        title=f"{selected}{given}",
        subtitle=f"Tick: truth. Bands: 50, 80 and 95 % of private releases at ε = "
        f"{choice.scenario.epsilon:g}. A table of {np.prod(layout.shapes[i])} cells that receives "
        f"ε = {words.budget(now.plan.measurements[2 * i].epsilon)}.",
        caption=f"* Fewer than 50 records ({low} rows): there the noise decides." if low else "",
        alt=f"Conditional of {selected}: truth against private releases, one row for each of "
        f"{len(truth.row_counts[layout.row_slices[i]])} settings of its parents.",
        details=(
            ("Study only", "Truth is the exact conditional of the records; it is not private."),
            ("Command line", _command("query", choice, f"--target {shlex.quote(selected)}")),
        ),
        file="equipoise-study-conditional.csv",
    )
    conditional = board.Conditional(
        node=selected,
        parents=tuple(p.name for p in parents),
        states=child.states,
        settings=list(itertools.product(*(p.states for p in parents))),
        records=truth.row_counts[layout.row_slices[i]],
        truth=truth.model.conditional(i).values.reshape(-1, child.cardinality),
        bands=now.bands,
    )
    return board.panel(texts, conditional, method=METHOD)


def _command(verb: str, choice: Choice, more: str) -> str:
    """The same numbers from a shell; an upload's file names are the user's to fill in."""
    s, here = choice.scenario, st.session_state.network
    data = "--dag FILE --data FILE" if here == state.UPLOADED or choice.edited else (
        f"--network {here} --records {choice.study.records}"
    )
    return (
        f"python cli.py {verb} {data} --epsilon {s.epsilon:g} --neighbours {s.neighbours.value} "
        f"--replicates {s.replicates} --seed {s.seed} {more}"
    ).strip()
