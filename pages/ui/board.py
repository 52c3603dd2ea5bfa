"""The board: Explore's four views in one offline component, and the data it draws.

One push of data repaints budget, error, risk and node panel together. The page builds the data
with the functions below and mounts it with :func:`board`; nothing here computes anything.

The data is one JSON object (built by :func:`assemble`):

``epsilon``  number, the ε on show; after each paint it is the attribute ``data-epsilon`` of the
             element ``.board``, and ``data-painted`` counts the paints.
``heading``  text, ``badge`` text or empty.
``scenario`` one line, shown where the sidebar is closed.
``finding``  list of ``[text, role]``; roles are ``""``, ``"strong"``, ``"risk"`` or a method.
``graph``    texts, ``width``, ``height``, ``nodes`` (``name``, ``label``, ``x``, ``y``: left upper
             corner), ``edges`` (``parent``, ``child``, ``d``, ``head``), ``measures`` (``key``,
             ``tone``, ``title``, ``kind``, ``values`` in the order of the nodes), ``selected``,
             ``method``, ``methods``, ``edited``, ``message``, ``editable``.
``error``    texts, ``epsilons``, ``node``, ``series`` (``method``, ``hue``, ``overall``, ``own``:
             seven rows of quantiles; ``overall_now``, ``own_now``: seven quantiles at ``epsilon``).
``risk``     texts, ``alarms``, ``curves`` (``name``, ``style``, ``found``), ``mark`` (``alarm``,
             ``found``), ``table`` (``head``, ``rows`` of texts).
``panel``    texts, ``node``, ``hue``, ``parents``, ``states``, ``settings``, ``records``,
             ``truth`` [row][state], ``bands`` [quantile][row][state], ``total`` rows in all.

Texts of a view: ``title``, ``subtitle``, ``caption``, ``alt``, ``details`` (pairs), ``file``.
Everything is shown with ``textContent``: names come from files and are never markup.

The browser answers with triggers: ``epsilon`` while the slider moves, ``selected`` (a node's
name), ``method`` (one of ``methods``) and ``edit`` (``op``: add, remove or restore; ``parent``;
``child``; ``nonce``). The server decides, the picture follows.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from core.study import bands
from figures.template import numbers as numbers
from pages.ui import palette
from pages.ui.answers import Edit, one_of, read_edit
from pages.ui.component import Answers, Component, Data
from pages.ui.epsilon import read_epsilon
from pages.ui.graph.drawing import Drawing

QUANTILES = bands.QUANTILES
"""Limits of the 95, 80 and 50 % bands and the median, in the order the board expects them."""

PANEL_ROWS = 500
"""Most rows of a conditional that are sent to the browser."""

Style = Literal["guarantee", "loose", "asymptotic", "heuristic", "guessing"]
Kind = Literal["epsilon", "error", "share"]

STYLES = ("board", "graph", "charts", "tables", "room")
SCRIPTS = ("dom", "words", "scale", "view", "dag", "edit", "curve", "roc", "panel", "frame")
COMPONENT = Component(
    "equipoise_board", '<div class="board" data-painted="0"></div>', SCRIPTS, STYLES
)


@dataclass(frozen=True)
class Words:
    """The texts around one view; ``details`` are (heading, text) pairs behind the expander."""

    title: str
    subtitle: str
    caption: str
    alt: str
    details: tuple[tuple[str, str], ...] = ()
    file: str = "equipoise.csv"


def measure(key: str, title: str, kind: Kind, values: ArrayLike, tone: str = "") -> Data:
    """One number per node, in the drawing's order: what nodes are filled by and labelled with.

    ``tone`` is ``budget``, ``error`` or ``share`` and chooses the colours, the key itself when
    empty; ``kind`` chooses the format.
    """
    return {
        "key": key,
        "tone": tone or key,
        "title": title,
        "kind": kind,
        "values": numbers(values),
    }


@dataclass(frozen=True)
class Chosen:
    """What the graph is showing; ``message`` is the sentence that refuses an edit."""

    selected: str
    method: str = "uniform"
    methods: tuple[str, ...] = ("uniform",)
    edited: bool = False
    message: str = ""
    editable: bool = True


def graph(words: Words, drawing: Drawing, measures: Sequence[Data], chosen: Chosen) -> Data:
    """The DAG with its measures; the choice of methods is hidden while there is only one."""
    return {**vars(words), **_plain(drawing), "measures": list(measures), **vars(chosen)}


def series(
    method: str,
    overall: ArrayLike,
    own: ArrayLike,
    overall_now: ArrayLike,
    own_now: ArrayLike,
) -> Data:
    """One method's error: quantiles (7, points) over all nodes and of the selected node.

    ``..._now`` are the seven quantiles at the current ε.
    """
    return {
        "method": method,
        "hue": palette.hue(method),
        "overall": numbers(overall),
        "own": numbers(own),
        "overall_now": numbers(overall_now),
        "own_now": numbers(own_now),
    }


def error(words: Words, epsilons: ArrayLike, lines: Sequence[Data], *, node: str) -> Data:
    """Error against ε: ``lines`` from :func:`series`, ``node`` the selected one."""
    return {**vars(words), "epsilons": numbers(epsilons), "series": list(lines), "node": node}


def curve(name: str, style: Style, found: ArrayLike) -> Data:
    """Share of members found at each share of false alarms; the style says what kind of claim."""
    return {"name": name, "style": style, "found": numbers(found)}


def risk(
    words: Words,
    alarms: ArrayLike,
    curves: Sequence[Data],
    *,
    mark: tuple[float, float],
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> Data:
    """The trade-off curve of the membership attacker.

    ``mark`` is the (false alarms, members found) named in the finding; ``head`` and ``rows`` are
    the small table in words beneath the chart.
    """
    return {
        **vars(words),
        "alarms": numbers(alarms),
        "curves": list(curves),
        "mark": dict(zip(("alarm", "found"), numbers(mark), strict=True)),
        "table": {"head": list(head), "rows": [list(row) for row in rows]},
    }


@dataclass(frozen=True)
class Conditional:
    """What the panel shows of one node: a row per setting of the parents.

    ``settings[row][parent]`` are state names, ``records[row]`` counts, ``truth[row, state]``
    probabilities, ``bands[quantile, row, state]`` of the private releases.
    """

    node: str
    parents: tuple[str, ...]
    states: tuple[str, ...]
    settings: Sequence[Sequence[str]]
    records: ArrayLike
    truth: ArrayLike
    bands: ArrayLike


def panel(words: Words, conditional: Conditional, *, method: str) -> Data:
    """The selected node's conditional; at most ``PANEL_ROWS`` rows are sent."""
    total = len(conditional.settings)
    shown = slice(0, PANEL_ROWS)
    return {
        **vars(words),
        "node": conditional.node,
        "hue": palette.hue(method),
        "parents": list(conditional.parents),
        "states": list(conditional.states),
        "settings": [list(setting) for setting in conditional.settings[shown]],
        "records": numbers(np.asarray(conditional.records)[shown]),
        "truth": numbers(np.asarray(conditional.truth)[shown]),
        "bands": numbers(np.asarray(conditional.bands)[:, shown]),
        "total": total,
    }


