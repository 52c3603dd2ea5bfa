"""The boards of Synthesise: the learned network with two columns side by side, and the curves.

The first board's data (one JSON object): ``epsilon``, ``scenario``, ``heading``, ``badge`` and
``finding`` as on Explore's board; ``notice``, a sentence; ``graph`` as there, not editable;
``pairs`` (texts, ``head``, ``rows`` of texts); ``heat`` (texts, ``pair`` of names, ``rows`` and
``columns`` of states, ``real`` and ``synthetic`` shares [row][column]).

The second board's data: ``epsilon`` and ``charts`` as on Utility's board.

Names come from files: everything is shown with ``textContent``. The browser answers with
``epsilon`` while the slider moves, and nothing else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui import palette
from pages.ui.assets import script, style
from pages.ui.board import Data
from pages.ui.epsilon import read_epsilon

STYLES = ("board", "graph", "charts", "tables", "room", "utility", "synthesise")
SCRIPTS = (
    "dom", "words", "scale", "view", "top", "dag", "edit", "facts", "heat", "synthesise",
)  # fmt: skip
CURVE_SCRIPTS = ("dom", "words", "scale", "view", "lines", "compared")


def mount(data: Data, *, key: str, on_epsilon: Callable[[float], None]) -> None:
    """Mount the first board; ``on_epsilon`` receives ε while the slider moves."""

    def moved() -> None:
        sent = read_epsilon(st.session_state[key].get("epsilon"))
        if sent is not None:
            on_epsilon(sent)

    _component()(key=key, data=data, on_epsilon_change=moved)


def mount_curves(data: Data, *, key: str) -> None:
    """Mount the curves."""
    _curves()(key=key, data=data)


@functools.cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "equipoise_synthesis",
        html='<div class="board synthesis" data-painted="0"></div>',
        css=palette.css(".board") + palette.tones() + style("board", STYLES),
        js=script("board", SCRIPTS),
    )


@functools.cache
def _curves() -> Callable[..., Any]:
    return st.components.v2.component(
        "equipoise_compared",
        html='<div class="board utility"></div>',
        css=palette.css(".board") + palette.tones() + style("board", STYLES),
        js=script("board", CURVE_SCRIPTS),
    )
