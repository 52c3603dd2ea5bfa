"""Explore's sheet: the numbers of one scenario, dressed for the screen."""

from __future__ import annotations

import functools
from dataclasses import replace

import streamlit as st

from core.membership.bound import PublishedBound
from core.membership.curves import Curve, release_curves
from core.network import Network
from core.study.bands import MEDIAN, read_off
from core.study.glance import Glance
from core.study.metrics import Truth
from core.table import Array
from figures.bands import Band
from pages.ui.explore import views
from pages.ui.explore.believed import answers
from pages.ui.explore.views import MARK, MethodCurves, settings_of
from pages.ui.kit import acting, compute, dragging, links, state, words
from pages.ui.kit.component import Answers
from pages.ui.kit.dragging import read_knob
from pages.ui.kit.inputs import Choice
from pages.ui.kit.messages import GraphView, PanelView
from pages.ui.kit.progress import LiveBar
from pages.ui.kit.sheet import Room, Sheet, study_top

LOW = ("graph error", "graph error", "panel risk", "panel risk")
HIGH = ("graph error", "graph risk", "panel panel")
TRACKS = "minmax(0, 688fr) minmax(330px, 362fr)"
WHOLE = Room(("graph graph", "panel panel", "error risk"), "repeat(2, minmax(0, 1fr))")
"""Answers need the width of the page."""


def sheet(choice: Choice, session: state.Session) -> Sheet:
    """The whole screen for the sidebar's choice; the same again is not made again."""
    progress = LiveBar(len(acting.SHOWN) * len(compute.grid(choice.network)))
    rough = tuple(_rough(choice, key) for key in acting.SHOWN)
    asked = (choice, session, rough, st.session_state.network)
    drawn = compute.latest("sheet", asked, lambda: _sheet(choice, session, rough, progress))
    progress.end()
    return drawn


def shown_whole(choice: Choice) -> bool:
    """Whether nothing but the knobs themselves has to follow when one rests at this choice."""
    return not any(_rough(choice, key) for key in acting.SHOWN) and not links.noted()


def _rough(choice: Choice, method: str) -> bool:
    """Whether a knob is on its way and this method's curve is not there yet."""
    if not dragging.moving():
        return False
    truth = compute.truth_of(choice.study, choice.network, choice.scenario.options)
    return not compute.whole(method, truth, choice.study, choice.scenario)


def _sheet(
    choice: Choice, session: state.Session, rough: tuple[bool, ...], progress: LiveBar
) -> Sheet:
    network = choice.network
    selected = session.selected if session.selected in network.position else first_shown(choice)
    truth = compute.truth_of(choice.study, network, choice.scenario.options)
    bound = PublishedBound(choice.measured.complexity, choice.study.records)
    node = network.index(selected)
    glance = compute.glance_at(session.method, truth, choice.study, choice.scenario, node)
    curves = _curves(choice, truth, rough, progress)
    lines, uniform = _lines(choice, session.method, curves, node, glance)
    alone, composed = _guarantees(choice, glance)
    power = float(composed.powers(MARK)[0])
    answering = session.showing == "answers" and not compute.unanswerable(network)
    if answering:
        graph = answers(choice, session, selected, truth)
    else:
        graph = views.graph(choice, session, selected, glance)
    panel = views.panel(choice, session.method, truth, selected, glance)
    finding = words.finding(session.method, choice.scenario, glance, uniform, power)
    return Sheet(
        [
            graph,
            views.error(choice, selected, glance, lines),
            views.risk(choice, session.method, bound, alone, composed),
            panel,
        ],
        WHOLE if answering else Room(LOW if _fits_below(graph, panel) else HIGH, TRACKS),
        Room(("graph graph", "error risk", "panel panel"), "repeat(2, minmax(0, 1fr))"),
        study_top("Explore the trade-off", finding, choice),
        live=True,
    )


def _fits_below(graph: GraphView, panel: PanelView) -> bool:
    """Whether a low graph leaves room for a small node panel beneath it, beside the charts."""
    columns = len(panel["states"]) + len(panel["parents"])
    return bool(graph["height"] < 420 and panel["total"] <= 12 and columns <= 6)


def _guarantees(choice: Choice, glance: Glance) -> tuple[Curve, Curve]:
    """What holds for every attacker: by ε alone, and by the plan's own noise, composed."""
    study, part = choice.study, choice.measured
    curves = release_curves(glance.plan, glance.trace.noise, part, study.records, study.spent)
    alone = next(c for c in curves if c.key == "pure_epsilon")
    return alone, next((c for c in curves if c.key == "composed"), alone)


def first_shown(choice: Choice) -> str:
    """The node shown before one is chosen: the largest conditional of at most 8 rows."""
    rows = [len(list(settings_of(choice, i))) for i in range(len(choice.network.names))]
    sizes = [c if r <= 8 else 0 for c, r in zip(choice.network.complexities, rows, strict=True)]
    return choice.network.names[sizes.index(max(sizes))]


Curves = dict[str, tuple[Array, Array, bool]]
"""Method on screen -> error curve, the budgets it is drawn at, whether it is a rough one."""


def _curves(choice: Choice, truth: Truth, rough: tuple[bool, ...], progress: LiveBar) -> Curves:
    given, curves = (truth, choice.study, choice.scenario), {}
    for key, few in zip(acting.SHOWN, rough, strict=True):
        curve = compute.rough_curve(key, *given) if few else compute.curve(key, *given, progress)
        curves[key] = curve, compute.grid(choice.network, rough=few), few
    return curves


def _lines(
    choice: Choice, method: str, curves: Curves, node: int, glance: Glance
) -> tuple[list[MethodCurves], float]:
    """The curves as they are drawn, and the uniform split's error at this ε."""
    lines: list[MethodCurves] = []
    uniform = 0.0
    for name, (curve, places, rough) in curves.items():
        at_epsilon = read_off(curve, places, choice.scenario.epsilon)
        if name == method:
            at_epsilon = glance.errors
        if name == "uniform":
            uniform = float(at_epsilon[MEDIAN, -1])
        make = functools.partial(_line, name, curve, node, places if rough else None)
        overall, own = compute.unmoved(f"line {name}", [curve], (node,), make)
        marked = (at_epsilon[:, -1], at_epsilon[:, node])
        lines.append((replace(overall, at_mark=marked[0]), replace(own, at_mark=marked[1])))
    return lines, uniform


def _line(name: str, curve: Array, node: int, places: Array | None) -> MethodCurves:
    dash = "solid" if places is None else "dash"
    overall, own = (Band(name, curve[..., which], dash=dash, places=places) for which in (-1, node))
    return overall, own


def replies(network: Network) -> Answers:
    """What the browser may say on Explore, and what is done with it."""
    names = set(network.names)
    states = {v.name: v.states for v in network.variables}
    return {
        "selected": acting.among(names, acting.select),
        "method": acting.among(acting.SHOWN, acting.choose),
        "edit": (lambda sent: acting.read_edit(sent, names), acting.edit),
        **dragging.KNOB,
        "settled": (read_knob, dragging.settle),
        "showing": acting.among(("budget", "answers"), acting.show),
        "evidence": (
            lambda sent: acting.read_observation(sent, states),
            lambda s: acting.observe(network, s),
        ),
    }
