"""Allocate in plain words: who gets most and why, what each column means, why it is private."""

from collections.abc import Sequence

import numpy as np

from core.methods.registry import METHODS
from core.network import Network
from core.options import Options
from core.scenario import Scenario
from core.study.allocated import WithPlan
from core.study.quantities import ROW_WEIGHTED
from figures.palette import hue
from pages.ui.kit import words
from pages.ui.kit.words import Runs

FORMULAS = {
    "height": "Length of the longest path from the node down to a leaf: how much depends on it.",
    "degree": "Number of children of the node.",
    "sensitivity": "Δ_i = mean over children Y of 1/|Y|, divided by the number of settings of the "
    "parents. Eq. 7 of Chowdhury et al., in closed form: a public constant, no record enters.",
    "delta": "δ_i = mean over cells of Θ √(1/T_pa² + 1/T²), from the noisy tables of Stage I "
    "(Eq. 12). The only quantity here that reads the records; median over plans, in thousandths.",
    "weight": "W_i = (height + 1)(out-degree + 1)(Δ_i + 1), Eq. 11. The data-dependent plan gives "
    "ε_i in proportion to √(W_i δ_i), Eq. 13.",
}
"""What stands behind each column."""


VARIANTS = {
    "equipoise-filter": "Families are merged into larger tables than for equipoise; afterwards "
    "each is filtered, cell by cell, by how much of its spread is real. That reads noisy tables "
    "only and costs nothing.",
    "equipoise-zcdp": "Every family's table with Gaussian noise; ρ is divided so that the squared "
    "error of all families is least, and a node shows ε · ρ_t / Σ ρ.",
    "mrf-naive": "ε_i = ε/n, the tables of uniform; an undirected model over the moral graph is "
    "fitted to them as if they were exact. That reads noisy tables only and costs nothing.",
    "cgm": "ε_i = ε/n, the tables of uniform; an undirected model over the moral graph is learned "
    "with the true tables hidden. That reads noisy tables only and costs nothing.",
    "one-table": "ε_i = ε/n, one table for each family and none for its parents.",
    "privbayes-tables": "ε_i = ε/n, one table for each family; negative counts become zero "
    "and rows are normalised, nothing else.",
}
"""Formulas of methods that share a hue, or have none."""


def formula(method: str) -> str:
    """How a method divides ε."""
    known = words.ALLOCATION.get(hue(method), {}).get("Formula", "")
    return VARIANTS.get(method) or known or METHODS[method].title


def allocation(method: str) -> dict[str, str]:
    """Formula and source of a method's plan."""
    return {"Formula": formula(method), "Source": METHODS[method].source}


def short(method: str) -> str:
    """A method's name where room is short.

    >>> short("data-dependent-icml"), short("equipoise")
    ('data-dep.', 'equipoise')
    """
    return method if len(method) <= 10 else f"{method[:8].rstrip('-')}."


def finding(shown: Sequence[WithPlan], chosen: WithPlan, network: Network, why: str) -> Runs:
    """Who gets most of the chosen plan and why, then what the other plans do instead."""
    top = best(chosen, network)
    if even(chosen):
        given = f"{_called(chosen.method)} gives {_everyone(network)} "
    else:
        given = f"{chosen.method} gives most to {words.strong(network.names[top])}, "
    amount = words.toned(words.budget(chosen.epsilon[top]), hue(chosen.method))
    instead = "".join(_instead(other, chosen, network) for other in shown if other is not chosen)
    epsilon = words.strong(f"ε = {chosen.trace.epsilon:g}")
    return words.runs(f"At {epsilon} {given}{amount}{why}{instead}")


def _called(method: str) -> str:
    return "the uniform plan" if method == "uniform" else method


def best(planned: WithPlan, network: Network) -> int:
    """The node with most of ε; of those with the same, a locked one, or the one with most cells."""
    sizes = [s.stop - s.start for s in network.layout.slices]
    floors = planned.options.floors_of(network).tolist()
    ranks = zip(planned.epsilon.round(9).tolist(), floors, sizes, strict=True)
    return max(enumerate(ranks), key=lambda pair: pair[1])[0]


def even(planned: WithPlan) -> bool:
    """Whether every node gets the same."""
    low, high = float(planned.epsilon.min()), float(planned.epsilon.max())
    return high - low <= 1e-9 * high


