"""What Explore shows: the numbers of one scenario, dressed for the board."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.membership.bound import PublishedBound
from core.membership.curves import Curve, release_curves
from core.metrics import Truth
from core.network import Network
from figures.bands import Band
from figures.explore import error_figure, error_table
from figures.template import numbers
from figures.tradeoff import Tradeoff, tradeoff_figure
from pages.ui import compute, inputs, limits, state, words
from pages.ui.answers import Edit, one_of, read_edit
from pages.ui.compute import Snapshot
from pages.ui.inputs import Choice, command
from pages.ui.kit.component import Answers, Data
from pages.ui.kit.graph import Chosen, graph_view, measure
from pages.ui.kit.knob import read_knob
from pages.ui.kit.panel import Conditional, panel_view
from pages.ui.kit.sheet import Room, Sheet, Top, Words, figure_view

METHODS = {
    "data-dependent": "data-dependent-icml",
    "uniform": "uniform",
    "equipoise": "equipoise",
}
"""Name on screen -> method."""

ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 31), np.linspace(0.12, 0.999, 45)])
MARK = np.array([0.01])
LOW = ("graph error", "graph error", "panel risk", "panel risk")
HIGH = ("graph error", "graph risk", "panel panel")


@dataclass(frozen=True, eq=False)
class Line:
    """One method's error curve, over all nodes and of the selected one."""

    overall: Band
    own: Band


def sheet(choice: Choice, session: state.Session) -> Sheet:
    """The whole screen for the sidebar's choice."""
    network = choice.network
    selected = session.selected if session.selected in network.position else _first(choice)
    truth = compute.truth_of(choice.study, network)
    bound = PublishedBound(network.complexity, choice.study.records)
    node = network.index(selected)
    now = compute.snapshot(METHODS[session.method], truth, choice.study, choice.scenario, node)
    lines, uniform = _lines(choice, session.method, truth, node, now)
    alone, composed = _guarantees(choice, now)
    found = float(composed.powers(MARK)[0])
    finding = words.finding(session.method, choice.scenario, now, uniform, found)
    graph = _graph(choice, session, selected, now)
    panel = _panel(choice, session.method, truth, selected, now)
    return Sheet(
        [
            graph,
            _error(choice, selected, now, lines),
            _risk(choice, bound, alone, composed),
            panel,
        ],
        Room(LOW if _fits_below(graph, panel) else HIGH, "minmax(0, 688fr) minmax(330px, 362fr)"),
        Room(("graph graph", "error risk", "panel panel"), "repeat(2, minmax(0, 1fr))"),
        Top(
            "Explore the trade-off",
            "Study: compares with the truth, not for publication",
            finding,
            inputs.describe(choice),
            inputs.knobs(choice.scenario),
        ),
        live=True,
    )


def _fits_below(graph: Data, panel: Data) -> bool:
    """Whether a low graph leaves room for a small node panel beneath it, beside the charts."""
    columns = len(panel["states"]) + len(panel["parents"])
    return bool(graph["height"] < 420 and panel["total"] <= 12 and columns <= 6)


def _guarantees(choice: Choice, now: Snapshot) -> tuple[Curve, Curve]:
    """What holds for every attacker: by ε alone, and by the plan's own noise, composed."""
    study = choice.study
    curves = release_curves(now.plan, now.noise, choice.network, study.records, study.spent)
    alone = next(c for c in curves if c.key == "pure_epsilon")
    return alone, next((c for c in curves if c.key == "composed"), alone)


def answers(network: Network) -> Answers:
    """What the browser may say, with checked names, and what is done with it."""
    names = set(network.names)
    return {
        "selected": (lambda sent: one_of(sent, names), select),
        "method": (lambda sent: one_of(sent, set(METHODS)), choose),
        "edit": (lambda sent: read_edit(sent, names), edit),
        "knob": (read_knob, inputs.moved),
    }


def select(name: str) -> None:
    """A node was clicked."""
    state.change(selected=name, message="")


def choose(method: str) -> None:
    """Another method was chosen on the board."""
    state.change(method=method)


