"""What Risk computes: support of the records, curves, attacks in the background. Study only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.experiments import rehearsals
from core.inference import marginals
from core.membership.attack import attacking, block_sizes
from core.membership.curves import Curve, exact_curves, release_curves
from core.membership.guardrails import Guardrail, guardrails
from core.membership.leverage import Support, support_of
from core.membership.lookup import Lookup
from core.membership.outcomes import SMOOTHED, Attack, AttackResult
from core.membership.population import ModelPopulation, Population, TablePopulation
from core.network import Network
from core.release import Release
from core.scenario import Scenario
from core.table import Array
from pages.ui import compute
from pages.ui.inputs import Choice
from sources.networks import sample, sample_names
from sources.study import Study

ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 41), np.linspace(0.11, 0.999, 60)])
"""False-alarm rates at which curves are drawn."""

REVIEWED = np.array([0.001, 0.01, 0.1])
"""False-alarm rates of the reviewers' grid."""

MEASURED = (0.001, 0.01, 0.05, 0.1)
POOL_LIMIT = 50_000
"""Largest pool attacked on the page; the command line takes any."""


@dataclass(frozen=True, eq=False)
class Standing:
    """What depends on the records and the graph, not on the budget."""

    support: Support
    rails: tuple[Guardrail, ...]
    exact: tuple[Curve, ...]
    exact_powers: Array


def standing(choice: Choice) -> Standing:
    """Support, guardrails and the curves of exact conditionals; kept in the session."""
    key = ("standing", choice.study.fingerprint, choice.network)
    return compute.remembered(key, lambda: _standing(choice))


def _standing(choice: Choice) -> Standing:
    study, network = choice.study, choice.network
    support = support_of(network, Lookup.of(study.dataset, network.families))
    truth = compute.truth_of(study, network)
    rails = guardrails(truth, support, expected=_expected(study))
    exact = exact_curves(network, study.records, support, reference=study.records)
    return Standing(support, rails, exact, np.array([c.powers(ALARMS) for c in exact]))


def _expected(study: Study) -> tuple[Array, ...] | None:
    """The population's marginals where the records were drawn from a sample network."""
    if not study.sampled or study.name not in sample_names():
        return None
    model = sample(study.name).model
    return None if model is None else marginals(model)


def release_of(method: str, network: Network, counts: CountSource, scenario: Scenario) -> Release:
    """A few rehearsals of a method, for its plan and the kind of its noise."""
    few = replace(scenario, replicates=min(scenario.replicates, 10))
    return next(rehearsals(method, network, counts, few))


def private_curves(method: str, choice: Choice) -> tuple[Curve, ...]:
    """Guarantees and heuristic of the chosen method at this ε."""
    study = choice.study
    release = release_of(method, choice.network, study.counts, choice.scenario)
    return release_curves(
        release.plan, release.noise, choice.network, study.records, study.spent
    )


def population_of(study: Study) -> Population:
    """Everyone a sample network can produce, or the people of the table."""
    model = sample(study.name).model if study.sampled and study.name in sample_names() else None
    return TablePopulation(study.dataset) if model is None else ModelPopulation(model)


def pool_size(study: Study) -> int:
    """All records where more can be drawn, half of them otherwise."""
    drawn = study.sampled and study.name in sample_names()
    return min(study.records if drawn else study.records // 2, POOL_LIMIT)


Found = dict[str, AttackResult]
"""Release -> what its attack found so far."""


def results(choice: Choice) -> Found:
    """Attacks run in this session on these records and this graph, at this budget."""
    scenario = replace(choice.scenario, replicates=1)
    key = ("attacks", choice.study.fingerprint, choice.network, scenario)
    return compute.remembered(key, dict)


def planned(choice: Choice, method: str, pools: int) -> list[Attack]:
    """What one click attacks: the release, the exact conditionals, and these smoothed."""
    size = pool_size(choice.study)
    return [Attack(r, size, pools, MEASURED) for r in (method, "exact", SMOOTHED)]


def steps_of(attacks: list[Attack]) -> int:
    """Blocks of all attacks together."""
    return sum(len(block_sizes(a)) for a in attacks)


def work(choice: Choice, attacks: list[Attack], found: Found) -> Iterator[None]:
    """Run the attacks into ``found``, block by block."""
    population = population_of(choice.study)
    for attack in attacks:
        for result in attacking(population, choice.network, attack, choice.scenario):
            found[attack.release] = result
            yield
