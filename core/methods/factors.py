"""How the graph factorises each measured table.

In topological order, a variable of a table depends on the earlier ones only through some of them:
its parents when the table holds them all (the local Markov property), otherwise a subset found by
d-separation. So the table's distribution is a product of conditionals, each over a *scope* of a
few of its variables, exactly as far as the graph is right. Public: nothing but the graph enters.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.estimation.effects import Axes, Index, cells_of, side_by_side
from core.network import Network
from core.table import Array

Scope = tuple[int, ...]
"""Variables of a conditional, the dependent one last."""


def scopes_of(network: Network, table: Sequence[int]) -> tuple[Scope, ...]:
    """The scopes whose conditionals multiply to the distribution of a table's variables."""
    rank = {v: k for k, v in enumerate(network.order)}
    scopes: list[Scope] = []
    before: list[int] = []
    for variable in sorted(table, key=rank.__getitem__):
        parents = network.parent_indices[variable]
        if set(parents) <= set(before):
            scopes.append((*parents, variable))
        else:
            scopes.append((*_needed(network, variable, before), variable))
        before.append(variable)
    return tuple(scopes)


def _needed(network: Network, variable: int, before: Sequence[int]) -> list[int]:
    """Earlier variables that make the others irrelevant, as few as dropping one by one finds."""
    kept = sorted(before)
    for one in sorted(before):
        rest = [v for v in kept if v != one]
        if separated(network, variable, set(before) - set(rest), set(rest)):
            kept = rest
    return kept


def separated(network: Network, one: int, others: set[int], given: set[int]) -> bool:
    """Whether the graph makes a variable independent of others, given some.

    Every path of the moral graph over the ancestors is cut. Source: Lauritzen et al. 1990.
    """
    around = _moral(network, {one} | others | given)
    seen, waiting = {one}, [one]
    while waiting:
        for step in around[waiting.pop()] - seen - given:
            if step in others:
                return False
            seen.add(step)
            waiting.append(step)
    return True


def _moral(network: Network, start: set[int]) -> dict[int, set[int]]:
    """Neighbours in the moral graph of some variables and their ancestors."""
    around: dict[int, set[int]] = {}
    waiting = sorted(start)
    while waiting:
        variable = waiting.pop()
        if variable not in around:
            around[variable] = set()
            waiting.extend(network.parent_indices[variable])
    for variable in list(around):
        family = {variable, *network.parent_indices[variable]}
        for member in family:
            around[member] |= family - {member}
    return around


@dataclass(frozen=True, eq=False)
class Factors:
    """Compiled: tables side by side, and every scope of every table side by side.

    Arrays are ``(cells, replicates)``. A *part* is one scope within one table.
    """

    scopes: tuple[Scope, ...]
    """All different scopes: the network's families first."""
    product: Index
    """For each factor of a table, the cell of its conditional: (factors, cells of tables)."""
    cells: Index
    """Cells of tables, grouped by the cell of each part they are summed to."""
    starts: Index
    """Where each cell of the parts begins in ``cells``."""
    axes: tuple[Axes, ...]
    slices: tuple[slice, ...]
    """The parts, and where each lies among their cells."""
    table: Index
    """Table of each part."""
    sizes: Array
    """How many cells of its table each cell of the parts sums."""

    def expected(self, conditionals: Array, total: Array) -> Array:
        """Counts of every table's cells under the model: ``(cells of tables, replicates)``.

        ``conditionals`` are those of all scopes, one after the other.
        """
        one = np.ones((1, conditionals.shape[1]))
        padded = np.concatenate([conditionals, one])
        product: Array = padded.take(self.product[0], axis=0)
        for factor in self.product[1:]:
            product *= padded.take(factor, axis=0)
        product *= total
        return product

    def sums(self, values: Array) -> Array:
        """Values of tables' cells, summed to the parts."""
        return np.asarray(np.add.reduceat(values.take(self.cells, axis=0), self.starts, axis=0))


def factorise(network: Network, tables: Sequence[tuple[int, ...]]) -> Factors:
    """The factors of tables, given as variable indices."""
    sizes = [v.cardinality for v in network.variables]
    chosen = [scopes_of(network, t) for t in tables]
    number: dict[Scope, int] = {}
    for scope in network.scopes:
        number[scope] = len(number)
    for scope in itertools.chain.from_iterable(chosen):
        number.setdefault(scope, len(number))
    axes = [_axes(scope, sizes) for scope in number]
    first = [where.start for where in side_by_side(axes)]
    places = side_by_side([_axes(t, sizes) for t in tables])
    product = np.full(
        (max(map(len, chosen)), places[-1].stop), sum(map(cells_of, axes)), dtype=np.intp
    )
    cells: list[Index] = []
    parts: list[Axes] = []
    sums: list[int] = []
    for table, where, scopes in zip(tables, places, chosen, strict=True):
        codes = dict(zip(table, np.indices([sizes[v] for v in table]), strict=True))
        for factor, scope in enumerate(scopes):
            shape = [sizes[v] for v in scope]
            to = np.ravel_multi_index([codes[v].ravel() for v in scope], shape)
            product[factor, where] = first[number[scope]] + to
            cells.append(where.start + np.argsort(to, kind="stable"))
            parts.append(axes[number[scope]])
            sums.append(len(to) // cells_of(parts[-1]))
    each = np.repeat(sums, [cells_of(a) for a in parts])
    return Factors(
        tuple(number),
        product,
        np.concatenate(cells),
        np.cumsum(each) - each,
        tuple(parts),
        side_by_side(parts),
        np.repeat(np.arange(len(tables)), list(map(len, chosen))),
        each.astype(np.float64),
    )


def _axes(variables: Sequence[int], sizes: Sequence[int]) -> Axes:
    return tuple((v, sizes[v]) for v in variables)
