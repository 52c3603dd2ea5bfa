"""Claims an audit can test: which ε at which δ, and how much of each table's.

A pure claim is tested as it stands. A Gaussian one, (ε, δ) by way of rho, also implies an ε for
every other δ: where so many runs cannot see events as rare as δ, the very same noise is tested at
the δ at which half of it would show best.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.gaussian_noise import gaussian_budget, normal
from core.methods.plans import BudgetPlan
from core.methods.registry import method_named
from core.network import Network
from core.options import PLAIN
from core.privacy import leakage
from core.scenario import Scenario

SURE = 6.0
"""Standard errors by which half the noise must show for a δ to be called visible."""

GRID = 80

UNSEEN = 300
"""Beyond this ε no number of runs breaks a claim, and e^2ε is no double."""


@dataclass(frozen=True)
class Claim:
    """P(E) ≤ e^``epsilon`` Q(E) + ``delta`` for every event E."""

    epsilon: float
    delta: float = 0.0


def delta_of(method: str, scenario: Scenario) -> float:
    """δ of a method's guarantee: zero where it is pure."""
    return scenario.options.delta if method_named(method).guarantee.has_delta else 0.0


def about(method: str, scenario: Scenario) -> tuple[object, ...]:
    """All that makes a mechanism what it is: an audit of anything else does not speak for it.

    Locks, weights and prior included; δ and the knobs of Stage I only where the method has them.
    """
    chosen, options = method_named(method), scenario.options
    if not chosen.guarantee.has_delta:
        options = replace(options, delta=PLAIN.delta)
    stage = (scenario.split, scenario.rate) if chosen.needs_stage_one else ()
    return (method, scenario.epsilon, scenario.neighbours, options, *stage)


def whole_claim(method: str, scenario: Scenario, runs: int) -> Claim:
    """What is tested of the guarantee of a whole release by so many runs."""
    own = Claim(scenario.epsilon, delta_of(method, scenario))
    if not own.delta:
        return own
    rho = gaussian_budget(own.epsilon, own.delta).rho
    return own if _shows(rho, own) * math.sqrt(runs) >= SURE else visible(rho)


def table_claims(plan: BudgetPlan) -> dict[tuple[str, ...], tuple[Claim, ...]]:
    """What tables over the same variables may cost, each alone, the dearest first.

    None where that differs from run to run.
    """
    claims: dict[tuple[str, ...], tuple[Claim, ...]] = {}
    parts = plan.parts if plan.rho is None else plan.rho
    for names, column in zip(plan.tables, parts.reshape(-1, parts.shape[-1]).T, strict=True):
        if np.ptp(column) <= 1e-9 * column[0]:
            claim = Claim(float(column[0])) if plan.rho is None else visible(float(column[0]))
            both = (*claims.get(names, ()), claim)
            claims[names] = tuple(sorted(both, key=lambda c: -c.epsilon))
    return claims


def planned(
    method: str, scenario: Scenario, network: Network, counts: CountSource
) -> BudgetPlan | None:
    """The plan of the method itself, whatever copy of it is audited."""
    few = replace(scenario, replicates=8)
    release = method_named(method).run(network, counts, few, rng=np.random.default_rng(0))
    return release.plan


def visible(rho: float) -> Claim:
    """The ε and δ that rho implies where half the noise would break them most clearly."""
    reach = rho + 3 * math.sqrt(2 * rho)
    candidates = [Claim(float(e), leakage(rho, float(e))) for e in np.linspace(0, reach, GRID)]
    return max(candidates, key=lambda claim: _shows(rho, claim))


def _shows(rho: float, claim: Claim) -> float:
    """By how many standard errors of one run half the Gaussian noise of rho breaks a claim.

    One measurement with twice the distance m = 2 sqrt(2 rho) in standard deviations; the best event
    has chances P = Φ(m/2 - ε/m) and Q = Φ(-m/2 - ε/m). Source: Balle and Wang 2018, "Improving the
    Gaussian mechanism", Theorem 8.
    """
    if claim.epsilon > UNSEEN:
        return 0.0
    distance = 2 * math.sqrt(2 * rho)
    p = normal(distance / 2 - claim.epsilon / distance)
    q = normal(-distance / 2 - claim.epsilon / distance)
    odds = math.exp(claim.epsilon)
    spread = math.sqrt(p * (1 - p) + odds**2 * q * (1 - q))
    return (p - odds * q - claim.delta) / max(spread, 1e-12)
