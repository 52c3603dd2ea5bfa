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

from collections.abc import Callable

from pages.ui.component import Component, Data
from pages.ui.epsilon import read_epsilon

STYLES = ("board", "graph", "charts", "tables", "room", "utility", "synthesise")
SCRIPTS = (
    "dom", "words", "scale", "view", "top", "dag", "edit", "facts", "heat", "synthesise",
)  # fmt: skip
CURVE_SCRIPTS = ("dom", "words", "scale", "view", "lines", "compared")
COMPONENT = Component(
    "equipoise_synthesis", '<div class="board synthesis" data-painted="0"></div>', SCRIPTS, STYLES
)
CURVES = Component(
    "equipoise_compared", '<div class="board utility"></div>', CURVE_SCRIPTS, STYLES
)


def mount(data: Data, *, key: str, on_epsilon: Callable[[float], None]) -> None:
    """Mount the first board; ``on_epsilon`` receives ε while the slider moves."""
    COMPONENT.mount(data, key=key, answers={"epsilon": (read_epsilon, on_epsilon)})


def mount_curves(data: Data, *, key: str) -> None:
    """Mount the curves."""
    CURVES.mount(data, key=key)
