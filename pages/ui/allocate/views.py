"""Allocate's pictures with their texts: budgets, the same on the graph, facts about formulas."""

import numpy as np

from core.gaussian_noise import gaussian_budget
from core.methods.plans import BudgetPlan, sensitivities
from core.network import Network
from core.notation import short
from core.privacy import Neighbours
from core.study.allocated import WithPlan, printed_error, relative_noise
from core.study.quantities import ROW_WEIGHTED
from core.study.trace import Spread
from figures.allocate import (
    budget_figure,
    node_bars,
    printed_figure,
    sampling_figure,
    sensitivity_figure,
)
from figures.template import numbers
from pages.ui.allocate import words as say
from pages.ui.allocate.compared import NodeOrder, Plans, quantities
from pages.ui.kit import compute, words
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Columns, Words, figure_view
from pages.ui.kit.words import Runs, counted, runs, strong


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
        details={
            **say.allocation(chosen.method),
            **{name.capitalize(): text for name, text in say.FORMULAS.items()},
            "Command line": command_line(plans),
        },
        file="equipoise-study-allocation.csv",
    )
    _, sort, _ = rows.asked
    bars = [node_bars(plan) for plan in plans.shown]
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
        details={"Command line": command_line(plans)},
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


def proof(planned: WithPlan) -> list[Runs]:
    """The guarantee in two sentences, with the plan's own numbers."""
    plan = planned.plan
    change = (
        "Adding or removing one record changes one cell of each table by 1"
        if plan.neighbours is Neighbours.ADD_REMOVE
        else "Replacing one record changes two cells of each table by 1"
    )
    noise = planned.trace.noise.replace("laplace", "Laplace").replace("gauss", "Gauss")
    scales = (float(plan.scales.min()), float(plan.scales.max()))
    scale = " to ".join(f"{s:,.3g}" for s in dict.fromkeys(scales))
    noisy, tables = f"{change}, so {noise} noise", len(plan.tables)
    if plan.rho is not None:
        return _gaussian(plan, noisy, scale)
    first = (
        f"{noisy} of scale {plan.neighbours.l1_sensitivity}/εₜ (here {strong(scale)} records) "
        "makes table t εₜ-private. "
    )
    trace = planned.trace
    several = f"The {counted(tables, 'budget')} add up to" if tables > 1 else "The one budget is"
    costs = f"{several} {strong(f'{trace.spent:.6f}')}"
    if trace.stage_one:
        costs = (
            f"Stage I costs {strong(f'{trace.stage_one:.6f}')} and the {counted(tables, 'table')} "
            f"of Stage II add up to {strong(f'{trace.stage_two:.6f}')}"
        )
    whole = strong(f"ε = {plan.epsilon:g}")
    return [runs(first), runs(f"{costs}, and composition gives {whole} for all of them together.")]


def _gaussian(plan: BudgetPlan, noisy: str, scale: str) -> list[Runs]:
    """The same for Gaussian noise: parts of rho, then (ε, δ)."""
    more = " + 1" if gaussian_budget(plan.epsilon, plan.delta).exact else ""
    assert plan.rho is not None
    cost, epsilon = strong(f"{float(plan.rho.sum()):.6f}"), strong(f"ε = {plan.epsilon:g}")
    return [
        runs(
            f"{noisy} of variance Δ²/(2ρₜ){more} (here a standard deviation of {strong(scale)} "
            "records) makes table t cost ρₜ. "
        ),
        runs(
            f"The {counted(len(plan.tables), 'cost')} ρₜ add up to {cost}, and that is "
            f"(ε, δ)-private with {epsilon} and {strong(f'δ = {short(plan.delta, 6)}')}: a weaker "
            "promise than ε alone."
        ),
    ]


def checks(planned: WithPlan, choice: Choice) -> list[str]:
    """What was checked before a count was read."""
    held = [
        "every εₜ finite and positive",
        f"{planned.trace.spent:.6f} ≤ {planned.plan.epsilon:g} to twelve digits",
    ]
    given = [what for what, told in zip(GIVEN, taken(choice), strict=True) if not told]
    if given:
        held.append(f"{' and '.join(given)} given, not learned")
    if planned.trace.stage_one:
        held.append("the sample of Stage I stays secret")
    return held


GIVEN = ("states", "graph")


