"""The board of Undirected, and the data it draws.

The data (one JSON object): ``epsilon``, ``scenario``, ``heading``, ``badge``, ``finding`` and
``notice`` as on Utility's board; ``views``, each with the texts of a view, ``whole`` (over both
columns or one) and a ``kind``:

``plot``     ``across`` (``title``, ``name``, ``ticks``, ``range``, ``log``), ``up`` (``title``,
             ``kind`` of number, ``log``), ``mark`` (``at``, ``text``) or nothing, ``empty`` (what
             stands where nothing is measured), ``series`` and ``rules``.
``scatter``  ``cells`` (names), ``truth``, ``most`` (end of both axes), ``ticks``, ``panels``
             (``name``, ``hue``, ``learned``, ``error``).
``facts``    ``head`` and ``rows`` of texts.

Names come from files: everything is shown with ``textContent``. The browser answers with
``epsilon`` while the slider moves, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from pages.ui.board import Words, numbers
from pages.ui.component import Component, Data
from pages.ui.epsilon import read_epsilon
from pages.ui.undirected_numbers import Curve

STYLES = ("board", "graph", "charts", "tables", "room", "utility", "undirected")
SCRIPTS = (
    "dom", "words", "scale", "view", "top", "facts", "plot", "scatter", "undirected",
)  # fmt: skip
COMPONENT = Component(
    "equipoise_undirected", '<div class="board undirected" data-painted="0"></div>', SCRIPTS, STYLES
)

LOOKS = {
    "naive": ("uniform", ""),
    "cgm": ("data-dependent", ""),
    "gaussian": ("uniform", "6 4"),
    "dp-sgd": ("truth", "6 4"),
    "non-private": ("truth", ""),
    "random": ("truth", "2 3"),
    "loopy": ("truth", ""),
}
"""Hue and dash of each estimator: orange naive, blue collective, ink for what is neither."""

SHORT = {
    "naive": "naive",
    "cgm": "CGM",
    "gaussian": "one Gaussian",
    "dp-sgd": "DP-SGD",
    "non-private": "non-private",
    "random": "random",
    "loopy": "loopy BP, no noise",
}
"""Estimators by the names that fit beside a curve."""


@dataclass(frozen=True)
class Axis:
    """What runs across: ``name`` heads the column of the file."""

    title: str
    name: str
    ticks: Sequence[tuple[float, str]]
    span: tuple[float, float]
    log: bool = True


@dataclass(frozen=True)
class Up:
    """What runs up; ``kind`` chooses how its numbers are written."""

    title: str
    kind: str = "error"
    log: bool = True


def records_axis(sizes: Sequence[int]) -> Axis:
    """The number of records."""
    ticks = [(n, f"{n:,}") for n in sizes if f"{n}".startswith("1")]
    return Axis("records N (log scale)", "records", ticks, (sizes[0], sizes[-1]))


def budget_axis(budgets: Sequence[float]) -> Axis:
    """The total budget."""
    ticks = [(e, f"{e:g}") for e in budgets]
    return Axis("total budget ε (log scale)", "epsilon", ticks, (min(budgets), max(budgets)))


def series(
    curve: Curve, look: tuple[str, str], now: ArrayLike | None = None, name: str = ""
) -> Data:
    """One curve; ``now`` are the seven quantiles at the marked place."""
    return {
        "name": name or SHORT.get(curve.name, curve.name),
        "hue": look[0],
        "dash": look[1],
        "across": numbers(curve.across),
        "bands": numbers(curve.bands),
        "measured": curve.measured,
        "now": None if now is None else numbers(now),
    }


def rule(name: str, across: ArrayLike, values: ArrayLike, anchor: str = "end") -> Data:
    """A dotted line that is not measured; ``anchor`` is the end its name stands at."""
    return {"name": name, "across": numbers(across), "values": numbers(values), "anchor": anchor}


def plot(  # noqa: PLR0913 - replaced by the makers of figures/
    texts: Words,
    across: Axis,
    up: Up,
    lines: Sequence[Data],
    *,
    rules: Sequence[Data] = (),
    mark: tuple[float, str] | None = None,
    empty: str = "Nothing measured yet",
    whole: bool = False,
) -> Data:
    """A chart."""
    return {
        **vars(texts),
        "kind": "plot",
        "whole": whole,
        "across": {
            "title": across.title,
            "name": across.name,
            "ticks": [list(tick) for tick in across.ticks],
            "range": list(across.span),
            "log": across.log,
        },
        "up": vars(up),
        "mark": None if mark is None else {"at": mark[0], "text": mark[1]},
        "empty": empty,
        "series": list(lines),
        "rules": list(rules),
    }


def facts(
    texts: Words, head: Sequence[str], rows: Sequence[Sequence[str]], *, whole: bool = True
) -> Data:
    """A table of texts."""
    table = {"head": list(head), "rows": [list(row) for row in rows]}
    return {**vars(texts), "kind": "facts", "whole": whole, **table}


def panel(name: str, learned: ArrayLike, error: float) -> Data:
    """One estimator's cells, in the order of the truth; none while it is learned."""
    return {
        "name": SHORT[name],
        "hue": LOOKS[name][0],
        "learned": numbers(learned),
        "error": error,
    }


def scatter(
    texts: Words, cells: Sequence[str], truth: ArrayLike, panels: Sequence[Data], most: float
) -> Data:
    """Truth against estimate, a panel for each estimator."""
    return {
        **vars(texts),
        "kind": "scatter",
        "whole": True,
        "cells": list(cells),
        "truth": numbers(truth),
        "most": most,
        "ticks": _ticks(most),
        "panels": list(panels),
    }


def _ticks(most: float) -> list[float]:
    """Some round numbers from zero.

    >>> _ticks(0.37), _ticks(0.9)
    ([0.0, 0.1, 0.2, 0.3], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    power = 10 ** math.floor(math.log10(most))
    step = max(d * power for d in (0.1, 0.2, 0.5, 1, 2, 5) if d * power <= most / 2.5)
    return [round(k * step, 12) for k in range(int(most / step) + 1)]


def mount(data: Data, *, key: str, on_epsilon: Callable[[float], None]) -> None:
    """Mount the board; ``on_epsilon`` receives ε while the slider moves."""
    COMPONENT.mount(data, key=key, answers={"epsilon": (read_epsilon, on_epsilon)})
