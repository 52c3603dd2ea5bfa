"""A measured attack on one value: who knows all others of a person guesses it from the release.

Each pool is released twice over: people who are in it are guessed from their own release (attack)
and from the release of as many other people (control), and those other people likewise. The control
is what anyone learns of the person from everyone else; the difference is what the person's own
record gave away. A release of others has the distribution that one has with a fresh record in the
person's place, so a curve T of the release bounds the attack: being right is a test, and who is
right with chance c on the control is right with chance T(c) at most on the attack
(:func:`core.membership.criteria.matched`). Reads rows; gives numbers about all of them together.
Study: not private.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.membership.criteria import matched
from core.membership.curves import find, release_curves
from core.membership.intervals import over_pools
from core.membership.outcomes import POOL_LIMIT
from core.membership.population import Draw, Population
from core.methods.method import Release
from core.methods.registry import method_named
from core.network import Network
from core.parameters import Model
from core.scenario import RECORD_LIMIT, Scenario, check_count
from core.study.experiments import Interval
from core.study.quantities import share
from core.table import Array


@dataclass(frozen=True)
class AttributeAttack:
    """What is attacked: a release of that method, the variable to guess, pools and their size."""

    release: str
    target: str
    records: int
    pools: int

    def __post_init__(self) -> None:
        check_count("the number of records", self.records, RECORD_LIMIT, least=2)
        check_count("the number of pools", self.pools, POOL_LIMIT)


@dataclass(frozen=True)
class Guessed:
    """Shares guessed right over pools, each with its 95 % interval; ``gain`` is the difference.

    ``baseline`` is the share of the most common state: a guess without any release. ``bound`` is
    the most that the guarantee allows the attack, given its control; one without a guarantee.
    """

    asked: AttributeAttack
    pools: int
    attack: Interval
    control: Interval
    gain: Interval
    baseline: float
    bound: float

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        gain = self.gain
        verdict = (
            f"so their own record gave away {100 * gain.mean:.1f} in a hundred"
            if gain.low > 0
            else "so their own record gave nothing away that these pools show"
        )
        allowed = "No guarantee bounds it"
        if self.bound < 1:
            allowed = f"The guarantee allows {share(self.bound)} at most"
        return (
            f"Who knows all else of a person guesses {self.asked.target} right for "
            f"{share(self.attack.mean)} of the people in the release, and for "
            f"{share(self.control.mean)} from a release without them, {verdict} (difference "
            f"{gain.low:+.4f} to {gain.high:+.4f}, {self.pools} pools of "
            f"{self.asked.records:,}). {allowed}."
        )


def guess(model: Model, people: Dataset, target: int) -> Array:
    """The likeliest state of one variable for each person, all others known: ``(people,)``."""
    network = model.network
    scores = np.zeros((people.records, network.variables[target].cardinality))
    with np.errstate(divide="ignore"):
        for place, parents in enumerate(network.parent_indices):
            family = (*parents, place)
            if target not in family:
                continue
            chances = np.log(model.conditional(place).values)
            columns = [people.codes[:, i].astype(np.intp) for i in family]
            own = family.index(target)
            for state in range(scores.shape[1]):
                columns[own] = np.full(people.records, state)
                scores[:, state] += chances[tuple(columns)]
    return np.asarray(scores.argmax(axis=1))


def guessing(
    population: Population, network: Network, attack: AttributeAttack, scenario: Scenario
) -> Iterator[Guessed]:
    """The attack pool by pool: after each, what all so far say."""
    target, run = network.index(attack.target), method_named(attack.release).run
    right: list[tuple[float, float]] = []
    common = np.zeros(network.variables[target].cardinality)
    for seed in np.random.SeedSequence([scenario.seed, 53]).spawn(attack.pools):
        rng = np.random.default_rng(seed)
        draw = population.draw(1, attack.records, rng=rng)
        sides = _in_order(draw.members, network), _others(draw, attack.records, network)
        once = replace(scenario, replicates=1)
        releases = [run(network, Rows(side), once, rng=rng) for side in sides]
        models = [Model(network, release.model.values[0]) for release in releases]
        hits = [[guess(m, side, target) == side.codes[:, target] for m in models] for side in sides]
        shares = np.array(hits).mean(axis=-1)  # rows: people; columns: released from
        right.append((float(np.trace(shares)) / 2, float(shares[0, 1] + shares[1, 0]) / 2))
        for side in sides:
            common += np.bincount(side.codes[:, target], minlength=common.size)
        own, others = np.array(right).T
        baseline = float(common.max() / common.sum())
        control = over_pools(others)
        bound = _allowed(releases[0], network, attack.records, control.mean)
        gain = over_pools(own - others, -1.0)
        yield Guessed(attack, len(right), over_pools(own), control, gain, baseline, bound)


def _allowed(release: Release, network: Network, records: int, control: float) -> float:
    """T(control), of the smallest guarantee that is known for the release's plan."""
    curves = release_curves(release.plan, release.noise, network, records)
    curve = find(curves, "composed") or find(curves, "pure_epsilon")
    if curve is None or not 0 < control < 1:
        return 1.0
    return max(control, matched(curve.powers, control))


def _in_order(people: Dataset, network: Network) -> Dataset:
    """The same people, columns in the order of the network."""
    if people.variables == network.variables:
        return people
    column = {v.name: i for i, v in enumerate(people.variables)}
    return Dataset(network.variables, people.codes[:, [column[n] for n in network.names]])


def _others(draw: Draw, records: int, network: Network) -> Dataset:
    codes = np.concatenate([draw.outsiders.codes, draw.reference.codes])[:records]
    if len(codes) < records:
        raise EquipoiseError(
            f"the control needs {records:,} other people and there are {len(codes):,}; draw pools "
            "of at most half of the people"
        )
    return _in_order(Dataset(draw.outsiders.variables, codes), network)
