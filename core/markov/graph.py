"""Field: the public structure of an undirected model, and whether it can be trained exactly.

A field is a product of log-linear factors, one for each clique of variables. All tables lie side
by side in one flat array, so parameters, marginals and noisy tables of a model are arrays
``(*replicates, cells)`` of the same layout.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.inference.cliques import forest_of, spelled
from core.inference.junction import Factor, JunctionTree, compile_factors
from core.network import Network
from core.table import Variable

TRAINING_LIMIT = 2**21
"""Most cells of all junction-tree cliques together for which a model is trained."""


@dataclass(frozen=True)
class Field:
    """Variables and cliques; a clique lists positions of variables in the order of its axes.

    ``shares`` numbers the table of each clique: cliques with the same number have the same
    potentials, and one table holds the sum of their counts. By default each has its own. The
    number of tables is their L1 sensitivity when a record is added or removed. Source: Bernstein
    et al. 2017, Eq. 1 and Proposition 3; shared potentials: section 4.2.
    """

    variables: tuple[Variable, ...]
    cliques: tuple[tuple[int, ...], ...]
    shares: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(self.variables))
        object.__setattr__(self, "cliques", tuple(tuple(c) for c in self.cliques))
        object.__setattr__(self, "shares", tuple(self.shares) or tuple(range(len(self.cliques))))
        known = set(range(len(self.variables)))
        for clique in self.cliques:
            if len(set(clique)) < len(clique) or not set(clique) <= known:
                raise EquipoiseError(
                    f"the clique {clique} must list different positions of the "
                    f"{len(self.variables)} variables"
                )
        missing = known.difference(*self.cliques)
        if missing:
            raise EquipoiseError(
                f"no clique holds {self.variables[min(missing)].name!r}; every variable needs one"
            )
        self._check_shares()

    def _check_shares(self) -> None:
        shapes: dict[int, tuple[int, ...]] = {}
        for clique, share in zip(self.cliques, self.shares, strict=True):
            shape = tuple(self.variables[v].cardinality for v in clique)
            if shapes.setdefault(share, shape) != shape:
                raise EquipoiseError(
                    f"table {share} is shared by cliques of shapes {shapes[share]} and {shape}; "
                    "only cliques of one shape can share potentials"
                )

    @cached_property
    def _hash(self) -> int:
        return hash((self.variables, self.cliques, self.shares))

    def __hash__(self) -> int:
        return self._hash  # fields are cache keys

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """For each table, the first clique that it belongs to."""
        first: dict[int, tuple[int, ...]] = {}
        for share, clique in zip(self.shares, self.cliques, strict=True):
            first.setdefault(share, clique)
        return tuple(first[share] for share in sorted(first))

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shape of each table."""
        return tuple(tuple(self.variables[v].cardinality for v in c) for c in self.tables)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Cells of each table in the flat array."""
        ends = itertools.accumulate(math.prod(shape) for shape in self.shapes)
        return tuple(itertools.starmap(slice, itertools.pairwise([0, *ends])))

    @property
    def size(self) -> int:
        """Cells of all tables together."""
        return self.slices[-1].stop if self.slices else 0

    @cached_property
    def owner(self) -> NDArray[np.intp]:
        """Table of each cell."""
        return np.repeat(np.arange(len(self.tables)), [math.prod(s) for s in self.shapes])

    @cached_property
    def multiplicity(self) -> NDArray[np.float64]:
        """How many cliques each table adds up: the total of its marginals."""
        numbers = sorted(set(self.shares))
        return np.array([float(self.shares.count(number)) for number in numbers])

    @cached_property
    def predicted_cells(self) -> int:
        """Cells of the junction tree's cliques, known before anything is allocated."""
        return self._tree_cells([v.cardinality for v in self.variables])

    def _tree_cells(self, sizes: Sequence[int]) -> int:
        return forest_of(sizes, self.cliques).cells(sizes)

    @cached_property
    def tree(self) -> JunctionTree:
        """The junction tree, or a refusal with what would fit."""
        if self.predicted_cells > TRAINING_LIMIT:
            raise EquipoiseError(
                f"exact training needs a junction tree of {spelled(self.predicted_cells)} cells; "
                f"at most {TRAINING_LIMIT:,} are allowed, {self._what_fits()}"
            )
        numbers = sorted(set(self.shares))
        starts = dict(zip(numbers, (where.start for where in self.slices), strict=True))
        factors = [Factor(c, starts[s]) for c, s in zip(self.cliques, self.shares, strict=True)]
        return compile_factors(self.variables, factors)

    def _what_fits(self) -> str:
        sizes = [v.cardinality for v in self.variables]
        for most in range(max(sizes) - 1, 1, -1):
            needed = self._tree_cells([min(size, most) for size in sizes])
            if needed <= TRAINING_LIMIT:
                return (
                    f"so merge states: with at most {most} for each variable it needs {needed:,} "
                    "cells and fits"
                )
        return (
            "and two states for each variable would not fit either, so remove edges until no "
            f"clique of the triangulated graph holds more than "
            f"{int(math.log2(TRAINING_LIMIT)) - 3} variables"
        )


def moral_field(network: Network) -> Field:
    """The moral graph of a Bayesian network: one table for each family, packed as its layout.

    A known variable without children is in no table and left out.
    """
    used = sorted(set().union(*network.scopes))
    place = {variable: k for k, variable in enumerate(used)}
    scopes = [tuple(place[j] for j in scope) for scope in network.scopes]
    variables = tuple(network.variables[j] for j in used)
    return Field(variables, tuple(scopes[i] for i in network.layout.memory_order))
