"""A study of a table that stays where it is: counts come from there, rows do not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.errors import EquipoiseError
from core.packing import PACKED_CELLS
from core.table import Variable
from sources.columns import Stream
from sources.csv_rows import open_csv
from sources.dialect import TYPED, Dialect, unstated
from sources.elsewhere import Elsewhere, RowsAsked
from sources.engines import DuckDB, Engine, Postgres, Spark
from sources.examination import coded_by, lacking
from sources.loaded import Loaded, with_domain, with_states
from sources.parquet_folder import Folder
from sources.places import TablePlace, matching, parquet_files
from sources.schema import Schema, read_schema
from sources.study import File, Study, described, graph_for
from sources.units import Unit
from sources.warehouse import Warehouse
from sources.watch import Watch

STATES = (
    "states are not read off a connection, because that is not private; supply a schema, or a "
    "network file with states"
)

TRAPS = (
    "Statements hold column and state names and stay in the engine's query log; its result cache "
    "and temporary tables can keep exact counts. Ask its keeper to switch these off or to treat "
    "them as private."
)
"""What a connection leaves behind, for whoever connects."""


def connected_study(  # noqa: PLR0913 - what, where, how much, who waits
    name: str | None,
    dag: File | None,
    *,
    place: TablePlace,
    schema: File | None,
    missing: str,
    unit: Unit | None = None,
    limit: int = PACKED_CELLS,
    watch: Watch | None = None,
) -> Study:
    """Counts of a table elsewhere, against the states that the network or the schema declares."""
    columns = None if schema is None else read_schema(*schema)
    loaded = graph_for(name, dag, place.name, columns)
    if isinstance(loaded, Loaded):
        network = loaded.network
    elif columns is not None:
        network = with_domain(loaded, columns.variables)
    else:
        raise EquipoiseError(f"{loaded.name} gives no states, and {STATES}")
    asked = (network.variables, columns, missing, unit)
    source, guessed = _source(place, *asked, limit, watch or Watch())
    source.open(with_states(network, source.variables).families)
    study = described(
        source, network, loaded, columns, (name, dag), "env:CONNECTION", missing=missing, unit=unit
    )
    return replace(study, notes=(TRAPS,), guessed=guessed)


def _source(
    place: TablePlace,
    domain: Sequence[Variable],
    schema: Schema | None,
    missing: str,
    unit: Unit | None,
    limit: int,
    watch: Watch,
) -> tuple[Elsewhere, tuple[str, ...]]:
    """The table, its columns checked against the domain, and what its records decide of reading."""
    stated = schema.file if schema else {}
    dialect = Dialect.of(stated, TYPED)
    if place.kind == "folder":
        files = parquet_files(place)
        folder = Folder(place.name, place.identity, RowsAsked(()), limit, watch, files=files)
        header: tuple[str, ...] = folder.header().header
        source: Elsewhere = folder
    else:
        engine, dialect = _engine(place, stated, dialect, [v.name for v in domain])
        engine.watch = watch
        header = tuple(engine.expression().columns)
        source = Warehouse(place.name, place.identity, RowsAsked(()), limit, watch, engine=engine)
    if problems := lacking(place.name, header, domain, schema, unit):
        raise EquipoiseError(problems[0].sentence)
    source.asked = RowsAsked(coded_by(domain, schema, dialect, missing), unit)
    return source, unstated(dialect, stated)


def _engine(
    place: TablePlace, stated: dict[str, Any], dialect: Dialect, wanted: Sequence[str]
) -> tuple[Engine, Dialect]:
    if place.kind == "postgresql":
        return Postgres(place.address, place.table, place.name), dialect
    if place.kind == "spark":
        parts = place.identity.split()
        files = "" if place.table else place.address
        return Spark(f"spark://{parts[1]}", place.table, place.name, files=files), dialect
    if place.table or place.path.suffix.lower() == ".parquet":
        return DuckDB(place.address, place.table, place.name), dialect
    stream = _first(place, stated, wanted)
    own = stream.dialect
    reading = {
        "delim": own.delimiter, "quote": '"', "escape": '"', "header": own.header,
        "encoding": own.encoding,
        "force_not_null": list(stream.header), "auto_detect": False, "strict_mode": True,
        "columns": dict.fromkeys(stream.header, "VARCHAR"),
    }  # fmt: skip
    return DuckDB(place.address, "", place.name, reading=reading), own


def _first(place: TablePlace, stated: dict[str, Any], wanted: Sequence[str]) -> Stream:
    """The first file, whose dialect is that of all."""
    files = matching(place)
    if not files:
        raise EquipoiseError(f"{place.name} holds no file; name CSV or Parquet files")
    return open_csv(files[0].name, files[0], set(wanted), stated)
