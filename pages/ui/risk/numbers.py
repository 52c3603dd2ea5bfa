"""What Risk computes: support of the records, curves, attacks in the background. Study only."""

from collections.abc import Iterator
from dataclasses import replace

from core.membership.attack import attacking, block_sizes
from core.membership.outcomes import SMOOTHED, Attack, AttackResult
from core.membership.population import Population
from core.parallel import cores
from core.study import exposure as engine
from core.study.exposure import Exposure, Standing
from core.table import Array
from figures.risk import ALARMS
from pages.ui.kit import compute
from pages.ui.kit.inputs import Choice
from sources.study import Study

REVIEWED = (0.001, 0.01, 0.1)
"""False-alarm rates of the reviewers' grid."""

MEASURED = (0.001, 0.01, 0.05, 0.1)
PRIORS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
"""Shares of members among the suspects that can be asked about."""

POOLS = (20, 40, 100)
"""Numbers of pools that can be asked for."""

POOL_LIMIT = 50_000
"""Largest pool attacked on the page; the command line takes any."""


def standing(choice: Choice) -> Standing:
    """Support, guardrails and the curves of exact conditionals; kept in the session."""
    study, options = choice.study, choice.scenario.options
    key = ("standing", study.fingerprint, choice.network, options.known)
    truth = compute.truth_of(study, choice.network, options)
    return compute.remembered(
        key, lambda: engine.standing(truth, study.counts.source, study.population)
    )


def exact_powers(choice: Choice) -> dict[str, Array]:
    """Those curves at ``ALARMS``, by key; kept in the session."""
    key = ("exact powers", choice.study.fingerprint, choice.network, choice.scenario.options.known)
    curves = standing(choice).curves
    return compute.remembered(key, lambda: {c.key: c.powers(ALARMS) for c in curves})


def exposure(method: str, choice: Choice) -> Exposure:
    """Every curve on the page: guarantees and heuristic of the chosen method among them."""
    network, study = choice.network, choice.study
    own = engine.guarantees(method, network, study.counts, choice.scenario, spent=study.spent)
    return Exposure(choice.measured, study.records, standing(choice).curves + own)


def population_of(study: Study) -> Population:
    """Everyone the network can produce where its records were drawn, or the table's people."""
    return engine.population_of(study.population, study.counts.rows)


def pool_size(study: Study) -> int:
    """All records where more can be drawn, half of them otherwise."""
    return engine.pool_size(study.records, study.population, POOL_LIMIT)


Results = dict[str, AttackResult]
"""Release -> what its attack found so far."""


def results(choice: Choice) -> Results:
    """Attacks run in this session on these records and this graph, at this budget."""
    scenario = replace(choice.scenario, replicates=1)
    key = ("attacks", choice.study.fingerprint, choice.network, scenario)
    return compute.remembered(key, dict)


def measured(results: Results, shown: str) -> tuple[AttackResult | None, AttackResult | None]:
    """What the attacks on the release on show and on the exact conditionals found, if they ran."""
    return results.get(shown), results.get("exact")


def planned(choice: Choice, method: str, pools: int) -> list[Attack]:
    """What one click attacks: the release, the exact conditionals, and these smoothed."""
    size = pool_size(choice.study)
    return [Attack(r, size, pools, MEASURED) for r in (method, "exact", SMOOTHED)]


def steps_of(attacks: list[Attack]) -> int:
    """Blocks of all attacks together."""
    return sum(len(block_sizes(a)) for a in attacks)


def work(choice: Choice, attacks: list[Attack], results: Results) -> Iterator[None]:
    """Run the attacks into ``results``, block by block."""
    population = population_of(choice.study)
    for attack in attacks:
        for result in attacking(population, choice.network, attack, choice.scenario, cores()):
            results[attack.release] = result
            yield
