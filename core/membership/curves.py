"""All curves of one release on one chart, each with what kind of claim it makes.

Only the differential-privacy curves are guarantees: they hold for every attacker and every n. The
published bound is asymptotic and speaks of exact conditionals. Leverage and the noisy complexity
are heuristics. Attacks are measured.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.membership.bound import (
    PublishedBound,
    complexity_span,
    guaranteed_advantage,
    guaranteed_auc,
    guaranteed_power,
    swap_epsilon,
)
from core.membership.gaussian import mu_of_pure
from core.membership.leverage import Mixture, Support
from core.membership.normal import cumulative, quantile
from core.membership.tradeoff import composed
from core.methods.plans import BudgetPlan
from core.network import Network
from core.privacy import Neighbours
from core.table import Array

Claim = Literal["guarantee", "asymptotic", "heuristic", "measured"]
About = Literal["release", "exact"]

_FISHER = "Fisher information of the plan"
_PUBLISHED = "published bound"
_GUARANTEE: tuple[About, Claim, str] = ("release", "guarantee", "Anyone")


@dataclass(frozen=True, eq=False)
class Curve:
    """Power against false alarms: ``about`` says what is published, ``claim`` how sure it is."""

    key: str
    about: About
    claim: Claim
    attacker: str
    estimate: str
    powers: Callable[[Array], Array]
    auc: float
    advantage: float


def noisy_complexity(plan: BudgetPlan, network: Network, records: int) -> float:
    """Free parameters that still show through the plan's noise; a heuristic.

    min(C_span, Σ_t (K_t - 1) / (1 + K_t B_t² / n)) with K_t cells and noise scale B_t: the
    Fisher information of n records spread evenly over a table, seen through its noise.
    """
    cells = np.array(plan.cells, dtype=np.float64)
    shown = (cells - 1) / (1 + cells * plan.scales**2 / records)
    return min(float(complexity_span(network)), float(shown.sum(axis=-1).mean()))


def release_curves(
    plan: BudgetPlan | None,
    noise: str,
    network: Network,
    records: int,
    spent: float = 0.0,
    tests: tuple[float, ...] = (),
) -> tuple[Curve, ...]:
    """What is known about the private release: up to three guarantees and a heuristic.

    ``spent`` is the pure ε that learning the graph from the same records has cost: it is composed
    in as a stage before. ``tests`` are the pure ε of each test of the model on the same records.
    Empty where there is no noise: then nothing is guaranteed.
    """
    if plan is None or not math.isfinite(plan.epsilon):
        return ()
    if spent:
        plan = replace(plan, epsilon=plan.epsilon + spent, stage_one=plan.stage_one + spent)
    whole = replace(plan, epsilon=plan.epsilon + math.fsum(tests))
    pure = pure_curve(whole)
    # the two stages are composed as pure ε, which a plan with δ is not
    together = None if spent and plan.delta else composed(plan, noise, tests)
    curves = [pure]
    if together is not None:
        # both hold, so the smaller does; rounding on the grid is outwards
        smaller = min(together.auc, pure.auc), min(together.advantage, pure.advantage)
        curves.append(
            Curve(
                "composed",
                *_GUARANTEE,
                _composition(plan, len(tests)),
                lambda alphas: np.minimum(together.powers(alphas), pure.powers(alphas)),
                *smaller,
            )
        )
    shown = PublishedBound(max(noisy_complexity(plan, network, records), 1e-9), records)
    told = "Knows population and noise"
    curves.append(_drawn("noisy", ("release", "heuristic", told, _FISHER), shown))
    if not plan.delta:
        curves.append(gaussian_curve(whole))
    return tuple(curves)


def _composition(plan: BudgetPlan, tests: int) -> str:
    count = len(plan.tables)
    more = f" and {tests} test{'s' * (tests > 1)}" if tests else ""
    if plan.stage_one > 0:
        return f"two stages{more} composed"
    if count == 1 and not tests:
        return "1 table holds all of ε"
    return f"composed over {count} table{'s' * (count > 1)}{more}"


def pure_curve(plan: BudgetPlan) -> Curve:
    """What ε (and δ, where the plan has one) guarantees by itself."""
    told = "ε and δ alone" if plan.delta else "ε alone"
    return budget_curve("pure_epsilon", told, plan.epsilon, plan.neighbours, plan.delta)


def budget_curve(
    key: str, told: str, epsilon: float, neighbours: Neighbours, delta: float
) -> Curve:
    """What (ε, δ) alone guarantees, in the words of ``told``."""
    budget = (epsilon, neighbours, delta)

    def powers(alphas: Array) -> Array:
        return np.array([guaranteed_power(float(a), *budget) for a in alphas])

    ends = guaranteed_auc(*budget), guaranteed_advantage(*budget)
    return Curve(key, *_GUARANTEE, told, powers, *ends)


def gaussian_curve(plan: BudgetPlan) -> Curve:
    """ε as the smallest mu of Gaussian privacy that covers it: looser, it touches ε alone once.

    Source: Murakonda et al. 2021, appendix H, Corollary 1.
    """
    mu = mu_of_pure(swap_epsilon(plan.epsilon, plan.neighbours))
    return Curve(
        "gaussian",
        *_GUARANTEE,
        "ε as Gaussian privacy, appendix H",
        lambda alphas: cumulative(mu + quantile(alphas)),
        float(cumulative(mu / math.sqrt(2))),
        float(2 * cumulative(mu / 2) - 1),
    )


def exact_curves(
    network: Network, records: int, support: Support | None, reference: int | None = None
) -> tuple[Curve, ...]:
    """What is known about publishing the exact conditionals: no guarantee among it."""
    bound = PublishedBound(network.complexity, records)
    knows = "Knows the population"
    curves = [_drawn("published", ("exact", "asymptotic", knows, _PUBLISHED), bound)]
    if reference is not None:
        limited = PublishedBound(network.complexity, records, reference)
        told = f"Has {reference:,} reference records"
        curves.append(_drawn("reference", ("exact", "asymptotic", told, _PUBLISHED), limited))
    if support is not None:
        rare = "leverage of rare records"
        curves.append(_drawn("leverage", ("exact", "heuristic", knows, rare), support.mixture))
    return tuple(curves)


def _drawn(key: str, told: tuple[About, Claim, str, str], shape: PublishedBound | Mixture) -> Curve:
    return Curve(key, *told, shape.powers, shape.auc, shape.advantage)


def find(curves: Sequence[Curve], key: str) -> Curve | None:
    """The curve of that key, if it is there."""
    return next((c for c in curves if c.key == key), None)


def right_accusations(prior: float, alpha: float, power: float) -> float:
    """Share of accusations that hit a member, at most: prior · power against (1 - prior) · alpha.

    ``prior`` is the share of members among the people the attacker suspects.
    """
    hits, misses = prior * power, (1 - prior) * alpha
    return hits / (hits + misses) if hits + misses > 0 else prior
