"""Why a plan keeps its promise, in two sentences with the plan's own numbers."""

from __future__ import annotations

from core.methods.plans import BudgetPlan
from core.privacy import Neighbours
from core.study.allocated import WithPlan
from pages.ui.kit.words import Runs


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
    if plan.rho is not None:
        cost = float(plan.rho.sum())
        return _concentrated(plan, cost, f"{change}, so {noise} noise", scale)
    one = plan.neighbours.l1_sensitivity
    first: Runs = [
        (f"{change}, so {noise} noise of scale {one}/εₜ (here ", ""),
        (scale, "strong"),
        (" records) makes table t εₜ-private. ", ""),
    ]
    last: Runs = [
        (", and composition gives ", ""),
        (f"ε = {plan.epsilon:g}", "strong"),
        (" for all of them together.", ""),
    ]
    return [first, [*_sum(planned), *last]]


def _sum(planned: WithPlan) -> Runs:
    """What the parts add up to."""
    plan, trace = planned.plan, planned.trace
    if trace.stage_one:
        return [
            ("Stage I costs ", ""),
            (f"{trace.stage_one:.6f}", "strong"),
            (f" and the {len(plan.tables)} tables of Stage II add up to ", ""),
            (f"{trace.stage_two:.6f}", "strong"),
        ]
    return [(f"The {len(plan.tables)} budgets add up to ", ""), (f"{trace.spent:.6f}", "strong")]


def _concentrated(plan: BudgetPlan, cost: float, change: str, scale: str) -> list[Runs]:
    """The same for Gaussian noise: concentrated privacy, then (ε, δ)."""
    return [
        [
            (f"{change} of standard deviation Δ/√(2ρₜ) (here ", ""),
            (scale, "strong"),
            (" records) makes table t ρₜ-concentrated private. ", ""),
        ],
        [
            (f"The {len(plan.tables)} costs ρₜ add up to ", ""),
            (f"{cost:.6f}", "strong"),
            (", and that is (ε, δ)-private with ", ""),
            (f"ε = {plan.epsilon:g}", "strong"),
            (" and ", ""),
            (f"δ = {plan.delta:g}", "strong"),
            (": a weaker promise than ε alone.", ""),
        ],
    ]


def checks(planned: WithPlan) -> list[str]:
    """What was checked before a count was read."""
    held = [
        "every εₜ finite and positive",
        f"{planned.trace.spent:.6f} ≤ {planned.plan.epsilon:g} to twelve digits",
        "states and graph given, not learned",
    ]
    if planned.trace.stage_one:
        held.append("the sample of Stage I stays secret")
    return held
