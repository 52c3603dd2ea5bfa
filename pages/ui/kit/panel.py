"""A view of one conditional: a row for each setting of the parents, truth against releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from figures.palette import hue
from figures.template import numbers
from pages.ui.kit.messages import PanelView
from pages.ui.kit.sheet import Words, texts

ROWS = 500
"""Most rows of a conditional that are sent to the browser."""


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


def panel_view(name: str, words: Words, conditional: Conditional, *, method: str) -> PanelView:
    """The selected node's conditional; at most ``ROWS`` rows are sent."""
    shown = slice(0, ROWS)
    return {
        "kind": "panel",
        **texts(name, words),
        "node": conditional.node,
        "hue": hue(method),
        "parents": list(conditional.parents),
        "states": list(conditional.states),
        "settings": [list(setting) for setting in conditional.settings[shown]],
        "records": numbers(np.asarray(conditional.records)[shown]),
        "truth": numbers(np.asarray(conditional.truth)[shown]),
        "bands": numbers(np.asarray(conditional.bands)[:, shown]),
        "total": len(conditional.settings),
    }