def taken(choice: Choice) -> tuple[str, str]:
    """How states and graph came from the records, which no plan pays for; empty where not."""
    study = choice.study
    states = "states were read off the records" if study.inferred or study.seen else ""
    graph = "the graph was edited here" if choice.edited else ""
    if study.graph == "rehearsed":
        graph = "the graph was learned from the records with a known seed"
    return states, graph


RATES = np.geomspace(0.01, 1, 41)
READINGS = ("as printed", "in counts, as here")


def facts(plans: Plans) -> list[View]:
    """Sensitivity is a constant; sampling does not help; the printed table formula fails."""
    choice = plans.choice
    printed = printed_error(plans.truth, choice.study.counts, choice.scenario)
    return [
        _constant(plans.network),
        _sampling(choice),
        _literal(choice.scenario.epsilon, printed, plans.shown[-1].row_error),
    ]


def _constant(network: Network) -> View:
    values = sensitivities(network)
    node = max(
        range(len(values)),
        key=lambda i: (len(network.children[i]) * (1 + len(network.parents[i])), values[i]),
    )
    some = bool(values.any())
    name = network.names[node]
    texts = Words(
        title="Sensitivity is a constant",
        subtitle="Eq. 7 weighs a node by how much its parameters move the others. Written out, no "
        "record is left in it.",
        caption="" if some else "No node has children: every Δ is 0.",
        alt=f"Sensitivity of every node; written out, that of {name} is {values[node]:.4g}.",
        details={
            "Source": "Chowdhury et al. 2020 (ICML), Eq. 7; core/methods/plans.py: sensitivities"
        },
        file="equipoise-study-sensitivity.csv",
    )
    return figure_view(
        "constant",
        texts,
        {"Δ": sensitivity_figure(network.names, values, node if some else None)},
        {"node": list(network.names), "sensitivity": numbers(values)},
        (("Eq. 7 for", name), say.constant(network, node, float(values[node]))) if some else None,
    )


def _sampling(choice: Choice) -> View:
    scenario = choice.scenario
    stage = scenario.split * scenario.epsilon
    ratio = relative_noise(stage, scenario.rate)
    texts = Words(
        title="Sampling does not help",
        subtitle=say.sampling(scenario, ratio),
        caption="",
        alt=f"Relative noise of Stage I against the sampling rate: {ratio:.2f} times at γ = "
        f"{scenario.rate:g}.",
        details={
            "Formula": "βε / (γ · ln((e^βε − 1)/γ + 1)): at γ = 1 it is 1, below it is more.",
            "Source": "Chowdhury et al. 2020 (ICML), Algorithm 1, line 1; core.privacy.inflated",
        },
    )
    ratios = np.array([relative_noise(stage, rate) for rate in RATES.tolist()])
    return figure_view(
        "sampling",
        texts,
        {"noise": sampling_figure(RATES, ratios, (scenario.rate, ratio))},
        {"gamma": numbers(RATES), "relative noise": numbers(ratios)},
    )


def _literal(epsilon: float, printed: Spread, counted: Spread) -> View:
    texts = Words(
        title="The printed table formula fails",
        subtitle=say.printed(epsilon, printed.median, counted.median),
        caption=f"{ROW_WEIGHTED.name}; thin line: 95 % of releases.",
        alt=f"{ROW_WEIGHTED.name}: {words.error(printed.median)} with the printed formula, "
        f"{words.error(counted.median)} when tables stay counts.",
        details={
            "Formula": "M[x, pa] = (T[x, pa]/T_pa) / Σ_v (T[v, pa]/T_pa): T_pa cancels.",
            "Source": "Chowdhury et al. 2020 (ICML), Procedure 1; core/methods/procedure.py",
        },
        file="equipoise-study-printed-formula.csv",
    )
    low, middle, high = (
        np.array([getattr(error, part) for error in (printed, counted)])
        for part in ("low", "median", "high")
    )
    spans = {"median": middle, "2.5 %": low, "97.5 %": high}
    columns = {"reading": list(READINGS)} | {name: numbers(part) for name, part in spans.items()}
    told = [
        [name, f"{words.error(e.median)} ({words.error(e.low)} to {words.error(e.high)})"]
        for name, e in zip(READINGS, (printed, counted), strict=True)
    ]
    figures = {"error": printed_figure(READINGS, low, middle, high)}
    return figure_view("literal", texts, figures, columns, (("", ROW_WEIGHTED.short), told))
