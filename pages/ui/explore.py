"""What Explore shows: the numbers of one scenario, dressed for the board."""

from __future__ import annotations

import itertools
import time

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.membership.bound import PublishedBound
from core.membership.curves import Curve, release_curves
from core.membership.decomposition import node_shares
from core.metrics import Truth
from core.study.bands import MEDIAN, read_off
from core.study.glance import Glance
from pages.ui import board, compute, inputs, limits, state, words
from pages.ui.inputs import Choice, command

METHODS = {
    "data-dependent": "data-dependent-icml",
    "uniform": "uniform",
    "equipoise": "equipoise",
}
"""Name on screen -> method."""

ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 31), np.linspace(0.12, 0.999, 45)])
MARK = np.array([0.01])


def board_data(choice: Choice, session: state.Session) -> board.Data:
    """The whole board for the sidebar's choice."""
    network = choice.network
    selected = session.selected if session.selected in network.position else _first(choice)
    truth = compute.truth_of(choice.study, network)
    bound = PublishedBound(network.complexity, choice.study.records)
    node = network.index(selected)
    now = compute.glance_at(METHODS[session.method], truth, choice.study, choice.scenario, node)
    lines, uniform = _lines(choice, session.method, truth, node, now)
    alone, composed = _guarantees(choice, now)
    found = float(composed.powers(MARK)[0])
    finding = words.finding(session.method, choice.scenario, now, uniform, found)
    return board.assemble(
        choice.scenario.epsilon,
        finding,
        {
            "graph": _graph(choice, session, selected, now),
            "error": _error(choice, selected, now, lines),
            "risk": _risk(choice, session.method, bound, alone, composed),
            "panel": _panel(choice, session.method, truth, selected, now),
        },
        scenario=inputs.describe(choice),
    )


def _guarantees(choice: Choice, now: Glance) -> tuple[Curve, Curve]:
    """What holds for every attacker: by ε alone, and by the plan's own noise, composed."""
    study = choice.study
    curves = release_curves(now.plan, now.trace.noise, choice.network, study.records, study.spent)
    alone = next(c for c in curves if c.key == "pure_epsilon")
    return alone, next((c for c in curves if c.key == "composed"), alone)


def select(name: str) -> None:
    """A node was clicked."""
    state.change(selected=name, message="")


def choose(method: str) -> None:
    """Another method was chosen on the board."""
    state.change(method=method)


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
    choice: Choice, method: str, truth: Truth, node: int, now: Glance
) -> tuple[list[board.Data], float]:
    """Error curves of all methods, and the uniform split's error at this ε."""
    found, uniform = [], 0.0
    epsilons = compute.grid(choice.network)
    progress = _Progress(len(METHODS) * len(epsilons))
    for name, key in METHODS.items():
        curve = compute.curve(key, truth, choice.study, choice.scenario, progress)
        here = read_off(curve, epsilons, choice.scenario.epsilon)
        if name == method:
            here = now.errors
        if name == "uniform":
            uniform = float(here[MEDIAN, -1])
        line = board.series(name, curve[..., -1], curve[..., node], here[:, -1], here[:, node])
        found.append(line)
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


def _graph(choice: Choice, session: state.Session, selected: str, now: Glance) -> board.Data:
    network, plan = choice.network, now.plan
    low, high = float(now.node_epsilon.min()), float(now.node_epsilon.max())
    texts = board.Words(
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
    return board.graph(
        texts,
        compute.drawing_of(network),
        [
            board.measure("budget", "budget ε", "epsilon", now.node_epsilon),
            board.measure("error", "row error", "error", now.node_errors[MEDIAN]),
            board.measure("share", "share of risk", "share", node_shares(network)),
        ],
        board.Chosen(selected, session.method, tuple(METHODS), choice.edited, session.message),
    )


def _error(choice: Choice, selected: str, now: Glance, lines: list[board.Data]) -> board.Data:
    texts = board.Words(
        title="How wrong the parameters will be",
        subtitle="L1 error of a row, weighted by its probability",
        caption=f"Line: median of {choice.scenario.replicates} releases. Bands: 50, 80, 95 %."
        + words.no_answers(compute.unanswerable(choice.network)),
        alt=f"Row error against ε; at ε = {choice.scenario.epsilon:g} the median is "
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
                command(
                    "sweep",
                    choice,
                    f"--methods {','.join(METHODS.values())} --metrics l1_weighted --epsilons "
                    f"{words.exactly(choice.scenario.epsilon)}",
                ),
            ),
        ),
        file="equipoise-study-error.csv",
    )
    return board.error(texts, compute.grid(choice.network), lines, node=selected)


