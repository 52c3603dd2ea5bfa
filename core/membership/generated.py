"""Generated networks of many two-valued attributes with given in-degrees.

Stand for data that are not public: a network has exactly the edges and free parameters that are
asked for. Nodes stand in random order, each with parents among the earlier ones.
"""

from dataclasses import dataclass

import numpy as np

from core.network import Network
from core.parameters import Model
from core.table import Array, Variable

InDegrees = tuple[int, int, int]
"""How many nodes have one, two and three parents."""


@dataclass(frozen=True)
class Dependence:
    """How the share of the first state is drawn, row by row: a beta within limits."""

    shape: float
    low: float
    high: float

    def shares(self, size: tuple[int, ...], *, rng: np.random.Generator) -> Array:
        """Shares of the first state; an even beta is spread over the limits, others are cut."""
        if self.shape == 1.0:
            return rng.uniform(self.low, self.high, size)
        return np.clip(rng.beta(self.shape, self.shape, size), self.low, self.high)


WEAK = Dependence(1.0, 0.15, 0.85)
STRONG = Dependence(0.5, 0.02, 0.98)


def generated_model(
    nodes: int, degrees: InDegrees, *, dependence: Dependence = WEAK, rng: np.random.Generator
) -> Model:
    """A model whose nodes have so many parents; those with most come last."""
    wanted = np.zeros(nodes, dtype=np.intp)
    ends = np.cumsum(degrees[::-1])
    for parents, (start, end) in zip(
        (3, 2, 1), zip((0, *ends[:-1]), ends, strict=True), strict=True
    ):
        wanted[nodes - end : nodes - start] = parents
    order = [f"v{i}" for i in range(nodes)]
    chosen = [
        tuple(order[j] for j in rng.choice(i, size=min(count, i), replace=False))
        for i, count in enumerate(wanted.tolist())
    ]
    variables = tuple(Variable(name, ("0", "1")) for name in order)
    network = Network(variables, tuple(chosen))
    arrays = []
    for shape in network.layout.shapes:
        first = dependence.shares(shape[:-1], rng=rng)
        arrays.append(np.stack([first, 1 - first], axis=-1))
    return Model.from_conditionals(network, arrays)


def released_structure(truth: Network, degrees: InDegrees) -> Network:
    """A part of the true structure: the first parents of so many nodes, richest nodes first."""
    richest = sorted(range(len(truth.variables)), key=lambda i: -len(truth.parents[i]))
    kept = [0] * len(richest)
    counts = [3] * degrees[2] + [2] * degrees[1] + [1] * degrees[0]
    for node, count in zip(richest, counts, strict=False):
        kept[node] = min(count, len(truth.parents[node]))
    parents = tuple(p[:k] for p, k in zip(truth.parents, kept, strict=True))
    return Network(truth.variables, parents)
