"""Columns made from columns: bits of a code, coarser states, and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.counts import Rows
from core.dataset import Dataset, code_type
from core.errors import EquipoiseError
from core.packing import encode
from core.table import Variable, cells


@dataclass(frozen=True, eq=False)
class Derivation:
    """A variable that other variables determine.

    ``mapping[c]`` is its state where the sources' joint code is c, last source fastest. Public.
    """

    variable: Variable
    sources: tuple[Variable, ...]
    mapping: NDArray[np.intp]

    def __post_init__(self) -> None:
        mapping = np.array(self.mapping, dtype=np.intp)
        if mapping.shape != (cells(self.sources),):
            raise EquipoiseError(
                f"the derivation of {self.variable.name!r} gives {mapping.size} states for "
                f"{cells(self.sources)} settings of its sources; give one for each"
            )
        mapping.flags.writeable = False
        object.__setattr__(self, "mapping", mapping)


def derived(rows: Rows, derivations: Sequence[Derivation]) -> Rows:
    """The same records over the derived variables. Reads the private rows."""
    dataset = rows.dataset
    column = {v.name: j for j, v in enumerate(dataset.variables)}
    columns = []
    for derivation in derivations:
        read = [dataset.codes[:, column[v.name]] for v in derivation.sources]
        code = encode(read, [v.cardinality for v in derivation.sources], dataset.records)
        columns.append(derivation.mapping.take(code))
    variables = tuple(d.variable for d in derivations)
    codes = np.array(columns, dtype=code_type(variables))
    return Rows(Dataset(variables, codes.reshape(len(variables), dataset.records).T))


def halves(rows: Rows, share: float, *, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """The records in two random parts, the first with this share of them."""
    dataset = rows.dataset
    order = rng.permutation(dataset.records)
    first = round(share * dataset.records)
    return Rows(dataset.part(order[:first])), Rows(dataset.part(order[first:]))