def edit(asked: Edit) -> None:
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
        state.change(message=f"{asked.parent} → {asked.child} was not added: {problem}.")
        return
    state.change(edits=edits, message="", refresh=True)


def edited() -> bool:
    """Whether the graph was just edited; true once for each edit."""
    fresh = state.load().refresh
    if fresh:
        state.change(refresh=False)
    return fresh


def _first(choice: Choice) -> str:
    """The node shown before one is chosen: the largest conditional of at most 8 rows."""
    rows = [len(list(_settings(choice, i))) for i in range(len(choice.network.names))]
    sizes = [c if r <= 8 else 0 for c, r in zip(choice.network.complexities, rows, strict=True)]
    return choice.network.names[sizes.index(max(sizes))]


def _settings(choice: Choice, node: int) -> itertools.product:
    return itertools.product(*(p.states for p in choice.network.families[node][:-1]))


def _lines(
    choice: Choice, method: str, truth: Truth, node: int, now: Snapshot
) -> tuple[list[Line], float]:
    """Error curves of all methods, and the uniform split's error at this ε."""
    found, uniform = [], 0.0
    epsilons = compute.grid(choice.network)
    progress = _Progress(len(METHODS) * len(epsilons))
    for name, key in METHODS.items():
        curve = compute.curve(key, truth, choice.study, choice.scenario, progress)
        here = compute.at(curve, epsilons, choice.scenario.epsilon)
        if name == method:
            here = np.column_stack([now.node_errors, now.overall])
        if name == "uniform":
            uniform = float(here[3, -1])
        overall = Band(name, curve[..., -1], here[:, -1])
        found.append(Line(overall, Band(name, curve[..., node], here[:, node])))
    progress.end()
    return found, uniform


class _Progress:
    """A bar that appears only when the work turns out to be long."""

    def __init__(self, total: int) -> None:
        self.began, self.total, self.done = time.monotonic(), total, 0
        self.bar = st.empty()

    def __call__(self) -> None:
        self.done += 1
        passed = time.monotonic() - self.began
        if passed > 0.7:
            left = passed / self.done * (self.total - self.done)
            self.bar.progress(
                self.done / self.total,
                f"Rehearsing {self.done} of {self.total} budgets, {left:.0f} s left. Any control "
                "stops it, and what is done is kept.",
            )

    def end(self) -> None:
        """Take the bar away."""
        self.bar.empty()


def _graph(choice: Choice, session: state.Session, selected: str, now: Snapshot) -> Data:
    network, plan = choice.network, now.plan
    share = np.array(network.complexities) / network.complexity
    low, high = float(now.node_epsilon.min()), float(now.node_epsilon.max())
    texts = Words(
        title="Where the budget goes",
        subtitle=words.SERVED[session.method],
        caption=f"{len(plan.tables)} tables share ε = {choice.scenario.epsilon:g}. "
        "Click a node, or move with the arrow keys.",
        alt=f"Network of {len(network.names)} nodes and {len(network.edges)} edges; nodes receive "
        f"ε from {words.budget(low)} to {words.budget(high)}.",
        details=(
            *words.ALLOCATION[session.method],
            ("Guarantee", words.guarantee(plan)),
            ("Command line", command("allocate", choice, f"--method {METHODS[session.method]}")),
        ),
        file="equipoise-study-budget.csv",
    )
    return graph_view(
        "graph",
        texts,
        compute.drawing_of(network),
        [
            measure("budget", "budget ε", "epsilon", now.node_epsilon),
            measure("error", "row error", "error", now.node_errors[3]),
            measure("share", "share of risk", "share", share),
        ],
        Chosen(selected, session.method, tuple(METHODS), choice.edited, session.message),
    )


