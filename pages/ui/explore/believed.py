"""Explore's graph with answers in its nodes: a click on a state says that it is known."""

from collections.abc import Mapping

from core.errors import EquipoiseError
from core.network import Network
from core.study.answered import Beliefs
from core.study.metrics import Truth
from pages.ui.kit import compute, state, words
from pages.ui.kit.acting import SHOWN, evidence_on
from pages.ui.kit.graph_view import Showing, answer_boxes, answers_in_nodes, graph_view
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import GraphView
from pages.ui.kit.sheet import Words
from sources.graphs import needless, untouched

KINDS = ("budget", "answers")


def answers(choice: Choice, session: state.Session, selected: str, truth: Truth) -> GraphView:
    """Every node's distribution given what is known, truth against private releases."""
    network, method = choice.network, session.method
    given, message = evidence_on(network), session.message
    try:
        believed = _believed(choice, method, truth, given)
    except EquipoiseError as problem:  # impossible by the records: answered without it
        message, given = f"The answers are those without evidence: {problem}.", {}
        believed = _believed(choice, method, truth, given)
    known = tuple(sorted(given))
    faint = compute.of_graph(network, ("untouched", known), lambda: untouched(network, known))
    texts = Words(
        title="What is known, and what follows",
        subtitle=f"Bar: private median at ε = {choice.scenario.epsilon:g}. Line: 95 % of releases. "
        "Tick: truth.",
        caption=_caption(network, selected, given, faint),
        alt=_alt(network, given, believed),
        details={
            "Formula": "P(node | evidence) of each node, by exact inference on a junction tree, in "
            f"the exact model and in each of {choice.scenario.replicates} private ones.",
            "Faint nodes": "d-separated from all evidence: whatever the numbers, it tells nothing "
            "about them.",
            "Study only": "Truth is computed from the exact counts; it is not private.",
            "Command line": command("query", choice, _asked(network, method, selected, given)),
        },
        file="equipoise-study-answers.csv",
    )
    chosen = Showing(
        selected, method, SHOWN, choice.edited, message, showing="answers", kinds=KINDS
    )
    drawing = compute.drawing_of(network, answer_boxes(network))
    return graph_view(
        "graph", texts, drawing, (), chosen, answers_in_nodes(network, believed, given, faint)
    )


def _believed(choice: Choice, method: str, truth: Truth, given: Mapping[str, str]) -> Beliefs:
    return compute.beliefs_at(given, method, truth, choice.study, choice.scenario)


def _asked(network: Network, method: str, selected: str, given: Mapping[str, str]) -> str:
    """The selected node's answer as the shell is asked for it; of the first free one if given."""
    target = next((n for n in (selected, *network.names) if n not in given), selected)
    return f"--method {method} {words.asked_for([target], given)}"


def _caption(
    network: Network, selected: str, given: Mapping[str, str], faint: frozenset[str]
) -> str:
    if not given:
        return (
            "Click a state to say that it is known: every node answers. By keyboard: arrows move, "
            "a digit sets a state, Delete clears it."
        )
    known = " and ".join(f"{name} = {value}" for name, value in given.items())
    parts = [f"Known: {known}."]
    if faint:
        count = words.counted(len(faint), "faint node")
        parts.append(f"{count} cannot be influenced by it (d-separated).")
    idle = () if selected in given else needless(network, (selected,), given, given)
    if idle and selected not in faint:
        parts.append(f"For {selected}, {' and '.join(idle)} does not matter given the rest.")
    return " ".join(parts)


def _alt(network: Network, given: Mapping[str, str], believed: Beliefs) -> str:
    """The finding: where the private answer is furthest from the truth."""
    off = [abs(p[3] - t).max() for p, t in zip(believed.private, believed.truth, strict=True)]
    worst = max(range(len(off)), key=off.__getitem__)
    known = f" given {', '.join(f'{n} = {v}' for n, v in given.items())}" if given else ""
    return (
        f"Distribution of each of {len(network.names)} nodes{known}; the median private answer is "
        f"furthest off at {network.names[worst]}, by {words.error(float(off[worst]))}."
    )
