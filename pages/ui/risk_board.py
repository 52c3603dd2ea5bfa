"""The board of Risk: what an attacker gains, in curves, words and a reviewers' grid.

One push of data repaints everything. The data is one JSON object (built in :mod:`pages.ui.risk`):

``epsilon``, ``scenario``, ``heading``, ``badge``, ``finding``: as on Explore's board.
``method``, ``methods``: the release on show, and the choice.
``roc``      texts of a view, ``alarms``, ``curves`` (:func:`curve`), ``measured``
             (:func:`measured`), ``release`` (the words for the release's hue).
``accuse``   texts, ``alarms``, ``found`` (the guarantee at them), ``loose`` (ε alone),
             ``measured`` (the attack, or nothing).
``review``   texts, ``heads``, ``limits`` (thresholds), ``groups`` of ``title`` and ``rows``
             (:func:`row`), ``running``.
``nodes``    texts, ``bars`` of ``name``, ``share``, ``count``; the last may be the rest.
``rails``    texts, ``list`` of ``state``, ``finding``, ``rest``, ``advice``.
``graph``    as on Explore's board.

Names come from files: everything is shown with ``textContent``. Nothing in the data speaks of one
person. The browser answers with triggers: ``method``, ``selected``, ``edit`` as on Explore,
``limits`` (a list of numbers), ``attack`` (a number of pools), and ``epsilon`` while the slider
moves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from core.study.experiments import Interval
from pages.ui.answers import Edit, one_of, read_edit
from pages.ui.board import numbers
from pages.ui.component import Answers, Component, Data
from pages.ui.epsilon import read_epsilon

STYLES = ("board", "graph", "charts", "tables", "room", "risk", "review")
SCRIPTS = (
    "dom", "words", "scale", "view", "dag", "edit", "top", "claims", "tradeoff", "accuse",
    "review", "carriers", "risk",
)  # fmt: skip
COMPONENT = Component(
    "equipoise_risk", '<div class="board riskboard" data-painted="0"></div>', SCRIPTS, STYLES
)

POOLS = (20, 40, 100)
"""Numbers of pools that can be asked for."""


@dataclass(frozen=True)
class Callbacks:
    """What the page does when the board asks."""

    select: Callable[[str], None]
    edit: Callable[[Edit], None]
    method: Callable[[str], None]
    limits: Callable[[tuple[float, ...]], None]
    attack: Callable[[int], None]
    epsilon: Callable[[float], None]


def curve(texts: tuple[str, str], about: str, claim: str, found: ArrayLike, strong: bool) -> Data:
    """One line of the chart: its key and name, whose it is, what it claims."""
    key, name = texts
    return {"key": key, "name": name, "about": about, "claim": claim, "strong": strong,
            "found": numbers(found)}  # fmt: skip


def measured(name: str, about: str, alphas: Sequence[float], powers: Sequence[Interval]) -> Data:
    """Rings with whiskers: share of members found at each share of false alarms."""
    points = [[a, p.mean, p.low, p.high] for a, p in zip(alphas, powers, strict=True)]
    return {"key": f"measured-{about}", "name": name, "about": about, "claim": "measured",
            "strong": False, "points": numbers(points)}  # fmt: skip


def row(texts: tuple[str, str], about: str, claim: str, cells: Sequence[Data]) -> Data:
    """One attacker of the grid: who it is, what the number is, and a cell for each head."""
    attacker, estimate = texts
    return {"attacker": attacker, "estimate": estimate, "about": about, "claim": claim,
            "cells": list(cells)}  # fmt: skip


def cell(value: float, limit: float, half: float | None = None) -> Data:
    """A number against its threshold; ``half`` is half of a measured interval."""
    return {"value": value, "half": half, "passes": value <= limit}


def mount(data: Data, *, key: str, on: Callbacks) -> None:
    """Mount the board; the callbacks run before the next rerun, with checked values."""
    nodes = {node["name"] for node in data["graph"]["nodes"]}
    answers: Answers = {
        "selected": (lambda sent: one_of(sent, nodes), on.select),
        "edit": (lambda sent: read_edit(sent, nodes), on.edit),
        "method": (lambda sent: one_of(sent, set(data["methods"])), on.method),
        "limits": (read_limits, on.limits),
        "attack": (read_pools, on.attack),
        "epsilon": (read_epsilon, on.epsilon),
    }
    COMPONENT.mount(data, key=key, answers=answers)


def read_pools(sent: object) -> int | None:
    """The number of pools asked for, or none when it is not one on offer."""
    return sent if type(sent) is int and sent in POOLS else None


def read_limits(value: object) -> tuple[float, ...] | None:
    """The thresholds asked for, or none: three shares above 0 up to 1, an AUC from 0.5 to 1."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    if any(isinstance(v, bool) or not isinstance(v, int | float) for v in value):
        return None
    *shares, auc = (float(v) for v in value)
    if not all(math.isfinite(s) and 0 < s <= 1 for s in shares) or not 0.5 <= auc <= 1:
        return None
    return (*shares, auc)
