"""The board of Allocate: who gets which part of the budget, and the data it draws.

One push of data repaints everything. The data is one JSON object (built by :func:`assemble`):

``epsilon``, ``scenario``, ``heading``, ``badge``, ``finding``: as on Explore's board.
``method``   the chosen method, ``methods`` pairs of name and title.
``cards``    ``label``, ``hue``, ``value``, ``range``, ``note``: texts.
``rows``     texts of a view, ``nodes``, ``series`` (:func:`series`), ``columns``
             (:func:`column`), ``tables`` (number of the table of each node, or nothing),
             ``order`` (the ε that rows are sorted by), ``heights``, ``floors``, ``weights``,
             ``summary``, ``message``.
``graph``    as on Explore's board, not editable.
``proof``    texts of a view, ``sentences`` (runs of text and role), ``checks``.
``findings`` views with ``kind``: ``constant`` (``lines``), ``sampling`` (``rates``, ``ratios``,
             ``mark``), ``literal`` (``bars``).

Names come from files: everything is shown with ``textContent``. The browser answers with
triggers: ``method`` (a name), ``setting`` (``node``, ``floor`` in [0, 1), ``weight`` above 0) and
``unlock``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st
from numpy.typing import ArrayLike

from pages.ui import palette
from pages.ui.assets import script, style
from pages.ui.board import Data, numbers

STYLES = ("board", "graph", "charts", "tables", "room", "allocate", "plan")
SCRIPTS = (
    "dom", "words", "scale", "view", "dag", "edit", "top", "rows", "findings", "allocate",
)  # fmt: skip

ColumnKind = Literal["epsilon", "count", "probability", "weight"]


@dataclass(frozen=True)
class Setting:
    """What a person asked for one node: at least this share of ε, and this importance."""

    floor: float = 0.0
    weight: float = 1.0


def series(method: str, values: ArrayLike, spread: tuple[ArrayLike, ArrayLike] | None) -> Data:
    """One method's ε of each node; ``spread`` is the 95 % interval over plans, if they differ."""
    low, high = spread or (None, None)
    return {
        "method": method,
        "hue": palette.hue(method),
        "values": numbers(values),
        "low": None if low is None else numbers(low),
        "high": None if high is None else numbers(high),
    }


def column(
    head: tuple[str, str], formula: str, kind: ColumnKind, values: ArrayLike, hue: str = ""
) -> Data:
    """One column of numbers: two lines of heading, and the formula behind them."""
    return {
        "head": list(head),
        "formula": formula,
        "kind": kind,
        "values": numbers(values),
        "hue": hue,
    }


def mount(
    data: Data,
    *,
    key: str,
    on_method: Callable[[str], None],
    on_setting: Callable[[str, Setting], None],
    on_unlock: Callable[[], None],
) -> None:
    """Mount the board; the callbacks run before the next rerun, with checked values."""
    methods = {name for name, _ in data["methods"]}
    nodes = data["rows"]["nodes"]

    def method() -> None:
        name = st.session_state[key].get("method")
        if isinstance(name, str) and name in methods:
            on_method(name)

    def setting() -> None:
        asked = read_setting(st.session_state[key].get("setting"), nodes)
        if asked is not None:
            on_setting(*asked)

    _component()(
        key=key,
        data=data,
        on_method_change=method,
        on_setting_change=setting,
        on_unlock_change=on_unlock,
    )


def read_setting(value: object, nodes: Sequence[str]) -> tuple[str, Setting] | None:
    """The setting asked for, or none when the browser sent something else."""
    match value:
        case {
            "node": str(node),
            "floor": int() | float() as floor,
            "weight": int() | float() as weight,
        } if node in nodes and 0 <= floor < 1 and 0 < weight <= WEIGHT_LIMIT:
            return node, Setting(float(floor), float(weight))
    return None


WEIGHT_LIMIT = 1000.0
"""Most a node may count for, in nodes."""


@functools.cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "equipoise_allocate",
        html='<div class="board allocate" data-painted="0"></div>',
        css=palette.css(".board") + palette.tones() + style("board", STYLES),
        js=script("board", SCRIPTS),
    )
