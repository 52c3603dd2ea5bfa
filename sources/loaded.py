"""What a network file gives: a network with or without numbers, or only its edges."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import EquipoiseError, brief
from core.network import Network
from core.parameters import ROW_TOLERANCE, Model
from core.table import Array, Variable
from sources.text import listed


@dataclass(frozen=True)
class Loaded:
    """A network from a file; ``model`` is None where the file gives no probabilities."""

    name: str
    network: Network
    model: Model | None
    source: str


@dataclass(frozen=True)
class EdgeList:
    """Edges over names whose states the file does not give; acyclic, checked when made."""

    names: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    name: str = "edges"

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "edges", tuple(self.edges))
        for parent, child in self.edges:
            if parent not in self._position or child not in self._position:
                raise EquipoiseError(
                    f"the edge {brief(parent)} -> {brief(child)} joins a name that is not listed; "
                    "add it"
                )
        # the network's own checks apply; one state stands in for those that are not known yet
        Network(tuple(Variable(name, ("?",)) for name in self.names), self.parents)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    @cached_property
    def parents(self) -> tuple[tuple[str, ...], ...]:
        """Parents of each name, in the order of the edges."""
        parents_of: list[list[str]] = [[] for _ in self.names]
        for parent, child in self.edges:
            parents_of[self._position[child]].append(parent)
        return tuple(map(tuple, parents_of))


def with_domain(structure: EdgeList, variables: Iterable[Variable]) -> Network:
    """The network with these edges over these variables; variables it does not name are left out.

    A name without states is refused: states are public facts that a schema gives.
    """
    known = {variable.name: variable for variable in variables}
    unknown = tuple(name for name in structure.names if name not in known)
    if unknown:
        raise EquipoiseError(
            f"{structure.name} names {listed(unknown)}, for which no states are known; add "
            f"{'it' if len(unknown) == 1 else 'them'} to the schema or correct the edges"
        )
    return Network(tuple(known[name] for name in structure.names), structure.parents)


def with_states(network: Network, variables: Iterable[Variable]) -> Network:
    """The same graph over changed variables, for a domain that gained the state ``missing``."""
    changed = {variable.name: variable for variable in variables}
    return Network(tuple(changed[name] for name in network.names), network.parents)


def model_of(network: Network, rows: Sequence[Array], *, tolerance: float) -> Model:
    """A model from one array of rows per variable, last parent fastest.

    Rows within ``tolerance`` of one are rescaled first: some programs write few digits.
    """
    arrays = []
    for array, shape in zip(rows, network.layout.shapes, strict=True):
        with np.errstate(over="ignore"):  # a sum beyond a float is no one, and refused as such
            totals = array.sum(axis=-1, keepdims=True)
        off = np.abs(totals - 1)
        near = (off > ROW_TOLERANCE) & (off <= tolerance)
        arrays.append(np.where(near, array / np.where(near, totals, 1), array).reshape(shape))
    return Model.from_conditionals(network, arrays)
