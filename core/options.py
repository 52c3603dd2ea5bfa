"""Options: what a person may ask of every method beyond the three knobs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.errors import EquipoiseError, repeated
from core.knowledge import PublicTable, fitting
from core.network import Network
from core.privacy import check_fraction
from core.table import Array

Named = tuple[tuple[str, float], ...]
"""Numbers for some variables, by name."""


PRIOR_LIMIT = 1e12
"""Records that every cell may be given: beyond, nothing of any table is left."""

WEIGHT_LIMIT = 1e12
"""Weights whose shares a double still adds up, either way."""


@dataclass(frozen=True)
class Options:
    """A public prior, locked shares of the budget, importance of variables, and δ.

    ``prior`` is a Dirichlet pseudo-count added to every cell of every row before normalising.
    ``floors`` lock variables: each gets at least that share of the budget of the released tables,
    the others share the rest in their own proportions. ``weights`` say how much a variable's
    error matters; one where not named. ``delta`` is the δ of methods whose guarantee is (ε, δ).
    ``known`` are conditionals that nobody has to measure, ``possible`` marks by one and zero the
    cells of a family that can and cannot occur.
    All are public: none may be read off the records.
    """

    prior: float = 0.0
    floors: Named = ()
    weights: Named = ()
    delta: float = 1e-6
    known: tuple[PublicTable, ...] = ()
    possible: tuple[PublicTable, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.prior <= PRIOR_LIMIT:
            least = f"zero or positive, at most {PRIOR_LIMIT:g}"
            raise EquipoiseError(f"the prior is {self.prior:g}; it must be {least}")
        check_fraction("delta", self.delta)
        for what in ("floors", "weights"):
            named = tuple((str(name), float(value)) for name, value in getattr(self, what))
            object.__setattr__(self, what, named)
            names = [name for name, _ in named]
            if len(set(names)) < len(names):
                twice = repeated(names)
                raise EquipoiseError(f"the {what} name {twice!r} twice; name each variable once")
        for name, value in self.floors:
            check_fraction(f"the floor of {name!r}", value)
        locked = math.fsum(value for _, value in self.floors)
        if locked >= 1:
            raise EquipoiseError(f"these locks ask for {100 * locked:g} %; keep them under 100 %")
        for name, value in self.weights:
            if not 1 / WEIGHT_LIMIT <= value <= WEIGHT_LIMIT:
                raise EquipoiseError(
                    f"the weight of {name!r} is {value:g}; it must be positive, from "
                    f"{1 / WEIGHT_LIMIT:g} to {WEIGHT_LIMIT:g}"
                )
        self._check_stated()

    def _check_stated(self) -> None:
        stated = [one.name for one in (*self.known, *self.possible)]
        known = {one.checked_rows().name for one in self.known}
        for one in self.possible:
            one.checked_support()
        if len(set(stated)) < len(stated):
            twice = next(n for n in stated if stated.count(n) > 1)
            raise EquipoiseError(f"the table of {twice!r} is stated twice; state each table once")
        for what, named in (("a floor", self.floors), ("a weight", self.weights)):
            for name, _ in named:
                if name in known:
                    raise EquipoiseError(
                        f"{name!r} is stated as known and has {what}; a known table takes no "
                        f"budget, so remove {what} or measure the table"
                    )

    @property
    def informed(self) -> bool:
        """Whether anything is stated about tables."""
        return bool(self.known or self.possible)

    @property
    def uninformed(self) -> Options:
        """The same with nothing stated."""
        return replace(self, known=(), possible=())

    def floors_of(self, network: Network) -> Array:
        """Smallest share of each variable, zero where none is asked for."""
        return _spread(network, self.floors, 0.0)

    def weights_of(self, network: Network) -> Array:
        """Importance of each variable, one where none is given."""
        return _spread(network, self.weights, 1.0)

    def within(self, network: Network) -> Options:
        """The same without variables that the network does not have."""
        known = network.position
        return replace(
            self,
            floors=tuple((name, share) for name, share in self.floors if name in known),
            weights=tuple((name, weight) for name, weight in self.weights if name in known),
            known=fitting(self.known, network),
            possible=fitting(self.possible, network),
        )


PLAIN = Options()
"""Nothing asked for."""


def _spread(network: Network, named: Named, rest: float) -> Array:
    values = np.full(len(network.families), rest)
    for name, value in named:
        values[network.index(name)] = value
    return values


def lifted(parts: Array, floors: Array) -> Array:
    """Parts with the same sum, each at least its floor (a share of the sum).

    Parts below their floor are raised to it and the others shrunk in proportion, again until none
    is below. Leading axes are replicates.

    >>> lifted(np.array([1.0, 1.0, 2.0]), np.array([0.5, 0.0, 0.0]))
    array([2.        , 0.66666667, 1.33333333])
    """
    if not floors.any():
        return parts
    total = parts.sum(axis=-1, keepdims=True)
    least = floors * total
    held = parts < least
    while True:
        free = total - np.where(held, least, 0).sum(axis=-1, keepdims=True)
        raised = np.where(
            held, least, parts * (free / np.where(held, 0, parts).sum(axis=-1, keepdims=True))
        )
        below = ~held & (raised < least)
        if not below.any():
            return np.asarray(raised)
        held |= below
