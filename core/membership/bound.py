"""The published bound on membership inference, in closed form, and the pure-ε guarantee.

Murakonda, Shokri, Theodorakopoulos 2021, Theorem 1: against the *exact* conditionals of a network
with complexity C learned from n records, the likelihood-ratio attack is asymptotically a test of
two unit normals whose means differ by mu = sqrt(C / n). The guarantee from ε holds for every
attack and every n, and speaks of the noisy release.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from core.errors import EquipoiseError
from core.membership.normal import cumulative, quantile
from core.network import Network
from core.privacy import Neighbours, check_epsilon
from core.table import Array

_NORMAL = NormalDist()


@dataclass(frozen=True)
class PublishedBound:
    """The bound for a network of ``complexity`` free parameters and ``records`` records.

    ``reference`` is how many people of the population the attacker has seen; without it they know
    the population exactly. Their own sampling error then acts as if n were n (1 + n / reference).
    """

    complexity: float
    records: int
    reference: int | None = None

    def __post_init__(self) -> None:
        if self.records < 2:
            raise EquipoiseError(
                f"the number of records is {self.records}; the bound needs at least 2"
            )
        if self.complexity <= 0:
            raise EquipoiseError(
                "the network has no free parameters, so it says nothing about its records; "
                "give at least one variable two states"
            )
        if self.reference is not None and self.reference < 1:
            raise EquipoiseError(
                f"the reference population has {self.reference} records; it needs at least 1"
            )

    @property
    def mu(self) -> float:
        """Distance of the two hypotheses in standard deviations: sqrt(C / n)."""
        known = 1.0 if self.reference is None else 1 + self.records / self.reference
        return math.sqrt(self.complexity / (self.records * known))

    @property
    def auc(self) -> float:
        """Largest area under the attacker's curve: Phi(mu / sqrt 2); 0.5 is guessing."""
        return _NORMAL.cdf(self.mu / math.sqrt(2))

    @property
    def advantage(self) -> float:
        """Largest difference of hit rate and false-alarm rate: 2 Phi(mu / 2) - 1."""
        return 2 * _NORMAL.cdf(self.mu / 2) - 1

    def power(self, alpha: float) -> float:
        """Share of members found at false-alarm rate alpha: Phi(mu - z), z = Phi^-1(1 - alpha)."""
        return _NORMAL.cdf(self.mu + _NORMAL.inv_cdf(check_alpha(alpha)))

    def powers(self, alphas: Array) -> Array:
        """``power`` at each false-alarm rate."""
        return cumulative(self.mu + quantile(alphas))

    def threshold(self, alpha: float) -> float:
        """Largest L(x) at which the attacker accuses: mu^2 / 2 - z mu."""
        return self.mu**2 / 2 + _NORMAL.inv_cdf(check_alpha(alpha)) * self.mu


def check_alpha(alpha: float) -> float:
    """A false-alarm rate strictly between 0 and 1."""
    if not 0 < alpha < 1:
        raise EquipoiseError(
            f"the false-alarm rate is {alpha:g}; it must lie strictly between 0 and 1"
        )
    return float(alpha)


def _check_auc(auc: float) -> float:
    if not 0.5 < auc < 1:
        raise EquipoiseError(f"the AUC is {auc:g}; it must lie strictly between 0.5 and 1")
    return float(auc)


def records_for_auc(complexity: float, auc: float) -> int:
    """Fewest records at which the published AUC is at most ``auc``: C / (2 Phi^-1(A)^2).

    >>> records_for_auc(509, 0.6)
    3966
    """
    return max(2, math.ceil(complexity / (2 * _NORMAL.inv_cdf(_check_auc(auc)) ** 2)))


def records_for_power(complexity: float, alpha: float, power: float) -> int:
    """Fewest records at which the published power at alpha is at most ``power``."""
    check_alpha(alpha)
    if not alpha < power < 1:
        raise EquipoiseError(
            f"the share of members found is {power:g}; it must lie between the false-alarm rate "
            f"{alpha:g}, which guessing reaches, and 1"
        )
    gap = _NORMAL.inv_cdf(power) - _NORMAL.inv_cdf(alpha)
    return max(2, math.ceil(complexity / gap**2))


def complexity_for_auc(records: int, auc: float) -> int:
    """Largest complexity at which ``records`` records keep the published AUC at most ``auc``."""
    if records < 2:
        raise EquipoiseError(f"the number of records is {records}; the bound needs at least 2")
    return math.floor(2 * records * _NORMAL.inv_cdf(_check_auc(auc)) ** 2)


