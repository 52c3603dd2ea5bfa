"""The plans of three methods side by side, what they follow from, and the order of the nodes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from core.network import Network
from core.study.allocated import WithPlan, planned
from core.study.metrics import Truth
from figures.palette import hue
from pages.ui.allocate import words as say
from pages.ui.kit import compute
from pages.ui.kit.inputs import Choice

SLOTS = {"equipoise": "equipoise", "data-dependent": "data-dependent-icml", "uniform": "uniform"}
"""Hue -> the method shown in it unless another of its kind is chosen."""

SORTS = ("by ε", "by height", "by name")
KEY = "allocate_rows"


@dataclass(frozen=True, eq=False)
class Plans:
    """What is on show: the plans side by side, the last one uniform, one of them explained."""

    choice: Choice
    truth: Truth
    shown: tuple[WithPlan, ...]
    chosen: WithPlan

    @property
    def network(self) -> Network:
        """The graph on show."""
        return self.choice.network

    @property
    def top(self) -> str:
        """The node with most of ε."""
        return self.network.names[say.best(self.chosen, self.network)]

    @property
    def tables(self) -> list[int]:
        """Number of the first plan's table that each node is read from, as nodes name them."""
        serving = self.shown[0].plan.serving
        order = {table: number for number, table in enumerate(dict.fromkeys(serving))}
        return [order[table] for table in serving]


def plans_of(choice: Choice, explained: str) -> Plans:
    """Study only: each plan with its trace and the row error that follows."""
    truth = compute.truth_of(choice.study, choice.network, choice.scenario.options)
    compute.looked(choice.study, choice.network, "allocate", choice.scenario)
    counts, scenario = choice.study.counts, choice.scenario
    shown = tuple(planned(m, truth, counts, scenario) for m in methods(explained))
    chosen = next(plan for plan in shown if plan.method == explained)
    return Plans(choice, truth, shown, chosen)


def methods(chosen: str) -> list[str]:
    """The three methods side by side: the chosen one takes the place of its kind."""
    own = hue(chosen)
    slot = own if own in SLOTS else "equipoise"
    return [chosen if name == slot else method for name, method in SLOTS.items()]


@dataclass(frozen=True)
class NodeOrder:
    """Nodes in the order listed; a new generation is a new table, without what was typed."""

    asked: tuple[Sequence[str], str, str]
    order: tuple[int, ...]
    generation: int = 0

    @property
    def names(self) -> list[str]:
        """Node names from the top."""
        return [self.asked[0][i] for i in self.order]

    @property
    def key(self) -> str:
        """Of the table that lists them."""
        return f"allocate_nodes_{self.generation}"


def arranged(plans: Plans, sort: str) -> NodeOrder:
    """The rows as they stay while nodes are locked and weighted: none moves under the hand."""
    before: NodeOrder | None = st.session_state.get(KEY)
    asked = (plans.network.names, sort, plans.chosen.method)
    options = plans.choice.scenario.options
    if before is not None and before.asked == asked and (options.floors or options.weights):
        return before
    order = ordered(plans, sort)
    if before is None or (before.asked, before.order) != (asked, order):
        before = NodeOrder(asked, order, 0 if before is None else before.generation + 1)
        st.session_state[KEY] = before
    return before


def restart() -> None:
    """What was typed into the table goes; it shows what holds."""
    before: NodeOrder | None = st.session_state.get(KEY)
    if before is not None:
        st.session_state[KEY] = replace(before, generation=before.generation + 1)


def ordered(plans: Plans, sort: str) -> tuple[int, ...]:
    """By ε the nodes of one table stand together, the best served first."""
    nodes, tables, names = plans.chosen.trace.nodes, plans.tables, plans.network.names
    epsilon = np.round(plans.chosen.epsilon, 12)
    ranks = {
        "by ε": lambda i: (-epsilon[i], tables[i], i),
        "by height": lambda i: (-nodes[i].height, -epsilon[i], i),
        "by name": lambda i: (names[i].casefold(), i),
    }
    return tuple(sorted(range(len(names)), key=ranks[sort]))


@dataclass(frozen=True, eq=False)
class NodeReason:
    """One quantity of every node: its name on screen and in the file, what it is, its format."""

    name: str
    formula: str
    form: str
    values: ArrayLike


def quantities(plans: Plans) -> list[NodeReason]:
    """Of the plan that is explained; δ where a plan on show has a Stage I."""
    nodes, told = plans.chosen.trace.nodes, say.FORMULAS
    deltas = next((p.deltas for p in plans.shown if p.deltas is not None), None)
    reasons = [
        NodeReason("height", told["height"], "%d", [n.height for n in nodes]),
        NodeReason("out-degree", told["degree"], "%d", [n.out_degree for n in nodes]),
        NodeReason("sensitivity Δ", told["sensitivity"], "%.3g", [n.sensitivity for n in nodes]),
        NodeReason("weight W", told["weight"], "%.1f", [n.weight for n in nodes]),
    ]
    if deltas is not None:
        reasons.insert(3, NodeReason("error δ × 10³", told["delta"], "%.3g", 1000 * deltas))
    return reasons
