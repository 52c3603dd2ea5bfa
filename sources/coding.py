"""What the distinct values of a column mean against a variable: a state, missing, or wrong."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.table import Variable
from sources.formulas import number_of, restored
from sources.schema import SchemaColumn
from sources.text import listed, shown

ABSENT = -1
"""Code of a missing value."""

WRONG = -2
"""Code of a value that is no state."""

MISSING_STATE = "missing"
"""State that stands for a missing value when that is the choice."""

_MISSING_WORDS = frozenset(("", "na", "nan", "null", "?"))


def is_missing(value: str | None) -> bool:
    """Whether a value is one of the spellings of nothing."""
    return value is None or value.casefold() in _MISSING_WORDS


def meanings(
    values: Sequence[str | None], variable: Variable, binned: SchemaColumn | None = None
) -> NDArray[np.int32]:
    """Code of each value: its state, ``ABSENT`` or ``WRONG``; numbers go to the bins given."""
    codes = variable.code_of
    if binned is None or not binned.edges:
        found = (
            ABSENT
            if v is None
            else codes.get(restored(v, codes), ABSENT if is_missing(v) else WRONG)
            for v in values
        )
    else:
        states = [codes.get(label, WRONG) for label in binned.variable.states]
        found = (ABSENT if is_missing(v) else _bin(v, binned.edges, states) for v in values)
    return np.fromiter(found, dtype=np.int32, count=len(values))


def _bin(value: str | None, edges: Sequence[float], states: Sequence[int]) -> int:
    number = number_of(value)
    if number is None or not edges[0] <= number <= edges[-1]:
        return WRONG
    return states[min(bisect.bisect_right(edges, number), len(states)) - 1]


def with_missing(variable: Variable) -> Variable:
    """The variable with the further state ``missing``, unless it has one."""
    if MISSING_STATE in variable.code_of:
        return variable
    return Variable(variable.name, (*variable.states, MISSING_STATE))


def reason(value: str | None, variable: Variable, binned: SchemaColumn | None = None) -> str:
    """Why a value is refused, and what to do."""
    if is_missing(value) and value not in variable.code_of:
        return "a value is missing; drop such rows or treat missing as a state"
    if binned is None or not binned.edges:
        return (
            f"{shown(value)} is not one of its states ({listed(variable.states)}); correct the "
            "value or add the state"
        )
    if number_of(value) is None:
        return f"{shown(value)} is not a number, and its schema has bins; correct the value"
    return (
        f"{shown(value)} is outside its bins, {binned.edges[0]:g} to {binned.edges[-1]:g}; widen "
        "them or correct the value"
    )
