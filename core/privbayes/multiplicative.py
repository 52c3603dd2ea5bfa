"""MWEM: a joint distribution that is corrected where it is most wrong, a few times."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.methods.noise import discrete_laplace
from core.methods.selection import Selection, select
from core.privacy import Neighbours, check_epsilon
from core.privbayes.distances import Marginal, normalised
from core.privbayes.settings import RECORDS_SHARE
from core.table import Array, Variable

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

MWEM_CELLS = 2**16
"""Most cells of the joint distribution: every round goes over all of them for every marginal."""

ROUND_EPSILON = 0.05
"""Budget of a round, as in the paper's experiments, unless that makes too many rounds."""

ROUND_LIMIT = 30

PASSES = 10
"""How often all measurements so far are applied again in each round, which costs nothing."""


def noise_scale(epsilon: float, parts: int, neighbours: Neighbours) -> float:
    """Noise scale of each of so many measurements that share ε."""
    return neighbours.l1_sensitivity * max(parts, 1) / check_epsilon(epsilon)


@dataclass(frozen=True)
class Wanted:
    """Marginals that a baseline answers for one ε."""

    source: CountSource
    variables: Sequence[Variable]
    marginals: Sequence[Marginal]
    epsilon: float
    neighbours: Neighbours

    def scale(self, parts: int) -> float:
        """Noise scale of each of so many measurements that share ε."""
        return noise_scale(self.epsilon, parts, self.neighbours)


def mwem(wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
    """Multiplicative weights with the exponential mechanism over all cells of all marginals.

    Each round spends half of its ε on choosing the cell that is most wrong and half on measuring
    it; one record moves a cell by at most one under either relation of neighbours. The number of
    records is measured first where it is private. Source: Hardt, Ligett and McSherry 2012.
    """
    source, variables, marginals = wanted.source, wanted.variables, wanted.marginals
    epsilon = check_epsilon(wanted.epsilon)
    records, budget = float(source.records), epsilon
    if wanted.neighbours is Neighbours.ADD_REMOVE:
        first = float(RECORDS_SHARE) * epsilon
        records = max(1.0, records + float(discrete_laplace((), 1 / first, rng=rng)))
        budget = epsilon - first
    rounds = int(np.clip(budget / ROUND_EPSILON, 1, ROUND_LIMIT))
    share = budget / rounds / 2
    exact = np.concatenate([table.values.ravel() for table in source.counts(marginals)])
    places = [_places(variables, marginal) for marginal in marginals]
    shape = tuple(v.cardinality for v in variables)
    ends = np.cumsum([m for m, _ in places])
    weights = np.full(int(np.prod(shape)), records / np.prod(shape))
    known: list[tuple[Flags, float]] = []
    for _ in range(rounds):
        answers = _answers(weights, places)
        wrong = np.abs(exact - answers)
        chosen = select(Selection.EXPONENTIAL, wrong, epsilon=share, sensitivity=1.0, rng=rng)
        measured = exact[chosen.index] + float(discrete_laplace((), 1 / share, rng=rng))
        which = int(np.searchsorted(ends, chosen.index, side="right"))
        size, owner = places[which]
        known.append((owner == chosen.index - (int(ends[which]) - size), measured))
        for inside, total in known * PASSES:
            step = (total - weights[inside].sum()) / (2 * records)
            weights[inside] *= np.exp(np.clip(step, -1, 1))
            weights *= records / weights.sum()
    answers = _answers(weights, places)
    return [normalised(part) for part in np.split(answers, ends[:-1])]


def _places(variables: Sequence[Variable], marginal: Marginal) -> tuple[int, Places]:
    """Cells of a marginal, and to which of them each joint cell belongs."""
    shape = [v.cardinality for v in variables]
    code = np.zeros(shape, dtype=np.intp)
    size = 1
    for variable in marginal:
        axis = list(variables).index(variable)
        states = np.arange(variable.cardinality).reshape(
            [-1 if a == axis else 1 for a in range(len(shape))]
        )
        code = code * variable.cardinality + states
        size *= variable.cardinality
    return size, code.ravel()


def _answers(weights: Array, places: Sequence[tuple[int, Places]]) -> Array:
    """All cells of all marginals of a joint table."""
    return np.concatenate([np.bincount(owner, weights, size) for size, owner in places])