def swap_epsilon(epsilon: float, neighbours: Neighbours) -> float:
    """ε against an attacker who swaps one record, as the membership attack does.

    A swap is one removal and one addition, so an add-remove ε counts twice.
    """
    check_epsilon(epsilon)
    return epsilon if neighbours is Neighbours.REPLACE else 2 * epsilon


def swap_delta(epsilon: float, delta: float, neighbours: Neighbours) -> float:
    """δ against an attacker who swaps one record: two add-remove steps cost (1 + e^ε) δ."""
    if neighbours is Neighbours.REPLACE or delta == 0:
        return delta
    return min(1.0, (1 + math.exp(min(epsilon, 700.0))) * delta)


def guaranteed_power(
    alpha: float, epsilon: float, neighbours: Neighbours, delta: float = 0.0
) -> float:
    """Most members any attacker finds at false-alarm rate alpha, whatever they know.

    min(e^E a + D, 1 - e^-E (1 - D - a)) with E = ``swap_epsilon`` and D = ``swap_delta``; tight
    for (ε, δ)-differential privacy.
    """
    swap = swap_epsilon(epsilon, neighbours)
    leak = swap_delta(epsilon, delta, neighbours)
    check_alpha(alpha)
    high = 1 - math.exp(-swap) * (1 - leak - alpha)
    return min(math.exp(min(swap, 700.0)) * alpha + leak, high, 1.0)


def guaranteed_auc(epsilon: float, neighbours: Neighbours, delta: float = 0.0) -> float:
    """Largest area under any attacker's curve: the area under ``guaranteed_power``.

    e^E / (1 + e^E), reached by randomised response; with δ either side is given away with
    probability D.
    """
    fair = 1 / (1 + math.exp(-swap_epsilon(epsilon, neighbours)))
    leak = swap_delta(epsilon, delta, neighbours)
    return leak + (1 - leak) * (leak + (1 - leak) * fair)


def guaranteed_advantage(epsilon: float, neighbours: Neighbours, delta: float = 0.0) -> float:
    """Largest difference of hit rate and false-alarm rate: D + (1 - D) (e^E - 1) / (e^E + 1)."""
    leak = swap_delta(epsilon, delta, neighbours)
    return leak + (1 - leak) * math.tanh(swap_epsilon(epsilon, neighbours) / 2)


def complexity_span(network: Network) -> int:
    """Free parameters of the joint family *tables*, which say more than the conditionals.

    Sum over all distinct non-empty subsets S of families of prod (r_j - 1).
    A subset with a family's own child is in no family before it in the order; the others are
    counted where they come first.
    """
    seen: list[frozenset[int]] = []
    span = 0
    for i in network.order:
        if i < len(network.scopes):
            parents = [j for j in network.parent_indices[i] if network.variables[j].cardinality > 1]
            span += network.complexities[i] + _new(network, parents, seen)
            seen.append(frozenset(network.scopes[i]))
    return span


def _new(network: Network, parents: list[int], seen: list[frozenset[int]]) -> int:
    """The same sum over non-empty subsets of these that are in no set seen before."""
    shared = {own for s in seen if (own := s.intersection(parents))}
    if any(len(own) == len(parents) for own in shared):
        return 0
    new = np.ones((2,) * len(parents), dtype=np.int64)
    new[(0,) * len(parents)] = 0
    for own in shared:
        new[tuple(slice(None) if j in own else 0 for j in parents)] = 0
    for j in parents:
        new = new[0] + (network.variables[j].cardinality - 1) * new[1]
    return int(new)


@dataclass(frozen=True)
class EdgeShare:
    """An edge and how many free parameters leave with it."""

    parent: str
    child: str
    saves: int


def node_shares(network: Network) -> tuple[float, ...]:
    """Each node's part of mu^2: c_i / C."""
    return tuple(c / max(network.complexity, 1) for c in network.complexities)


def removal_savings(network: Network) -> tuple[EdgeShare, ...]:
    """Free parameters that removing each edge j -> i takes away: c_i (1 - 1 / r_j)."""
    savings = []
    for parent, child in network.edges:
        own = network.complexities[network.position[child]]
        states = network.variables[network.position[parent]].cardinality
        savings.append(EdgeShare(parent, child, own - own // states))
    return tuple(savings)


def attribute_saving(network: Network, name: str) -> int:
    """Free parameters gone with a variable: its own, and c_k (1 - 1 / r) of each child k."""
    node = network.index(name)
    states = network.variables[node].cardinality
    children = (network.complexities[k] for k in network.children[node])
    return network.complexities[node] + sum(c - c // states for c in children)
