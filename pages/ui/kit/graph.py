"""A view of the network: nodes filled by a measure, edges that can be edited."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from numpy.typing import ArrayLike

from figures.template import numbers
from pages.ui.graph.drawing import Drawing
from pages.ui.kit.component import Data
from pages.ui.kit.sheet import Words

Kind = Literal["epsilon", "error", "share"]


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


def graph_view(
    name: str, words: Words, drawing: Drawing, measures: Sequence[Data], chosen: Chosen
) -> Data:
    """The DAG with its measures; the choice of methods is hidden while there is only one."""
    return {
        "kind": "graph",
        "name": name,
        **vars(words),
        **_plain(drawing),
        "measures": list(measures),
        **vars(chosen),
    }


@functools.lru_cache(maxsize=16)
def _plain(drawing: Drawing) -> Data:
    """A drawing as JSON takes it; made once, because a moved slider shows it again."""
    return asdict(drawing)
