"""Questions to a model, checked and turned into positions and codes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.network import Network

Evidence = Mapping[str, str | Sequence[str]]
"""States of some variables; lists of equal length ask one question for each place in them."""


@dataclass(frozen=True)
class Query:
    """One question: the joint distribution of the targets, given states of other variables."""

    targets: tuple[str, ...]
    given: Mapping[str, str] = field(default_factory=dict)


class Observed(NamedTuple):
    """Evidence as positions and codes: ``states[i, k]`` is variable i's in question k."""

    variables: tuple[int, ...]
    states: NDArray[np.intp]
    batched: bool

    def refuse(self, network: Network, impossible: NDArray[np.bool_]) -> None:
        """Refuse when a question's evidence is impossible."""
        if impossible.any():
            codes = self.states[:, int(np.argmax(impossible))]
            refuse(network, zip(self.variables, codes.tolist(), strict=True))


def observe(network: Network, given: Evidence) -> Observed:
    """Evidence checked against the network, in the network's order of variables."""
    lengths = {name: len(s) for name, s in given.items() if not isinstance(s, str)}
    size = next(iter(lengths.values()), 1)
    for name, length in lengths.items():
        if length != size:
            first = next(iter(lengths))
            raise EquipoiseError(
                f"evidence lists {size} states of {first!r} but {length} of {name!r}; "
                "give lists of equal length"
            )
    observed: dict[int, list[int]] = {}
    for name, states in given.items():
        position = network.index(name)
        variable = network.variables[position]
        listed = [states] * size if isinstance(states, str) else states
        observed[position] = [variable.code(state) for state in listed]
    variables = tuple(sorted(observed))
    codes = np.array([observed[v] for v in variables], dtype=np.intp).reshape(len(variables), size)
    return Observed(variables, codes, bool(lengths))


def target_positions(
    network: Network, targets: Sequence[str], evidence: Sequence[int]
) -> tuple[int, ...]:
    """Positions of the targets, in the order asked; repeated or given ones are refused."""
    positions = tuple(network.index(name) for name in targets)
    for place, (name, position) in enumerate(zip(targets, positions, strict=True)):
        if position in positions[:place]:
            raise EquipoiseError(f"the target {name!r} is named twice; name each target once")
        if position in evidence:
            raise EquipoiseError(
                f"{name!r} is both a target and given; ask about a variable that is not given"
            )
    return positions


def refuse(network: Network, given: Iterable[tuple[int, int]]) -> NoReturn:
    """Refuse evidence of probability zero, as (variable, state) pairs."""
    listed = ", ".join(
        f"{network.names[v]}={network.variables[v].states[state]}" for v, state in given
    )
    raise EquipoiseError(
        f"the evidence {listed} has probability 0 in this model; give states that can occur"
    )
