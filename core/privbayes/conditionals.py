"""Noisy tables of a learned structure, and the model they make.

Source: Zhang et al. 2017 (TODS), Algorithms 1 and 3. Each table is ε_t-private: whole counts plus
discrete Laplace noise of scale (sensitivity of a table) / ε_t on every cell, observed or not, and
Σ ε_t = ε₂.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.estimation.consistency import compile_plan
from core.estimation.effects import cells_of, side_by_side
from core.estimation.projection import project
from core.methods.equipoise import equipoise
from core.methods.plans import check_parts
from core.methods.randomness import Histograms, Randomness, noted, whole_laplace
from core.network import Network
from core.parameters import Model, fit
from core.privacy import Neighbours
from core.privbayes.structure import Structure
from core.scenario import Scenario
from core.table import Array, Variable, cells

Family = tuple[Variable, ...]


def network_of(structure: Structure) -> Network:
    """The structure as a network: attributes in their order, then the coarser levels in use.

    A coarser level is a child of its own attribute, which determines it; so parents may be coarse
    and everything that works on networks works on this one.
    """
    attributes = structure.attributes
    used = _coarse(structure)
    parents: dict[str, tuple[str, ...]] = {
        family[-1].name: tuple(v.name for v in family[:-1]) for family in families_of(structure)
    }
    return Network(
        (*(a.variable for a in attributes), *(attributes[a].levels[v] for a, v in used)),
        (
            *(parents[a.variable.name] for a in attributes),
            *((attributes[a].variable.name,) for a, _ in used),
        ),
    )


def families_of(structure: Structure) -> list[Family]:
    """Variables of each pair's table, the child last, in the order chosen."""
    attributes = structure.attributes
    return [
        (*(attributes[a].levels[v] for a, v in p.parents), attributes[p.child].variable)
        for p in structure.pairs
    ]


def _coarse(structure: Structure) -> list[tuple[int, int]]:
    return sorted({(a, v) for p in structure.pairs for a, v in p.parents if v})


@dataclass(frozen=True, eq=False)
class Estimate:
    """Conditionals ``(replicates, cells)`` of a structure, and what was measured for them.

    ``noisy`` are the packed tables before they became probabilities; ``parts`` of ε belong to
    ``tables``, of so many ``cells``.
    """

    model: Model
    noisy: Array
    tables: tuple[tuple[str, ...], ...]
    cells: tuple[int, ...]
    parts: Array


def published_model(
    source: CountSource,
    structure: Structure,
    *,
    epsilon: float,
    neighbours: Neighbours,
    rng: Randomness,
    replicates: int = 1,
) -> Estimate:
    """Algorithm 3, or Algorithm 1 where the first k pairs nest in the next: clip and normalise."""
    families = families_of(structure)
    head = nested_head(families, structure.degree)
    own = families[head:]
    parts = np.full(len(own), epsilon / len(own))
    noisy = noisy_tables(source, own, parts, neighbours, rng=rng, replicates=replicates)
    clipped = [np.maximum(values, 0) for values in noisy]
    derived = [_marginal(clipped[0], own[0], family) for family in families[:head]]
    return _estimate(structure, [*derived, *clipped], own, parts)


def nested_head(families: Sequence[Family], degree: int) -> int:
    """How many first tables need no budget: k when they all lie in the table after, else 0."""
    whole = set(families[degree]) if degree < len(families) else set()
    return degree if all(set(family) <= whole for family in families[:degree]) else 0


def _marginal(values: Array, axes: Family, wanted: Family) -> Array:
    """Tables ``(replicates, *axes)`` summed to those of fewer variables."""
    gone = tuple(i for i, variable in enumerate(axes, start=1) if variable not in wanted)
    kept = [variable for variable in axes if variable in wanted]
    summed = np.asarray(values.sum(axis=gone))
    return summed.transpose([0, *(1 + kept.index(variable) for variable in wanted)])


def improved_model(
    source: CountSource,
    structure: Structure,
    *,
    rng: Randomness,
    epsilon: float,
    neighbours: Neighbours,
    replicates: int = 1,
) -> Estimate:
    """The same budget, better used: merged tables, least squares, projection, back-off.

    Without coarse parents this is method equipoise on the learned network. With them, tables get
    budget by the square root of their cells, which makes their noise together least; they are
    made consistent by exact least squares and projected on the simplex.
    """
    network = network_of(structure)
    if not _coarse(structure):
        scenario = Scenario(epsilon=epsilon, neighbours=neighbours, replicates=replicates)
        released = equipoise(network, source, scenario, rng=rng)
        plan = released.plan
        if plan is None:
            raise EquipoiseError("method equipoise made no plan; correct the method")
        return Estimate(released.model, released.noisy, plan.tables, plan.cells, plan.parts)
    families = families_of(structure)
    axes = [tuple((network.position[v.name], v.cardinality) for v in f) for f in families]
    weights = np.sqrt([cells_of(a) for a in axes])
    share = weights / weights.sum()
    parts = epsilon * share
    noisy = noisy_tables(source, families, parts, neighbours, rng=rng, replicates=replicates)
    flat = np.concatenate([values.reshape(replicates, -1) for values in noisy], axis=1)
    slices = side_by_side(axes)
    agreed = compile_plan(axes, slices, (share**2 / weights**2).tolist()).apply(flat)
    projected = [
        project(agreed[:, where].T[None])[0][0].T.reshape(values.shape)
        for where, values in zip(slices, noisy, strict=True)
    ]
    return _estimate(structure, projected, families, parts)


def noisy_tables(
    source: CountSource,
    families: Sequence[Family],
    parts: Array,
    neighbours: Neighbours,
    *,
    rng: Randomness,
    replicates: int = 1,
) -> list[Array]:
    """Each family's counts with noise on every cell; budgets are checked before counting."""
    check_parts(parts, float(parts.sum()))
    tables = source.counts(families)
    sizes = [table.values.size for table in tables]
    histograms = Histograms(tuple(map(_names, families)), np.repeat(np.arange(len(sizes)), sizes))
    scales = neighbours.l1_sensitivity / parts
    noisy = whole_laplace(histograms, scales, replicates=replicates, rng=rng)
    noisy += np.concatenate([table.values.ravel() for table in tables])
    noted(histograms, noisy, rng=rng)
    split = np.split(noisy, np.cumsum(sizes)[:-1], axis=1)
    return [own.reshape(-1, *table.values.shape) for table, own in zip(tables, split, strict=True)]


def _names(family: Family) -> tuple[str, ...]:
    return tuple(variable.name for variable in family)


def _estimate(
    structure: Structure, tables: Sequence[Array], measured: Sequence[Family], parts: Array
) -> Estimate:
    """Tables in the order of the pairs to conditionals, coarser levels as they follow."""
    network = network_of(structure)
    own = {pair.child: table for pair, table in zip(structure.pairs, tables, strict=True)}
    arrays = [own[child] for child in range(len(structure.attributes))]
    arrays += [structure.attributes[a].generalisation(v) for a, v in _coarse(structure)]
    noisy = network.layout.pack(arrays)
    sizes = tuple(cells(family) for family in measured)
    names = tuple(map(_names, measured))
    return Estimate(fit(network, noisy.copy()), noisy, names, sizes, parts)
