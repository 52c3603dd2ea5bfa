"""What was understood of uploaded files, and everything that will be refused, before it is."""

import math
from dataclasses import dataclass

from core.errors import EquipoiseError
from core.network import Network
from core.table import Variable
from sources.examination import Coded, Examined, counted_notes, examine
from sources.loaded import EdgeList, Loaded, with_domain, with_states
from sources.schema import Schema
from sources.tables import infer_domain
from sources.text import Content
from sources.units import Unit


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
    """A table as it was understood; it can be used when ``problems`` is empty."""

    name: str
    records: int
    columns: tuple[ColumnPreview, ...]
    largest: tuple[str, int] | None
    """The variable whose family has the largest table, and that table's cells."""
    inferred: bool
    notes: tuple[str, ...]
    problems: tuple[str, ...]


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
    inferred = isinstance(graph, EdgeList) and schema is None
    try:
        network = network_for(name, data, graph, schema=schema)
        examined = examine(name, data, network.variables, schema=schema, missing=missing, unit=unit)
        widened = {column.variable.name: column.variable for column in examined.columns}
        network = with_states(network, (widened.get(v.name, v) for v in network.variables))
    except EquipoiseError as problem:
        return TablePreview(name, 0, (), None, inferred, (), (str(problem),))
    return TablePreview(
        name,
        examined.records,
        tuple(_column(column, examined, graph, schema) for column in examined.columns),
        _largest(network),
        inferred,
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


def _column(
    column: Coded, examined: Examined, graph: Loaded | EdgeList, schema: Schema | None
) -> ColumnPreview:
    own = column.variable.name
    problem = next((p.sentence for p in examined.problems if p.column == own), "")
    origin = "inferred"
    if isinstance(graph, Loaded):
        origin = "network"
    elif schema is not None:
        origin = "schema" if schema.by_name[own].public else "seen"
    states = column.variable.cardinality
    return ColumnPreview(own, states, column.distinct, column.missing, origin, problem)


def _largest(network: Network) -> tuple[str, int]:
    def cells(family: tuple[Variable, ...]) -> int:
        return math.prod(variable.cardinality for variable in family)

    family = max(network.families, key=cells)
    return family[-1].name, cells(family)
