"""Allocate's pictures with their texts: the budget of every node, and the same on the graph."""

from __future__ import annotations

from figures.allocate import NodeBudgets, budget_figure
from figures.template import numbers
from pages.ui.allocate import words as say
from pages.ui.allocate.compared import NodeOrder, Plans, quantities
from pages.ui.kit import compute, words
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.inputs import command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Columns, Words, figure_view


def budget(plans: Plans, rows: NodeOrder, selected: str) -> View:
    """Bars of every node under each method."""
    network, chosen = plans.network, plans.chosen
    most = words.budget(chosen.epsilon[say.best(chosen, network)])
    texts = Words(
        title="Budget per node, and what it follows from",
        subtitle="ε is spent once: more for one node is less for the others",
        caption="Thin lines: 95 % of plans, where they depend on the records. Dashed: the uniform "
        "plan. Shaded: the node that is picked out below.",
        alt=f"Budget of {len(network.names)} nodes under {len(plans.shown)} methods; "
        f"{chosen.method} gives {plans.top} most, ε = {most}.",
        details=(
            *say.allocation(chosen.method),
            *((name.capitalize(), text) for name, text in say.FORMULAS.items()),
            ("Command line", command_line(plans)),
        ),
        file="equipoise-study-allocation.csv",
    )
    _, sort, _ = rows.asked
    bars = [NodeBudgets.of(plan) for plan in plans.shown]
    figure = budget_figure(network.names, bars, rows.order, selected=selected, sorted_by=sort)
    return figure_view("rows", texts, {"budget": figure}, allocation_table(plans))


def allocation_table(plans: Plans) -> Columns:
    """Every quantity of every node, as the file has it."""
    nodes = plans.chosen.trace.nodes
    spread = [p for p in plans.shown if p.trace.varies]
    limits = {
        f"{p.method} {level}": numbers(limit)
        for p in spread
        for level, limit in zip(("2.5 %", "97.5 %"), p.epsilon_limits, strict=True)
    }
    return {
        "node": list(plans.network.names),
        **{f"{p.method} epsilon": numbers(p.epsilon) for p in plans.shown},
        **limits,
        "table": [table + 1 for table in plans.tables],
        "at least": [node.floor for node in nodes],
        "importance": [node.importance for node in nodes],
        **{q.name: numbers(q.values) for q in quantities(plans)},
    }


def graph(plans: Plans, selected: str) -> View:
    """The same on the graph; a reader chooses whose plan fills the nodes."""
    network, chosen = plans.network, plans.chosen
    texts = Words(
        title="The same on the graph",
        subtitle="ε of each node; choose whose plan fills the nodes",
        caption="Click a node, or its name in the table, to pick it out.",
        alt=f"Network of {len(network.names)} nodes, filled by the ε each plan gives them; most "
        f"goes to {plans.top}.",
        details=(("Command line", command_line(plans)),),
        file="equipoise-study-budget.csv",
    )
    first = sorted(plans.shown, key=lambda p: p is not chosen)
    return graph_view(
        "graph",
        texts,
        compute.drawing_of(network),
        [measure(p.method, p.method, "epsilon", p.epsilon, "budget") for p in first],
        Showing(selected, chosen.method, (chosen.method,), editable=False),
    )


def command_line(plans: Plans) -> str:
    """The plan on show from a shell."""
    return command("allocate", plans.choice, f"--method {plans.chosen.method}")
