"""The attack itself: pools, releases, scores, and how many members it finds.

Every pool is drawn anew, its model released, and members and outsiders scored by an attacker who
knows the population: by the likelihood ratio of Murakonda et al. 2021, Eq. 3, where the
conditionals are exact or smoothed, and by :mod:`core.membership.normal` where they are private.
Reads rows; gives numbers about all of them together only. Study: not private.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.knowledge import narrowed, tabled
from core.membership.intervals import Outsiders
from core.membership.leverage import rarest_cells
from core.membership.lookup import Lookup
from core.membership.normal import cell_scores, noisy_table
from core.membership.outcomes import (
    SMOOTHED,
    Attack,
    AttackResult,
    Pool,
    by_support,
    outcome,
    summarise,
)
from core.membership.population import Draw, Population
from core.methods.method import Release
from core.network import Network
from core.parallel import ordered
from core.parameters import fit
from core.scenario import Scenario
from core.study.experiments import Progress, rehearsals
from core.table import Array, Variable

BLOCK = 5
"""Pools drawn at a time; between blocks the attack reports and can be stopped."""

BLOCK_RECORDS = 500_000
"""Most members drawn at a time."""


@dataclass(eq=False)
class _Tally:
    """Records scored so far, and the time that took."""

    scored: int = 0
    seconds: float = 0.0

    def sums(self, who: Lookup, tables: Sequence[Array]) -> Array:
        """Scores of every record."""
        began = time.perf_counter()
        totals = who.sums(tables)
        self.seconds += time.perf_counter() - began
        self.scored += totals.size
        return totals


@dataclass(frozen=True, eq=False)
class _Siege:
    """All that a block of pools needs; ``exact`` are the population's conditionals, if known."""

    population: Population
    network: Network
    attack: Attack
    scenario: Scenario
    exact: Array | None


def attacking(
    population: Population, network: Network, attack: Attack, scenario: Scenario, workers: int = 1
) -> Iterator[AttackResult]:
    """The attack block by block: after each, what all pools so far say.

    A worker is given what pools are drawn from: a model, or the people of a table.

    A table that is known is the same for every member and tells nothing: it is left out.
    """
    model = population.model
    exact = model.values if model is not None and model.network == network else None
    part = tabled(network, scenario.options.known)
    if part is not network:
        exact = None if exact is None else narrowed(exact, network, part)
        network, scenario = part, replace(scenario, options=scenario.options.uninformed)
    seed = np.random.SeedSequence([scenario.seed, 47])
    sizes = block_sizes(attack)
    outcomes: list[Pool] = []
    scored, seconds = 0, 0.0
    siege = _Siege(population, network, attack, scenario, exact)
    tasks = list(zip(sizes, seed.spawn(len(sizes)), strict=True))
    for pools, tally in ordered(_attacked, siege, tasks, workers=workers):
        outcomes += pools
        scored, seconds = scored + tally.scored, seconds + tally.seconds
        yield summarise(attack, outcomes, scored, seconds)


def _attacked(siege: _Siege, task: tuple[int, np.random.SeedSequence]) -> tuple[list[Pool], _Tally]:
    """One block of pools, from a generator of its own."""
    size, child = task
    rng, attack, tally = np.random.default_rng(child), siege.attack, _Tally()
    draw = siege.population.draw(size, attack.records, rng=rng)
    if attack.private:
        pools = _private_block(draw, siege.network, attack, siege.scenario, tally, rng=rng)
    else:
        pools = _ratio_block(draw, siege.exact, siege.network, attack, tally)
    return pools, tally


