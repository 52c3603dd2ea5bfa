"""Which nodes matter for the question on show: d-separation, drawn on the graph."""

from __future__ import annotations

from core.inference.evidence import Query
from core.network import Network
from pages.ui.kit import compute, state, words
from pages.ui.kit.acting import select
from pages.ui.kit.graph_view import Showing, graph_view, worded
from pages.ui.kit.replies import one_of
from pages.ui.kit.sheet import Words, stacked
from pages.ui.utility import words as say
from sources.graphs import needless

FEW = 4
"""Nodes that a sentence names; of more it says how many."""


def show(asked: Query, network: Network) -> None:
    """The graph with what each node is for the question, and a sentence."""
    names = set(network.names)
    idle = idle_nodes(asked, network)
    roles = {name: "no part" for name in idle}
    roles |= {n: "given, no part" if n in idle else "given" for n in asked.given}
    roles |= dict.fromkeys(_targets(asked, network), "asked")
    marks = ["faint" if n in idle else "given" if n in asked.given else "" for n in network.names]
    texts = Words(
        title="Which nodes matter for it",
        subtitle=sentence(asked, idle, network),
        caption="Dashed and faint: no part in the answer. Follows from the graph alone, for every "
        "method and every ε.",
        alt=f"Network of {len(names)} nodes; {len(idle)} play no part in the question.",
        details=(
            (
                "Formula",
                "a node plays no part where it is d-separated from what is asked by what is given "
                "(of a given node: by the rest): whatever the probabilities, the two are "
                "independent then.",
            ),
            ("Source", "sources/graphs.py: needless, by networkx"),
        ),
        file="equipoise-study-question.csv",
    )
    part = worded("part", "part", [roles.get(n, "matters") for n in network.names], marks)
    selected = state.load().selected
    first = _targets(asked, network)[0]
    chosen = Showing(selected if selected in names else first, editable=False)
    view = graph_view("part", texts, compute.drawing_of(network), [part], chosen)
    stacked(view).mount(
        key="part", answers={"selected": (lambda sent: one_of(sent, names), select)}
    )


def idle_nodes(asked: Query, network: Network) -> tuple[str, ...]:
    """Nodes that play no part; kept in the session."""
    targets, given = _targets(asked, network), tuple(asked.given)
    return compute.remembered(
        ("needless", network, targets, given),
        lambda: needless(network, targets, given, network.names),
    )


def _targets(asked: Query, network: Network) -> tuple[str, ...]:
    """What is asked; for the most probable explanation all that is not given."""
    return asked.targets or tuple(name for name in network.names if name not in asked.given)


def sentence(asked: Query, idle: tuple[str, ...], network: Network) -> str:
    """What plays no part, in words."""
    asks = say.question(asked.targets, asked.given) if asked.targets else "the explanation"
    told = [name for name in idle if name in asked.given]
    free = [name for name in idle if name not in asked.given]
    parts = []
    if told:
        rest = " once the rest is known" if len(asked.given) > len(told) else ""
        parts.append(f"Of what is given, {_listed(told)} changes nothing in {asks}{rest}.")
    if free:
        parts.append(f"To know {_listed(free)} too would change nothing in {asks}.")
    return " ".join(parts) or f"Every node matters for {asks}."


def _listed(names: list[str]) -> str:
    if len(names) > FEW:
        return f"any of {words.counted(len(names), 'node')}"
    return " or ".join(names)