def assemble(
    epsilon: float,
    finding: Sequence[tuple[str, str]],
    views: Mapping[Literal["graph", "error", "risk", "panel"], Data],
    *,
    scenario: str = "",
    heading: str = "Explore the trade-off",
    badge: str = "Study: compares with the truth, not for publication",
) -> Data:
    """The whole board from its parts; the badge states the mode, none when empty.

    ``scenario`` stands above on a narrow screen, where the sidebar starts closed.
    """
    return {
        "epsilon": epsilon,
        "scenario": scenario,
        "heading": heading,
        "badge": badge,
        "finding": [list(run) for run in finding],
        **views,
    }


def board(
    data: Data,
    *,
    key: str,
    on_select: Callable[[str], None],
    on_edit: Callable[[Edit], None],
    on_method: Callable[[str], None],
    on_epsilon: Callable[[float], None],
) -> None:
    """Mount the board; the callbacks run before the next rerun, with checked names.

    ``on_epsilon`` receives ε while the slider moves.
    """
    names = {node["name"] for node in data["graph"]["nodes"]}
    methods = set(data["graph"]["methods"])

    answers: Answers = {
        "selected": (lambda sent: one_of(sent, names), on_select),
        "method": (lambda sent: one_of(sent, methods), on_method),
        "edit": (lambda sent: read_edit(sent, names), on_edit),
        "epsilon": (read_epsilon, on_epsilon),
    }
    COMPONENT.mount(data, key=key, answers=answers)


@functools.lru_cache(maxsize=16)
def _plain(drawing: Drawing) -> Data:
    """A drawing as JSON takes it; made once, because a moved slider shows it again."""
    return asdict(drawing)
