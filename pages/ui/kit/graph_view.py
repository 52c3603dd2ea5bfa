"""A view of the network: nodes filled by a measure, edges that can be edited."""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, cast

from numpy.typing import ArrayLike

from core.network import Network
from core.study.answered import Beliefs
from core.study.bands import MEDIAN
from figures.palette import hue
from figures.template import numbers
from pages.ui.graph.drawing import Boxes, Drawing
from pages.ui.graph.labels import cut_label
from pages.ui.kit.messages import Belief, Believed, GraphView, Measure
from pages.ui.kit.sheet import Words, texts

Kind = Literal["epsilon", "error", "share"]


def measure(key: str, title: str, kind: Kind, values: ArrayLike, tone: str = "") -> Measure:
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


def worded(key: str, title: str, texts: Sequence[str], marks: Sequence[str]) -> Measure:
    """One word per node instead of a number; ``marks`` are ``given``, ``faint`` or nothing."""
    return {
        "key": key,
        "tone": "budget",
        "title": title,
        "kind": "word",
        "values": list(texts),
        "marks": list(marks),
    }


@dataclass(frozen=True)
class Showing:
    """What the graph is showing; ``message`` is the sentence that refuses an edit."""

    selected: str
    method: str = "uniform"
    methods: tuple[str, ...] = ("uniform",)
    edited: bool = False
    message: str = ""
    editable: bool = True
    showing: str = "budget"
    kinds: tuple[str, ...] = ()
    """What nodes can hold, where a reader may choose."""


ROW = 15
"""Height of a state in a node that shows them."""

HEAD = 24
"""Height of a node's name above its states."""

MOST_STATES = 12
"""States that a node shows; a node with more says how many are left out."""

ANSWER_WIDTH = 168
STATE_ROOM = 68
"""What the name of a state may take of it, in pixels of a node's font."""


def answer_boxes(network: Network) -> Boxes:
    """Boxes with a row for each state."""
    shown = [min(v.cardinality, MOST_STATES) for v in network.variables]
    more = [v.cardinality > MOST_STATES for v in network.variables]
    own = tuple(HEAD + ROW * (s + m) + 4 for s, m in zip(shown, more, strict=True))
    return Boxes(ANSWER_WIDTH, sum(own) // len(own), own, target=1090)


def answers_in_nodes(
    network: Network, believed: Beliefs, given: Mapping[str, str], faint: Collection[str]
) -> Believed:
    """What every node is believed to be: a row per state, truth and the private 95 % band."""
    nodes: list[Belief] = []
    for i, variable in enumerate(network.variables):
        shown = slice(0, MOST_STATES)
        nodes.append(
            {
                "states": list(variable.states[shown]),
                "labels": [cut_label(s, STATE_ROOM) for s in variable.states[shown]],
                "more": max(0, variable.cardinality - MOST_STATES),
                "truth": numbers(believed.truth[i][shown]),
                "bands": numbers(believed.private[i][[0, MEDIAN, -1], shown]),
                "given": given.get(variable.name, ""),
                "faint": variable.name in faint,
            }
        )
    return {"nodes": nodes, "row": ROW, "head": HEAD}


def graph_view(
    name: str,
    words: Words,
    drawing: Drawing,
    measures: Sequence[Measure],
    chosen: Showing,
    answers: Believed | None = None,
) -> GraphView:
    """The DAG with its measures, or with answers in its nodes.

    The choice of methods is hidden while there is only one.
    """
    view = {
        "kind": "graph",
        **texts(name, words),
        **_plain(drawing),
        "measures": list(measures),
        "hue": hue(chosen.method),
        "answers": answers,
        **vars(chosen),
    }
    return cast("GraphView", view)


@functools.lru_cache(maxsize=16)
def _plain(drawing: Drawing) -> dict[str, object]:
    """A drawing as JSON takes it; made once, because a moved slider shows it again."""
    return asdict(drawing)
