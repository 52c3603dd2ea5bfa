"""Tables of records: a file to a dataset over a given domain, or a domain read off it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np

from core.dataset import Dataset, code_type
from core.errors import EquipoiseError
from core.table import Variable
from sources.examination import counted_notes, examine
from sources.opening import open_table
from sources.schema import Schema
from sources.seen import INFERRED_STATES, LONGEST, Seen, look
from sources.text import Content, listed, shown
from sources.units import Unit

INFERRED = (
    "The states were read off the records, which is not private: supply a schema before a release."
)


@dataclass(frozen=True)
class Read:
    """The records of a file; ``dropped`` rows had missing values, ``notes`` say what was done.

    ``guessed`` is what of its dialect the records decide.
    """

    dataset: Dataset
    dropped: int
    notes: tuple[str, ...]
    guessed: tuple[str, ...]

    @property
    def counted(self) -> tuple[str, ...]:
        """What the records say, in numbers: for the keeper of the data only."""
        return counted_notes(self.dataset.records + self.dropped, self.dropped)


class Manner(TypedDict, total=False):
    """How :func:`~sources.examination.examine` reads a file; what is not said is its default."""

    schema: Schema | None
    missing: str
    unit: Unit | None


def read_table(
    name: str, content: Content, domain: Sequence[Variable], **reading: Unpack[Manner]
) -> Read:
    """The records of a file as a dataset over ``domain``, in its order; a problem is raised.

    With ``missing="state"`` every variable of the dataset has the further state ``missing``,
    whether or not it occurs: a domain that followed the records would reveal something of them.
    With a ``unit`` nobody learns how many records were over its bound: ``dropped`` is zero.
    """
    examined = examine(name, content, domain, **reading)
    if examined.problems:
        raise EquipoiseError(examined.problems[0].sentence)
    dropped = 0 if reading.get("unit") else examined.dropped
    notes, guessed, kept, columns = (
        examined.notes, examined.guessed, examined.kept, list(examined.columns)
    )  # fmt: skip
    del examined  # each column goes as soon as it is in its place
    variables = tuple(column.variable for column in columns)
    codes = np.empty((int(kept.sum()), len(variables)), dtype=code_type(variables), order="F")
    for j in range(len(variables)):
        codes[:, j] = columns.pop(0).codes[kept]
    codes.flags.writeable = False
    return Read(Dataset(variables, codes), dropped, notes, guessed)


def infer_domain(
    name: str,
    content: Content,
    columns: Sequence[str] | None = None,
    *,
    stated: Mapping[str, Any] | None = None,
) -> tuple[Variable, ...]:
    """Variables whose states are the values that occur: not private, so whoever calls must say so.

    States are sorted, as numbers where all are numbers.
    """
    stream = open_table(name, content, columns, stated=stated)
    names = tuple(filter(None, stream.header)) if columns is None else tuple(columns)
    header = set(stream.header)
    for column in names:
        if column not in header:
            raise EquipoiseError(
                f"{name} has no column {shown(column)}; it has {listed(stream.header)}"
            )
    seen = look(stream, names)
    return tuple(_inferred(name, column, seen[column]) for column in names)


def _inferred(name: str, column: str, seen: Seen) -> Variable:
    if seen.long:
        raise EquipoiseError(
            f"{name}: column {shown(column)} has values of more than {LONGEST} characters, which "
            "are no states; supply a schema, or leave it out"
        )
    if not seen.values:
        raise EquipoiseError(f"{name}: column {shown(column)} has no values; supply a schema")
    if seen.many:
        raise EquipoiseError(
            f"{name}: column {shown(column)} has more than {INFERRED_STATES} distinct values, the "
            "most that are taken as states; supply a schema that gives it bins"
        )
    return Variable(column, seen.states)
