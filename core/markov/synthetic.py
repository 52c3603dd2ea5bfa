"""Models with random potentials, and populations drawn from them as tables or as records.

Source: Bernstein et al. 2017, section 4.1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError, brief
from core.markov.belief import conditionals, table_sums
from core.markov.graph import Field, moral_field
from core.parameters import Model
from core.table import Array, Variable

FLOOR = 1e-6
"""Least probability of a network's conditional in an undirected model: logarithms are finite."""

TRIES = 1000
"""Most random graphs drawn before a connected one is given up."""

MOST = 1_000
"""Most variables of a synthetic model, and most states of each."""

DENSITY = 0.35
"""Share of all pairs that a random graph joins, before it is made connected."""


@dataclass(frozen=True, eq=False)
class TrueField:
    """An undirected model that is known: structure and log-potentials ``(cells,)``."""

    field: Field
    theta: Array


def _numbered(nodes: int, states: int) -> tuple[Variable, ...]:
    if nodes < 2 or states < 2:
        raise EquipoiseError(
            f"a synthetic model with {nodes} variables of {states} states says nothing; take at "
            "least two of each"
        )
    if max(nodes, states) > MOST:
        raise EquipoiseError(
            f"a synthetic model with {brief(f'{nodes:,}')} variables of {brief(f'{states:,}')} "
            f"states is too large; take at most {MOST:,} of each"
        )
    labels = tuple(str(k) for k in range(states))
    return tuple(Variable(f"x{i + 1}", labels) for i in range(nodes))


def chain_field(nodes: int, states: int, order: int = 3) -> Field:
    """A chain in which variables up to ``order`` places apart are joined."""
    variables = _numbered(nodes, states)
    pairs = [(i, j) for i in range(nodes) for j in range(i + 1, min(i + order, nodes - 1) + 1)]
    return Field(variables, tuple(pairs))


def random_field(
    nodes: int, states: int, density: float = DENSITY, *, rng: np.random.Generator
) -> Field:
    """A random graph that joins each pair with the same probability, drawn until connected."""
    if not 0 < density <= 1:
        raise EquipoiseError(f"the density is {density:g}; it must lie above 0 and at most at 1")
    variables = _numbered(nodes, states)
    every = np.array([(i, j) for i in range(nodes) for j in range(i + 1, nodes)])
    for _ in range(TRIES):
        joined = every[rng.random(len(every)) < density]
        if _connected(nodes, joined):
            return Field(variables, tuple(map(tuple, joined.tolist())))
    raise EquipoiseError(
        f"no connected graph in {TRIES} draws of {nodes} variables with density {density:g}; "
        "take a larger density"
    )


def _connected(nodes: int, edges: NDArray[np.intp]) -> bool:
    group = np.arange(nodes)
    for i, j in edges:
        group[group == group[j]] = group[i]
    return bool((group == group[0]).all())


def random_truth(field: Field, *, rng: np.random.Generator) -> TrueField:
    """A model with random potentials."""
    return TrueField(field, random_potentials(field, (), rng=rng))


def random_potentials(field: Field, lead: tuple[int, ...], *, rng: np.random.Generator) -> Array:
    """Logarithms of Dirichlet draws with concentration one for each table: ``(*lead, cells)``."""
    weights = rng.standard_exponential((*lead, field.size))
    totals = np.add.reduceat(weights, [where.start for where in field.slices], axis=-1)
    return np.asarray(np.log(weights / totals[..., field.owner]))


def network_truth(model: Model) -> TrueField:
    """A Bayesian network as an undirected model over its moral graph; zeros become 1e-6."""
    return TrueField(moral_field(model.network), np.log(np.maximum(model.values, FLOOR)))


def population_cliques(
    truth: TrueField, records: int, populations: int, *, rng: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Counts over the junction tree's cliques of independent populations of N records.

    From the root to the leaves, multinomial given the variables shared with the parent: exactly
    the distribution of counted records, at a cost that does not depend on N. Arrays are
    ``(populations, *clique axes)``.
    """
    tree = truth.field.tree
    _, given = conditionals(tree, truth.theta[:, None])
    codes_of: list[NDArray[np.int64]] = []
    for clique, chances in zip(tree.cliques, given, strict=True):
        if codes_of:
            gone = tuple(axis + 1 for axis in clique.parent_sum)
            shared = codes_of[clique.parent].sum(axis=gone).reshape(populations, -1)
        else:
            shared = np.full((populations, 1), records)
        drawn = rng.multinomial(shared, chances.reshape(clique.split))
        codes_of.append(drawn.reshape(populations, *clique.shape))
    return codes_of


def population_tables(field: Field, cliques: list[NDArray[np.int64]]) -> Array:
    """Exact tables of populations: ``(populations, cells)``."""
    last = [np.moveaxis(c, 0, -1).astype(np.float64) for c in cliques]
    return np.ascontiguousarray(table_sums(field, last).T)


def population_records(
    field: Field, cliques: list[NDArray[np.int64]], population: int, *, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Records ``(N, variables)`` whose counts are exactly those of one population.

    Within each setting of the shared variables, a clique's own variables are dealt at random.
    """
    tree = field.tree
    records = int(cliques[0][population].sum())
    codes = np.zeros((records, len(field.variables)), dtype=np.intp)
    for clique, counts in zip(tree.cliques, cliques, strict=True):
        held = list(clique.variables)
        setting = np.zeros(records, dtype=np.intp)
        for v, size in zip(held[: clique.shared], clique.shape, strict=False):
            setting = setting * size + codes[:, v]
        order = np.lexsort((rng.random(records), setting))
        cell = np.repeat(np.arange(clique.cells), counts[population].ravel())
        for axis in range(len(held) - 1, -1, -1):
            cell, codes[order, held[axis]] = np.divmod(cell, clique.shape[axis])
    return codes
