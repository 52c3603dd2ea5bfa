"""Network: the public graph, and what follows from it alone."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from core.errors import EquipoiseError, brief, repeated
from core.layout import Layout
from core.table import CELL_LIMIT, Variable, cells

NODE_LIMIT = 2_000
"""Most variables a network may have."""

TOTAL_LIMIT = 2**24
"""Most cells that all tables of one network may have together (128 MiB) to be held."""

MEASURED_LIMIT = 2**20
"""Most cells of all tables that are measured together: on the way each takes up to 470 bytes."""


@dataclass(frozen=True)
class Network:
    """A directed acyclic graph over variables; ``parents[i]`` belongs to ``variables[i]``.

    The last ``known`` variables have no table of their own (:meth:`without_tables`): families,
    layout and complexity are those of the others.
    """

    variables: tuple[Variable, ...]
    parents: tuple[tuple[str, ...], ...]
    known: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(self.variables))
        object.__setattr__(self, "parents", tuple(tuple(p) for p in self.parents))
        if not self.variables:
            raise EquipoiseError("the network has no variables; list at least one")
        if len(self.variables) > NODE_LIMIT:
            raise EquipoiseError(
                f"the network has {len(self.variables):,} variables; at most {NODE_LIMIT:,} are "
                "supported, so split it or drop variables"
            )
        if len(self.position) < len(self.variables):
            twice = repeated(self.names)
            raise EquipoiseError(f"variable {twice!r} appears twice; variable names must differ")
        self._check_parents()
        cycle = find_cycle(self.names, self.parents)
        if cycle:
            raise EquipoiseError(
                f"the graph is not acyclic: {' -> '.join(map(brief, cycle))}; remove one of these "
                "edges"
            )
        self._check_cells()

    def _check_cells(self) -> None:
        sizes = [cells(family) for family in self.families]
        for family, size in zip(self.families, sizes, strict=True):
            if size > CELL_LIMIT:
                largest = max(family, key=lambda v: v.cardinality)
                raise EquipoiseError(
                    f"the table of {family[-1].name!r} and its {len(family) - 1} parents has "
                    f"{size:,} cells; at most {CELL_LIMIT:,} are allowed, so drop "
                    f"parents or merge states of {largest.name!r} ({largest.cardinality} states)"
                )
        self.check_together(TOTAL_LIMIT)

    def check_together(self, most: int) -> None:
        """Refuse tables that have more cells together, with what to merge."""
        sizes = [cells(family) for family in self.families]
        if sum(sizes) > most:
            *parents, child = self.families[sizes.index(max(sizes))]
            largest = max((*parents, child), key=lambda v: v.cardinality)
            drop = f"drop parents of {child.name!r} or " if parents else ""
            raise EquipoiseError(
                f"the tables have {sum(sizes):,} cells together; at most {most:,} are allowed, so "
                f"{drop}merge states of {largest.name!r} ({largest.cardinality} states)"
            )

    def _check_parents(self) -> None:
        if len(self.parents) != len(self.variables):
            raise EquipoiseError(
                f"{len(self.variables)} variables but {len(self.parents)} parent lists; "
                "give one list per variable"
            )
        for name, parents in zip(self.names, self.parents, strict=True):
            for parent in parents:
                if parent not in self.position:
                    raise EquipoiseError(
                        f"{name!r} has the parent {parent!r}, which is not a variable of the "
                        "network; add it or correct the edge"
                    )
            if len(set(parents)) < len(parents):
                raise EquipoiseError(f"{name!r} lists a parent twice; remove the repetition")

    @cached_property
    def _hash(self) -> int:
        return hash((self.variables, self.parents, self.known))

    def __hash__(self) -> int:
        return self._hash  # networks are cache keys; hashing every state name each time is slow

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Variable names, in order."""
        return tuple(v.name for v in self.variables)

    @cached_property
    def position(self) -> dict[str, int]:
        """Index of each variable."""
        return {name: i for i, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Index of a variable, refusing an unknown name."""
        if name not in self.position:
            raise EquipoiseError(
                f"no variable {name!r} in the network; it has {', '.join(self.names[:6])}"
                + (", ..." if len(self.names) > 6 else "")
            )
        return self.position[name]

    @cached_property
    def parent_indices(self) -> tuple[tuple[int, ...], ...]:
        """Indices of each variable's parents, in order."""
        return tuple(tuple(self.position[p] for p in parents) for parents in self.parents)

    @cached_property
    def scopes(self) -> tuple[tuple[int, ...], ...]:
        """For each variable with a table, the indices of its parents and then its own."""
        tabled = self.parent_indices[: len(self.variables) - self.known]
        return tuple((*parents, i) for i, parents in enumerate(tabled))

    @cached_property
    def families(self) -> tuple[tuple[Variable, ...], ...]:
        """For each variable with a table, its parents and then itself."""
        return tuple(tuple(self.variables[j] for j in scope) for scope in self.scopes)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Indices of each variable's children."""
        children_of: list[list[int]] = [[] for _ in self.variables]
        for child, parents in enumerate(self.parent_indices):
            for parent in parents:
                children_of[parent].append(child)
        return tuple(tuple(c) for c in children_of)

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) pairs, grouped by child."""
        return tuple(
            (parent, name)
            for name, parents in zip(self.names, self.parents, strict=True)
            for parent in parents
        )

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Topological order of indices; among free variables the earliest comes first."""
        waiting = [len(p) for p in self.parents]
        ready = [i for i, count in enumerate(waiting) if count == 0]
        heapq.heapify(ready)
        ordered: list[int] = []
        while ready:
            node = heapq.heappop(ready)
            ordered.append(node)
            for child in self.children[node]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    heapq.heappush(ready, child)
        return tuple(ordered)

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """Length of the longest directed path from each variable to a leaf."""
        height = [0] * len(self.variables)
        for node in reversed(self.order):
            height[node] = max((height[c] + 1 for c in self.children[node]), default=0)
        return tuple(height)

    @cached_property
    def complexities(self) -> tuple[int, ...]:
        """Free parameters of each conditional: rows times (states - 1); none of a known one."""
        own = tuple(cells(f[:-1]) * (f[-1].cardinality - 1) for f in self.families)
        return own + (0,) * self.known

    @property
    def complexity(self) -> int:
        """C(G), the number of free parameters. Source: Murakonda et al. 2021, section 3."""
        return sum(self.complexities)

    @cached_property
    def layout(self) -> Layout:
        """Where each family lies in one flat array."""
        return Layout(tuple(tuple(v.cardinality for v in f) for f in self.families))

    def without_tables(self, names: Iterable[str]) -> Network:
        """The same graph, these variables last and without tables: their conditionals are known."""
        last = {self.index(name) for name in names}
        if len(last) == len(self.variables):
            raise EquipoiseError(
                "every table is stated as known, so no record is needed and nothing is measured; "
                "leave at least one to be measured"
            )
        order = sorted(range(len(self.variables)), key=lambda i: i in last)
        return Network(
            tuple(self.variables[i] for i in order),
            tuple(self.parents[i] for i in order),
            len(last),
        )

    def with_edge(self, parent: str, child: str) -> Network:
        """The same network with one edge more; a cycle is refused."""
        position = self.index(child)
        self.index(parent)
        if parent in self.parents[position]:
            raise EquipoiseError(f"the edge {brief(parent)} -> {brief(child)} is already there")
        return self._with_parents(position, (*self.parents[position], parent))

    def without_edge(self, parent: str, child: str) -> Network:
        """The same network with one edge less."""
        position = self.index(child)
        if parent not in self.parents[position]:
            raise EquipoiseError(f"there is no edge {brief(parent)} -> {brief(child)} to remove")
        kept = tuple(p for p in self.parents[position] if p != parent)
        return self._with_parents(position, kept)

    def _with_parents(self, position: int, parents: tuple[str, ...]) -> Network:
        changed = (*self.parents[:position], parents, *self.parents[position + 1 :])
        return Network(self.variables, changed)


def find_cycle(names: Iterable[str], parents: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """A directed cycle as names, first repeated at the end; empty when there is none."""
    above = dict(zip(names, parents, strict=True))
    done: set[str] = set()
    for start in above:
        path: list[str] = []
        on_path: set[str] = set()
        stack = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                on_path.discard(path.pop())
                done.add(name)
            elif name in on_path:  # walked from child to parent, so the path reads backwards
                loop = path[path.index(name) :]
                return (name, *reversed(loop))
            elif name not in done:
                path.append(name)
                on_path.add(name)
                stack.append((name, True))
                stack.extend((parent, False) for parent in above.get(name, ()))
    return ()