def block_sizes(attack: Attack) -> tuple[int, ...]:
    """Pools of each block; large pools come in small blocks, so that memory stays bounded."""
    size = max(1, min(BLOCK, BLOCK_RECORDS // attack.records))
    whole, rest = divmod(attack.pools, size)
    return (size,) * whole + ((rest,) if rest else ())


def run_attack(
    population: Population,
    network: Network,
    attack: Attack,
    scenario: Scenario,
    *,
    progress: Progress | None = None,
    workers: int = 1,
) -> AttackResult:
    """All pools; :func:`attacking` gives the same block by block."""
    for result in attacking(population, network, attack, scenario, workers):
        if progress is not None:
            progress(result.pools, attack.pools)
    return result


def _ratio_block(
    draw: Draw, exact: Array | None, network: Network, attack: Attack, tally: _Tally
) -> list[Pool]:
    """The likelihood ratio against exact or smoothed conditionals; ``exact`` the population's."""
    members = Lookup.of(draw.members, network.families, draw.pools)
    outsiders = Lookup.of(draw.outsiders, network.families, draw.pools)
    counts = network.layout.pack(members.counts())
    prior = 1.0 if attack.release == SMOOTHED else 0.0
    released = fit(network, counts + prior).values
    known = exact
    if known is None:
        known = reference_values(draw.reference, network, draw.reference_pools)
    ratio = log_ratio(released, known)
    tables = [network.layout.unpack(ratio, i) for i in range(len(network.families))]
    scores = [tally.sums(who, tables) for who in (members, outsiders)]
    rarest = None if prior else rarest_cells(network, members, counts)
    pools = []
    for pool in range(draw.pools):
        inside, outside = scores[0][pool], Outsiders(scores[1][pool])
        support = () if rarest is None else by_support(inside, outside, rarest[pool])
        pools.append(outcome(inside, outside, attack, None, support))
    return pools


def log_ratio(released: Array, known: Array) -> Array:
    """Log of released over population conditionals, cell by cell (minus L of Eq. 3).

    A state the release calls impossible tells that its bearer is no member: minus infinity.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(known > 0, np.log(released) - np.log(known), 0.0)


def reference_values(reference: Dataset, network: Network, pools: int) -> Array:
    """Conditionals of the reference population, with one record's worth of prior in each row."""
    counts = network.layout.pack(Lookup.of(reference, network.families, pools).counts())
    layout = network.layout
    for block in layout.blocks:
        layout.rows(counts, block)[...] += 1 / block.cardinality
    return fit(network, counts).values


def _private_block(
    draw: Draw,
    network: Network,
    attack: Attack,
    scenario: Scenario,
    tally: _Tally,
    *,
    rng: np.random.Generator,
) -> list[Pool]:
    """The noise-aware attack against a method's own plan; the plain ratio beside it."""
    known = reference_values(draw.reference, network, draw.reference_pools)
    pools = []
    for pool, stream in enumerate(rng.spawn(draw.pools)):
        inside, outside = (_part(d, pool, draw.pools) for d in (draw.members, draw.outsiders))
        reference = _part(draw.reference, pool, draw.reference_pools)
        once = replace(scenario, replicates=1, seed=int(stream.integers(2**31)))
        release = next(rehearsals(attack.release, network, Rows(inside), once))
        tables, scores = aware_tables(release, network, inside, reference, rng=stream)
        inner, outer = (tally.sums(Lookup.of(d, tables), scores)[0] for d in (inside, outside))
        ratio = log_ratio(release.model.values[0], known[pool % draw.reference_pools])
        plain = [network.layout.unpack(ratio, i) for i in range(len(network.families))]
        fooled = [tally.sums(Lookup.of(d, network.families), plain)[0] for d in (inside, outside)]
        naive = Outsiders(fooled[1]).area(fooled[0])
        pools.append(outcome(inner, Outsiders(outer), attack, naive, ()))
    return pools


def _part(dataset: Dataset, pool: int, pools: int) -> Dataset:
    """One pool's rows."""
    if pools == 1:
        return dataset
    size = dataset.records // pools
    return dataset.part(slice(pool * size, (pool + 1) * size))


def aware_tables(
    release: Release,
    network: Network,
    members: Dataset,
    reference: Dataset,
    *,
    rng: np.random.Generator,
) -> tuple[list[tuple[Variable, ...]], list[Array]]:
    """The plan's tables and the score of each cell, for an attacker who sees them noisy.

    The tables themselves are given to the attacker; what is published is computed from them and
    says no more.
    """
    plan = release.plan
    if plan is None:
        raise EquipoiseError(f"the method {release.method!r} measures no tables to attack")
    scales = np.broadcast_to(plan.scales, (1, len(plan.tables)))[0]
    tables = [tuple(network.variables[network.position[n]] for n in table) for table in plan.tables]
    scores = []
    for counts, seen, scale, stream in zip(
        Lookup.of(members, tables).counts(),
        Lookup.of(reference, tables).counts(),
        scales,
        rng.spawn(len(tables)),
        strict=True,
    ):
        noisy = noisy_table(counts[0], float(scale), release.noise, rng=stream)
        share = (seen[0] + 1 / seen[0].size) / (reference.records + 1)
        expected = members.records * share
        spread = expected * (1 - share)
        scores.append(cell_scores(noisy - expected, spread, float(scale), release.noise))
    return tables, scores