def _everyone(network: Network) -> str:
    return "every node" if len(network.names) > 1 else "the only node"


def _instead(other: WithPlan, chosen: WithPlan, network: Network) -> str:
    called = _called(other.method)
    called = f" {called[0].upper()}{called[1:]}"
    tone = hue(other.method)
    amount = words.toned(words.budget(other.epsilon[best(other, network)]), tone)
    if np.allclose(other.epsilon, chosen.epsilon, rtol=1e-9):
        return f"{called} divides ε the same way."
    if even(other):
        return f"{called} gives {_everyone(network)} {amount}."
    if other.trace.stage_one:
        spent = words.toned(words.budget(other.trace.stage_one), tone)
        return f" The data-dependent plan first spends {spent} on deciding."
    return f"{called} gives most to {network.names[best(other, network)]}, {amount}."


def because(chosen: WithPlan, network: Network) -> str:
    """Why the best served node is the best served."""
    top = best(chosen, network)
    node = chosen.trace.nodes[top]
    tables = chosen.trace.tables
    if even(chosen) and len(tables) == 1:
        served = "serves them all" if len(network.names) > 1 else "no other shares it"
        return f": one table of {tables[0].cells:,} cells holds all of ε and {served}."
    if even(chosen):
        return ", whatever the node is for."
    if chosen.trace.stage_one:
        return (
            f": its weight is {node.weight:.1f} (height {node.height}, {node.out_degree} "
            f"{'child' if node.out_degree == 1 else 'children'}), and Stage I expects its rows to "
            "be noisy."
        )
    table = chosen.trace.tables[node.table]
    others = len(table.serves) - 1
    shared = (
        f"it is read from a table of {table.cells:,} cells"
        if not others
        else f"it shares a table of {table.cells:,} cells with {others} other "
        f"{'node' if others == 1 else 'nodes'}"
    )
    return f": {shared}, and noise falls on every cell."


def locked(options: Options, node: str) -> str:
    """Why a locked node is the best served; nothing when it is not locked."""
    floor = dict(options.floors).get(node)
    return "" if floor is None else f": it is locked at {100 * floor:g} %."


def card_note(planned: WithPlan, nodes: int) -> str:
    """What the plan measures, in a line."""
    trace, tables = planned.trace, words.counted(len(planned.trace.tables), "table")
    families = "1 family" if nodes == 1 else f"{nodes} families"
    if trace.stage_one:
        spent = words.budget(trace.stage_one)
        return f"{spent} for Stage I, {words.budget(trace.stage_two)} for {tables}"
    if len(trace.tables) == 2 * nodes:
        return f"{families} and {words.counted(nodes, 'parent table')}"
    return f"{tables} for {families}, one reading each"


def constant(network: Network, node: int, value: float) -> list[list[str]]:
    """Eq. 7 written out for one node, step by step."""
    children = [network.variables[c] for c in network.children[node]]
    rows = 1
    for parent in network.families[node][:-1]:
        rows *= parent.cardinality
    inverse = " + ".join(f"1/{c.cardinality}" for c in children[:4])
    more = " + …" if len(children) > 4 else ""
    return [
        ["Σ_y P(y | x, parents)", "1: the data cancel"],
        ["children, mean of 1/|Y|", f"({inverse}{more}) / {len(children)}"],
        ["settings of its parents", f"{rows:,}"],
        [f"Δ({network.names[node]})", f"{value:.4g}"],
    ]


def sampling(scenario: Scenario, ratio: float) -> str:
    """Whether the sample of Stage I helps, in one sentence."""
    return (
        f"A sample of {words.share(scenario.rate)} may be read with a larger ε, but it holds "
        f"fewer records: relative to the counts the noise of Stage I is {ratio:.2f} times that "
        "of no sampling."
    )


def printed(epsilon: float, literal: float, counts: float) -> str:
    """What the printed conversion to a marginal table does, in one sentence."""
    return (
        f"Line 4 of Procedure 1 gives every setting of the parents the same mass. At ε = "
        f"{epsilon:g} {ROW_WEIGHTED.subject} then {words.error(literal)} instead of "
        f"{words.error(counts)}, and no ε repairs it."
    )
