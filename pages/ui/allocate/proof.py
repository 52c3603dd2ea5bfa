"""Why a plan keeps its promise, in two sentences with the plan's own numbers."""

from __future__ import annotations

from core.gaussian_noise import gaussian_budget
from core.methods.plans import BudgetPlan
from core.notation import short
from core.privacy import Neighbours
from core.study.allocated import WithPlan
from pages.ui.kit.words import Runs, counted, runs, strong


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
    costs = f"The {counted(tables, 'budget')} add up to {strong(f'{trace.spent:.6f}')}"
    if trace.stage_one:
        costs = (
            f"Stage I costs {strong(f'{trace.stage_one:.6f}')} and the {counted(tables, 'table')} "
            f"of Stage II add up to {strong(f'{trace.stage_two:.6f}')}"
        )
    whole = strong(f"ε = {plan.epsilon:g}")
    return [
        runs(first),
        runs(f"{costs}, and composition gives {whole} for all of them together."),
    ]


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
