"""Explore's four views: graph, error, attacker, and a conditional."""

import functools
import itertools
from collections.abc import Iterator
from typing import Literal

import numpy as np

from core.membership.bound import PublishedBound, node_shares
from core.membership.curves import Curve
from core.study.bands import MEDIAN
from core.study.glance import Glance
from core.study.metrics import Truth
from core.study.quantities import ROW_WEIGHTED
from figures.band_table import error_figure, error_table
from figures.bands import Band
from figures.palette import hue
from figures.template import numbers, shortened
from figures.tradeoff import Tradeoff, tradeoff_figure
from pages.ui.explore.believed import KINDS
from pages.ui.kit import compute, limits, state, words
from pages.ui.kit.acting import SHOWN
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import FigureView, GraphView, PanelView
from pages.ui.kit.sheet import Words, figure_view, texts
from sources.named_numbers import number_text

ROWS = 500
"""Most rows of a conditional that are sent to the browser."""


ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 31), np.linspace(0.12, 0.999, 45)])
MARK = np.array([0.01])
SCALES: tuple[Literal["log", "linear"], ...] = ("log", "linear")


MethodCurves = tuple[Band, Band]
"""One method's error curve, over all nodes and of the selected one."""


def graph(choice: Choice, session: state.Session, selected: str, glance: Glance) -> GraphView:
    """Where the budget goes: one number in every node."""
    network, plan = choice.network, glance.plan
    shares = dict(zip(choice.measured.names, node_shares(choice.measured), strict=True))
    low, high = float(glance.node_epsilon.min()), float(glance.node_epsilon.max())
    tables = len(plan.tables)
    shared = "1 table holds all of" if tables == 1 else f"{tables} tables share"
    texts = Words(
        title="Where the budget goes",
        subtitle=words.SERVED[session.method],
        caption=f"{shared} ε = {choice.scenario.epsilon:g}. "
        "Click a node, or move with the arrow keys.",
        alt=f"Network of {words.counted(len(network.names), 'node')} and "
        f"{words.counted(len(network.edges), 'edge')}; nodes receive "
        f"ε from {words.budget(low)} to {words.budget(high)}.",
        details={
            **words.ALLOCATION[session.method],
            "Guarantee": words.guarantee(plan),
            "Command line": command("allocate", choice, f"--method {session.method}"),
        },
        file="equipoise-study-budget.csv",
    )
    measures = [
        measure("budget", "budget ε", "epsilon", glance.node_epsilon),
        measure("error", ROW_WEIGHTED.short, "error", glance.node_errors[MEDIAN]),
        measure("share", "share of risk", "share", [shares[n] for n in network.names]),
    ]
    said, methods = session.message, SHOWN
    if not said and session.showing == "answers":  # asked for, and not to be had
        said = f"The nodes hold no answers: {compute.unanswerable(network)}."
    showing = Showing(selected, session.method, methods, choice.edited, said, kinds=KINDS)
    return graph_view("graph", texts, compute.drawing_of(network), measures, showing)


def error(choice: Choice, selected: str, glance: Glance, lines: list[MethodCurves]) -> FigureView:
    """How wrong the rows become over ε, of all nodes and of the selected one."""
    silent = compute.unanswerable(choice.network)
    texts = Words(
        title="How wrong the parameters will be",
        subtitle=f"{ROW_WEIGHTED.name}; {ROW_WEIGHTED.unit}",
        caption=f"Line: median of {choice.scenario.replicates} releases. Bands: 50, 80, 95 %."
        + words.rough([band.name for band, _ in lines if band.places is not None])
        + (f" No answers are computed from this network: {silent}." if silent else ""),
        alt=f"{ROW_WEIGHTED.name} against ε; at ε = {choice.scenario.epsilon:g} the median is "
        f"{words.error(float(glance.overall[3]))}, and 95 % of releases lie between "
        f"{words.error(float(glance.overall[0]))} and {words.error(float(glance.overall[6]))}.",
        details={
            "Formula": f"{ROW_WEIGHTED.formula}; {ROW_WEIGHTED.unit}.",
            "Study only": "Measured against the exact counts, so it is not private.",
            "Command line": command(
                "sweep",
                choice,
                f"--methods {','.join(SHOWN)} --metrics {ROW_WEIGHTED.key} --epsilons "
                f"{number_text(choice.scenario.epsilon)}",
            ),
        },
    )
    epsilon, epsilons = choice.scenario.epsilon, compute.grid(choice.network)
    overall, own = [line[0] for line in lines], [line[1] for line in lines]
    figures = {
        "all nodes": error_figure(epsilons, overall, epsilon),
        shortened(selected, 18): error_figure(epsilons, own, epsilon),
    }
    drawn = [band.drawn for band in (*overall, *own)]
    make = functools.partial(error_table, epsilons, {"all": overall, selected: own})
    table = compute.unmoved("error table", drawn, (selected,), make)
    return figure_view("error", texts, figures, table)


