"""The boards of Utility: error against ε for any set of methods, notes, a question's answers.

The first board's data (one JSON object): ``epsilon``, ``scenario``, ``heading``, ``badge`` and
``finding`` as on Explore's board; ``notice``, a sentence or nothing; ``charts``, each with the
texts of a view, ``metric``, ``kind`` (``error`` on a log axis, ``share`` on a linear one),
``unit``, ``range`` of ε and ``series`` (:func:`series`); ``matches`` (texts, ``head``, ``rows`` of
texts).

Notes hold ``views`` made by :func:`points` and :func:`facts`.

The data of answers: texts of a view, ``lead``, ``labels``, ``truth``, and ``methods`` with
``bands`` and ``releases`` each, or for explanations ``states``, ``agree`` and ``releases``.

Names come from files: everything is shown with ``textContent``. The browser answers
with ``epsilon`` while the slider moves, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numpy.typing import ArrayLike

from pages.ui import palette
from pages.ui.board import Words, numbers
from pages.ui.component import Component, Data
from pages.ui.epsilon import read_epsilon

STYLES = ("board", "graph", "charts", "tables", "room", "utility")
SCRIPTS = ("dom", "words", "scale", "view", "top", "lines", "facts", "utility")
NOTE_SCRIPTS = ("dom", "words", "scale", "view", "facts", "notes")
ANSWER_SCRIPTS = ("dom", "words", "view", "answers")
COMPONENT = Component(
    "equipoise_utility", '<div class="board utility" data-painted="0"></div>', SCRIPTS, STYLES
)
NOTES = Component("equipoise_notes", '<div class="board notes"></div>', NOTE_SCRIPTS, STYLES)
ANSWERS = Component(
    "equipoise_answers", '<div class="board answers"></div>', ANSWER_SCRIPTS, STYLES
)

DASHES = ("", "6 4", "2 3", "8 3 2 3")
"""How the variants of one hue are told apart."""


def dashes(methods: Sequence[str]) -> dict[str, str]:
    """A dash pattern for each method: solid for the first of its hue."""
    seen: dict[str, int] = {}
    found = {}
    for method in methods:
        hue = palette.hue(method)
        found[method] = DASHES[seen.get(hue, 0) % len(DASHES)]
        seen[hue] = seen.get(hue, 0) + 1
    return found


def series(
    method: str, dash: str, epsilons: ArrayLike, bands: ArrayLike, now: ArrayLike | None
) -> Data:
    """One method's curve: quantiles (7, points), and the seven at the ε on show, if known."""
    return {
        "method": method,
        "hue": palette.hue(method),
        "dash": dash,
        "epsilons": numbers(epsilons),
        "bands": numbers(bands),
        "now": None if now is None else numbers(now),
    }


def points(
    texts: Words, names: Sequence[str], series: Sequence[tuple[str, ArrayLike, ArrayLike]]
) -> Data:
    """One point for each name and method: forecast across, measured up."""
    return {
        **vars(texts),
        "kind": "points",
        "names": list(names),
        "series": [
            {
                "method": method,
                "hue": palette.hue(method),
                "across": numbers(across),
                "up": numbers(up),
            }
            for method, across, up in series
        ],
    }


def facts(texts: Words, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Data:
    """A table of texts."""
    return {**vars(texts), "kind": "facts", "head": list(head), "rows": [list(r) for r in rows]}


def mount(data: Data, *, key: str, on_epsilon: Callable[[float], None]) -> None:
    """Mount the first board; ``on_epsilon`` receives ε while the slider moves."""
    COMPONENT.mount(data, key=key, answers={"epsilon": (read_epsilon, on_epsilon)})


def mount_notes(views: Sequence[Data], *, key: str) -> None:
    """Mount views that stand beside each other."""
    NOTES.mount({"views": list(views)}, key=key)


def mount_answers(data: Data, *, key: str) -> None:
    """Mount the answers to one question."""
    ANSWERS.mount(data, key=key)
