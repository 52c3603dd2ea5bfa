"""Dataset: the private rows, as small integer codes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.table import Variable

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


def code_type(variables: tuple[Variable, ...]) -> np.dtype[np.unsignedinteger]:
    """The smallest unsigned type that holds every state's code."""
    largest = max((v.cardinality for v in variables), default=1)
    return np.min_scalar_type(largest - 1)


@dataclass(frozen=True, eq=False)
class Dataset:
    """One row per person: ``codes[r, j]`` is the state of variable j in record r.

    Kept column by column in memory, because counting reads columns.
    """

    variables: tuple[Variable, ...]
    codes: Codes

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(self.variables))
        codes = np.asarray(self.codes)
        if codes.ndim != 2 or codes.shape[1] != len(self.variables):
            raise EquipoiseError(
                f"codes of shape {codes.shape} do not fit {len(self.variables)} variables; "
                "give one column per variable"
            )
        for j, variable in enumerate(self.variables):
            column = codes[:, j]
            if len(column) and not 0 <= int(column.min()) <= int(column.max()) < len(
                variable.states
            ):
                raise EquipoiseError(
                    f"column {variable.name!r} holds a code outside 0 to "
                    f"{variable.cardinality - 1}; every value must be one of the stated states"
                )
        kind = code_type(self.variables)
        owned = codes.flags.owndata and not codes.flags.writeable and codes.flags.f_contiguous
        if not (owned and codes.dtype == kind):  # millions of records are not copied once more
            codes = np.array(codes, dtype=kind, order="F")
            codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return (Dataset, (self.variables, self.codes))

    @property
    def records(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[0])

    def part(self, rows: NDArray[np.intp] | slice) -> Dataset:
        """Some of the rows, in this order."""
        return Dataset(self.variables, self.codes[rows])

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of variables, states and every code: equal exactly for equal data."""
        digest = hashlib.sha256(repr((self.variables, self.codes.shape)).encode())
        digest.update(np.ascontiguousarray(self.codes.T).tobytes())
        return digest.hexdigest()