def _risk(
    choice: Choice, method: str, bound: PublishedBound, alone: Curve, composed: Curve
) -> board.Data:
    found, exact = float(composed.powers(MARK)[0]), float(bound.powers(MARK)[0])
    texts = board.Words(
        title="What an attacker gains",
        subtitle="Share of members found, against false alarms",
        caption="Solid: proven for this plan. Dashed: asymptotic, for the exact tables.",
        alt=f"Members found against false alarms; at 1 % false alarms at most "
        f"{words.share(found)} are found, {words.share(exact)} by the published bound for exact "
        "tables.",
        details=(
            *words.risk_details(bound, composed.estimate),
            ("Command line", command("risk", choice, f"--method {METHODS[method]}")),
        ),
        file="equipoise-study-risk.csv",
    )
    rates = np.array(limits.FALSE_ALARMS)
    return board.risk(
        texts,
        ALARMS,
        [
            board.curve("from ε alone", "loose", alone.powers(ALARMS)),
            board.curve("composed", "guarantee", composed.powers(ALARMS)),
            board.curve("published bound, exact tables", "asymptotic", bound.powers(ALARMS)),
            board.curve("guessing", "guessing", ALARMS),
        ],
        mark=(float(MARK[0]), found),
        head=("false alarms", "finds at most", "published bound"),
        rows=words.alarms(rates, composed.powers(rates), bound.powers(rates)),
    )


def _panel(choice: Choice, method: str, truth: Truth, selected: str, now: Glance) -> board.Data:
    network = choice.network
    i = network.index(selected)
    *parents, child = network.families[i]
    settings = list(_settings(choice, i))
    records = truth.row_counts[network.layout.row_slices[i]]
    low = int((records < 50).sum())
    asked = _question(selected, [p.name for p in parents], settings[int(records.argmax())])
    texts = board.Words(
        title=words.given(selected, [p.name for p in parents]),
        subtitle=f"Tick: truth. Bands: 50, 80 and 95 % of private releases at ε = "
        f"{choice.scenario.epsilon:g}. Its budget is ε = {words.budget(now.node_epsilon[i])}.",
        caption=words.thin_rows(low, len(records)),
        alt=f"Conditional of {selected}: truth against private releases, one row for each of "
        f"{len(records)} settings of its parents.",
        details=(
            ("Study only", "Truth is the exact conditional of the records; it is not private."),
            ("Command line", command("query", choice, f"--method {METHODS[method]} {asked}")),
        ),
        file="equipoise-study-conditional.csv",
    )
    conditional = board.Conditional(
        node=selected,
        parents=tuple(p.name for p in parents),
        states=child.states,
        settings=settings,
        records=records,
        truth=truth.model.conditional(i).values.reshape(-1, child.cardinality),
        bands=now.conditional,
    )
    return board.panel(texts, conditional, method=method)


def _question(node: str, parents: list[str], states: tuple[str, ...]) -> str:
    """The row with most records, as the shell is asked for it."""
    given = ",".join(f"{p}={s}" for p, s in zip(parents, states, strict=True))
    more = f" --given {words.quoted(given)}" if given else ""
    return f"--target {words.quoted(node)}{more}"