def risk(
    choice: Choice, method: str, bound: PublishedBound, alone: Curve, composed: Curve
) -> FigureView:
    """What an attacker gains, on two scales, with the few numbers to read first."""
    power, exact = float(composed.powers(MARK)[0]), float(bound.powers(MARK)[0])
    texts = Words(
        title="What an attacker gains",
        subtitle="Share of members found, against false alarms",
        caption="Solid: guaranteed for this plan. Dashed: an asymptotic estimate for the exact "
        "tables; without noise nothing is guaranteed.",
        alt=f"Members found against false alarms; at 1 % false alarms at most "
        f"{words.share(power)} are found. Without noise nothing is guaranteed; the published "
        f"estimate for exact tables is {words.share(exact)}.",
        details={
            **words.risk_details(bound, composed.estimate),
            "Command line": command("risk", choice, f"--method {method}"),
        },
    )
    rates = np.array(limits.FALSE_ALARMS)
    curves = [
        Tradeoff("from ε alone", "loose", alone.powers(ALARMS)),
        Tradeoff("composed", "guarantee", composed.powers(ALARMS)),
        Tradeoff("published bound, exact tables", "asymptotic", bound.powers(ALARMS)),
        Tradeoff("guessing", "guessing", ALARMS),
    ]
    mark = (float(MARK[0]), power)
    figures = {
        scale: tradeoff_figure(ALARMS, curves, scale=scale, mark=mark, revision="risk")
        for scale in SCALES
    }
    table = {"false alarms": numbers(ALARMS)} | {c.name: numbers(c.powers) for c in curves}
    heads = ("false alarms", "guaranteed, at most", "without noise, an estimate")
    told = words.alarms(rates, composed.powers(rates), bound.powers(rates))
    return figure_view("risk", texts, figures, table, (heads, told))


def panel(choice: Choice, method: str, truth: Truth, selected: str, glance: Glance) -> PanelView:
    """The selected node's conditional, truth against releases."""
    network = choice.network
    i = network.index(selected)
    *parents, child = network.families[i]
    settings = list(settings_of(choice, i))
    records = truth.row_counts[network.layout.row_slices[i]]
    low = int((records < 50).sum())
    most = zip((p.name for p in parents), settings[int(records.argmax())], strict=True)
    asked = words.asked_for([selected], dict(most))  # the row with most records
    said = Words(
        title=words.given(selected, [p.name for p in parents]),
        subtitle=f"Tick: truth. Bands: 50, 80 and 95 % of private releases at ε = "
        f"{choice.scenario.epsilon:g}. Its budget is ε = {words.budget(glance.node_epsilon[i])}.",
        caption=words.thin_rows(low, len(records)),
        alt=f"Conditional of {selected}: truth against private releases, one row for each of "
        f"{len(records)} settings of its parents.",
        details={
            "Study only": "Truth is the exact conditional of the records; it is not private.",
            "Command line": command("query", choice, f"--method {method} {asked}"),
        },
        file="equipoise-study-conditional.csv",
    )
    shown = slice(0, ROWS)
    exact = truth.model.conditional(i).values.reshape(-1, child.cardinality)
    return {
        "kind": "panel",
        **texts("panel", said),
        "node": selected,
        "hue": hue(method),
        "parents": [p.name for p in parents],
        "states": list(child.states),
        "settings": [list(setting) for setting in settings[shown]],
        "records": numbers(records[shown]),
        "truth": numbers(exact[shown]),
        "bands": numbers(glance.conditional[:, shown]),
        "total": len(settings),
    }


def settings_of(choice: Choice, node: int) -> Iterator[tuple[str, ...]]:
    """Every setting of a node's parents, the last one fastest."""
    return itertools.product(*(p.states for p in choice.network.families[node][:-1]))
