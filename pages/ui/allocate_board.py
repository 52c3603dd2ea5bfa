"""The board of Allocate: who gets which part of the budget, and the data it draws.

One push of data repaints everything. The data is one JSON object (built by :func:`assemble`):

``epsilon``, ``scenario``, ``heading``, ``badge``, ``finding``: as on Explore's board.
``method``   the chosen method, ``methods`` pairs of name and title, ``prior`` a pseudo-count.
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
triggers: ``method`` (a name), ``setting`` (``node``, ``floor`` in [0, 1), ``weight`` above 0),
``unlock``, ``prior``, and ``epsilon`` while the slider moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from numpy.typing import ArrayLike

from pages.ui import palette
from pages.ui.answers import one_of
from pages.ui.board import numbers
from pages.ui.component import Answers, Component, Data
from pages.ui.epsilon import read_epsilon

STYLES = ("board", "graph", "charts", "tables", "room", "allocate", "plan")
SCRIPTS = (
    "dom", "words", "scale", "view", "dag", "edit", "top", "rows", "findings", "allocate",
)  # fmt: skip
COMPONENT = Component(
    "equipoise_allocate", '<div class="board allocate" data-painted="0"></div>', SCRIPTS, STYLES
)

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


@dataclass(frozen=True)
class Callbacks:
    """What happens when the reader asks for something."""

    method: Callable[[str], None]
    setting: Callable[[tuple[str, Setting]], None]
    unlock: Callable[[int], None]
    prior: Callable[[float], None]
    epsilon: Callable[[float], None]


def mount(data: Data, *, key: str, on: Callbacks) -> None:
    """Mount the board; the callbacks run before the next rerun, with checked values."""
    methods = {name for name, _ in data["methods"]}
    nodes = data["rows"]["nodes"]
    answers: Answers = {
        "method": (lambda sent: one_of(sent, methods), on.method),
        "setting": (lambda sent: read_setting(sent, nodes), on.setting),
        "unlock": (lambda sent: sent if isinstance(sent, int) else None, on.unlock),
        "prior": (read_prior, on.prior),
        "epsilon": (read_epsilon, on.epsilon),
    }
    COMPONENT.mount(data, key=key, answers=answers)


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


def read_prior(value: object) -> float | None:
    """The pseudo-count asked for, or none when it is not a number from 0 to the limit."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= PRIOR_LIMIT else None


WEIGHT_LIMIT = 1000.0
"""Most a node may count for, in nodes."""

PRIOR_LIMIT = 1000.0
"""Largest pseudo-count, in records for each cell."""
