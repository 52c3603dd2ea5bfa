"""Tables of records over a given domain: as a dataset, as a preview; or a domain read off one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.dataset import Dataset, code_type
from core.errors import EquipoiseError
from core.network import Network
from core.table import Variable, cells
from sources.examination import counted_notes, examine
from sources.loaded import EdgeList, Loaded, with_domain, with_states
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


@dataclass(frozen=True)
class ColumnPreview:
    """One column; ``origin`` of its states is network, schema, seen or inferred.

    Seen states stand in a schema that nobody has confirmed. ``problem`` may be "".

    ``distinct`` counts the values that occur, missing ones aside. Both counts come from the private
    rows: they are for the keeper of the data only.
    """

    name: str
    states: int
    distinct: int
    missing: int
    origin: str
    problem: str


@dataclass(frozen=True)
class TablePreview:
    """A table as it was understood, and everything that will be refused, before it is.

    It can be used when ``problems`` is empty. ``largest`` is the variable whose family has the
    largest table, and that table's cells.
    """

    records: int
    columns: tuple[ColumnPreview, ...]
    largest: tuple[str, int] | None
    notes: tuple[str, ...]
    problems: tuple[str, ...]


def read_table(
    name: str,
    content: Content,
    domain: Sequence[Variable],
    *,
    schema: Schema | None = None,
    missing: str = "refuse",
    unit: Unit | None = None,
) -> Read:
    """The records of a file as a dataset over ``domain``, in its order; a problem is raised.

    With ``missing="state"`` every variable of the dataset has the further state ``missing``,
    whether or not it occurs: a domain that followed the records would reveal something of them.
    With a ``unit`` nobody learns how many records were over its bound: ``dropped`` is zero.
    """
    examined = examine(name, content, domain, schema=schema, missing=missing, unit=unit)
    if examined.problems:
        raise EquipoiseError(examined.problems[0].sentence)
    dropped = 0 if unit else examined.dropped
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


def preview(
    name: str,
    data: Content,
    graph: Loaded | EdgeList,
    *,
    schema: Schema | None = None,
    missing: str = "refuse",
    unit: Unit | None = None,
) -> TablePreview:
    """What a table holds against a network file; nothing is raised, every problem is listed."""
    try:
        network = network_for(name, data, graph, schema=schema)
        examined = examine(name, data, network.variables, schema=schema, missing=missing, unit=unit)
        widened = {column.variable.name: column.variable for column in examined.columns}
        network = with_states(network, (widened.get(v.name, v) for v in network.variables))
    except EquipoiseError as problem:
        return TablePreview(0, (), None, (), (str(problem),))
    said = {p.column: p.sentence for p in reversed(examined.problems)}
    columns = []
    for one in examined.columns:
        own = one.variable.name
        origin = "network" if isinstance(graph, Loaded) else "inferred"
        if schema is not None and origin == "inferred":
            origin = "schema" if schema.by_name[own].public else "seen"
        counts = own, one.variable.cardinality, one.distinct, one.missing
        columns.append(ColumnPreview(*counts, origin, said.get(own, "")))
    family = max(network.families, key=cells)
    return TablePreview(
        examined.records,
        tuple(columns),
        (family[-1].name, cells(family)),
        (*examined.notes, *counted_notes(examined.records, examined.dropped)),
        tuple(problem.sentence for problem in examined.problems),
    )


def network_for(
    name: str, data: Content, graph: Loaded | EdgeList, *, schema: Schema | None = None
) -> Network:
    """The network of a file; states that it lacks come from the schema, or else from the rows."""
    if isinstance(graph, Loaded):
        return graph.network
    if schema is not None:
        return with_domain(graph, schema.variables)
    return with_domain(graph, infer_domain(name, data, graph.names))


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