def _error(choice: Choice, selected: str, now: Snapshot, lines: list[Line]) -> Data:
    epsilon = choice.scenario.epsilon
    texts = Words(
        title="How wrong the parameters will be",
        subtitle="L1 error of a row, weighted by its probability",
        caption=f"Line: median of {choice.scenario.replicates} releases. Bands: 50, 80, 95 %."
        + words.no_answers(compute.unanswerable(choice.network)),
        alt=f"Row error against ε; at ε = {epsilon:g} the median is "
        f"{words.error(float(now.overall[3]))}, and 95 % of releases lie between "
        f"{words.error(float(now.overall[0]))} and {words.error(float(now.overall[6]))}.",
        details=(
            (
                "Formula",
                "mean over nodes of Σ_rows P(row) · Σ_x |P(x | row) − P̃(x | row)|; 0 is exact, "
                "2 is as wrong as can be.",
            ),
            ("Study only", "Measured against the exact counts, so it is not private."),
            (
                "Command line",
                command("sweep", choice, f"--methods {','.join(METHODS.values())}"),
            ),
        ),
        file="equipoise-study-error.csv",
    )
    epsilons = compute.grid(choice.network)
    return figure_view(
        "error",
        texts,
        {
            "all nodes": error_figure(epsilons, [line.overall for line in lines], epsilon),
            selected: error_figure(epsilons, [line.own for line in lines], epsilon),
        },
        error_table(
            epsilons,
            {"all": [line.overall for line in lines], selected: [line.own for line in lines]},
        ),
    )


def _risk(choice: Choice, bound: PublishedBound, alone: Curve, composed: Curve) -> Data:
    found, exact = float(composed.powers(MARK)[0]), float(bound.powers(MARK)[0])
    texts = Words(
        title="What an attacker gains",
        subtitle="Share of members found, against false alarms",
        caption="Solid: proven for this plan. Dashed: asymptotic, for the exact tables.",
        alt=f"Members found against false alarms; at 1 % false alarms at most "
        f"{words.share(found)} are found, {words.share(exact)} by the published bound for exact "
        "tables.",
        details=(
            *words.risk_details(bound, composed.estimate),
            ("Command line", command("risk", choice, "")),
        ),
        file="equipoise-study-risk.csv",
    )
    rates = np.array(limits.FALSE_ALARMS)
    curves = [
        Tradeoff("from ε alone", "loose", alone.powers(ALARMS)),
        Tradeoff("composed", "guarantee", composed.powers(ALARMS)),
        Tradeoff("published bound, exact tables", "asymptotic", bound.powers(ALARMS)),
        Tradeoff("guessing", "guessing", ALARMS),
    ]
    mark = (float(MARK[0]), found)
    return figure_view(
        "risk",
        texts,
        {
            scale: tradeoff_figure(ALARMS, curves, scale=scale, mark=mark, revision="risk")
            for scale in ("log", "linear")
        },
        {"false alarms": numbers(ALARMS), **{c.name: numbers(c.found) for c in curves}},
        (
            ("false alarms", "finds at most", "published bound"),
            words.alarms(rates, composed.powers(rates), bound.powers(rates)),
        ),
    )


def _panel(choice: Choice, method: str, truth: Truth, selected: str, now: Snapshot) -> Data:
    network = choice.network
    i = network.index(selected)
    *parents, child = network.families[i]
    records = truth.row_counts[network.layout.row_slices[i]]
    low = int((records < 50).sum())
    texts = Words(
        title=words.given(selected, [p.name for p in parents]),
        subtitle=f"Tick: truth. Bands: 50, 80 and 95 % of private releases at ε = "
        f"{choice.scenario.epsilon:g}. Its budget is ε = {words.budget(now.node_epsilon[i])}.",
        caption=words.thin_rows(low, len(records)),
        alt=f"Conditional of {selected}: truth against private releases, one row for each of "
        f"{len(records)} settings of its parents.",
        details=(
            ("Study only", "Truth is the exact conditional of the records; it is not private."),
            ("Command line", command("query", choice, f"--target {words.quoted(selected)}")),
        ),
        file="equipoise-study-conditional.csv",
    )
    conditional = Conditional(
        node=selected,
        parents=tuple(p.name for p in parents),
        states=child.states,
        settings=list(_settings(choice, i)),
        records=records,
        truth=truth.model.conditional(i).values.reshape(-1, child.cardinality),
        bands=now.bands,
    )
    return panel_view("panel", texts, conditional, method=method)
