"""Engines that hold rows: DuckDB in this process, PostgreSQL, Spark; opened late, closed on error.

Ibis writes the statement, the engine's own driver runs it. What an engine says when it fails may
hold values or a password, so none of it is repeated: the kind of problem is said, and what to do.
"""

import contextlib
import importlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from core.errors import EquipoiseError
from core.parallel import cores
from sources.watch import Watch

Ibis = Any
"""An expression or a backend of Ibis, a module of an engine, a value: these have no types."""

BATCH = 2**16
"""Rows of a batch: many enough that calls cost nothing, few enough to stay in a cache."""

MEMORY = "640MB"
"""What DuckDB may keep in memory; the rest is spilled to its folder for temporary files."""

SPILL = "EQUIPOISE_SPILL"
"""Environment variable: the folder for DuckDB's temporary files, and how many bytes they may take
(``/scratch:20GB``)."""


class Late:
    """A module that not everybody needs: imported when it is first used, or one sentence."""

    def __init__(self, module: str, package: str) -> None:
        self._module, self._package = module, package

    def __getattr__(self, name: str) -> Ibis:
        try:
            module = importlib.import_module(self._module)
        except ImportError:
            raise EquipoiseError(
                f"this connection needs the package {self._package}, which is not installed; run "
                f"pip install {self._package}"
            ) from None
        return getattr(module, name)


ibis = Late("ibis", "ibis-framework")
ibis_errors = Late("ibis.common.exceptions", "ibis-framework")
duckdb = Late("duckdb", "duckdb")
psycopg = Late("psycopg", "psycopg[binary]")
spark = Late("pyspark.sql", "pyspark==4.0.5")
spark_errors = Late("pyspark.errors", "pyspark==4.0.5")
py4j = Late("py4j.protocol", "pyspark==4.0.5")


@dataclass(eq=False)
class Engine:
    """A table in an engine; the connection is opened by the first question and after a failure."""

    address: str = field(repr=False)
    table: str
    name: str
    watch: Watch = field(default_factory=Watch, repr=False)
    _backend: Ibis = field(default=None, repr=False)
    _rows: Ibis = field(default=None, repr=False)
    dialect: ClassVar[str] = ""

    def connect(self) -> Ibis:
        """An Ibis backend."""
        raise NotImplementedError

    def rows_of(self, backend: Ibis) -> Ibis:
        """The table as an expression."""
        database, _, table = self.table.rpartition(".")
        return backend.table(table, database=database or None)

    def fetch(self, backend: Ibis, statement: str) -> list[tuple[Ibis, ...]]:
        """The rows that a statement answers."""
        raise NotImplementedError

    def problems(self) -> tuple[type[Exception], ...]:
        """What the engine raises."""
        return (OSError,)

    def expression(self) -> Ibis:
        """The table, after connecting."""
        with self.refusing("could not be opened"):
            if self._backend is None:
                self._backend = self.connect()
                self._rows = self.rows_of(self._backend)
            return self._rows

    def ask(self, expression: Ibis) -> list[tuple[Ibis, ...]]:
        """What the engine answers to one statement."""
        backend = self._backend
        with self.refusing("could not be counted"):
            statement = str(backend.compile(expression))
            with self.watch.interrupting(lambda: self.interrupt(backend)):
                return self.fetch(backend, statement)

    def interrupt(self, backend: Ibis) -> None:
        """End the statement under way, from another thread; an engine that cannot goes on."""

    @contextlib.contextmanager
    def refusing(self, what: str) -> Iterator[None]:
        """One sentence for whatever the engine raises; the connection is let go."""
        try:
            yield
        except (*self.problems(), ibis_errors.IbisError, ibis_errors.TableNotFound) as problem:
            self.close()
            self.watch.check()
            raise EquipoiseError(
                f"{self.name} {what} ({type(problem).__name__}); nothing was used: "
                f"{self.advice(problem)}"
            ) from None

    def advice(self, problem: Exception) -> str:
        """What to do about it."""
        return "check the address, the table and the rights, and try again"

    def close(self) -> None:
        """Let the connection go."""
        backend, self._backend = self._backend, None
        if backend is not None:
            with contextlib.suppress(*self.problems()):
                backend.disconnect()


@dataclass(eq=False)
class DuckDB(Engine):
    """A DuckDB file, or CSV and Parquet files that DuckDB reads; in this process.

    ``reading`` are options for CSV files: they are read as texts.
    """

    reading: dict[str, Ibis] = field(default_factory=dict)
    memory: str = MEMORY
    _tidy: Ibis = field(default=None, repr=False)
    dialect: ClassVar[str] = "duckdb"

    def connect(self) -> Ibis:
        """A database in memory, or the file, which is not written to.

        DuckDB 2.0 forgets NaN where it goes by a Parquet file's least and largest value: a NaN
        beside the number 3 was counted as 3. So it does not go by them.
        """
        folder, _, most = os.environ.get(SPILL, "").partition(":")
        spill = tempfile.mkdtemp(prefix="equipoise-", dir=folder or None)
        self._tidy = weakref.finalize(self, shutil.rmtree, spill, True)
        options: dict[str, Ibis] = {
            "threads": cores(),
            "memory_limit": self.memory,
            "temp_directory": spill,
            "preserve_insertion_order": False,
            "disabled_optimizers": "statistics_propagation",
        }
        if most:
            options["max_temp_directory_size"] = most
        if self.table:
            if not Path(self.address).is_file():
                raise FileNotFoundError
            options["read_only"] = True
        return ibis.duckdb.connect(self.address if self.table else ":memory:", **options)

    def rows_of(self, backend: Ibis) -> Ibis:
        """A table, or files as one."""
        if self.table:
            return super().rows_of(backend)
        if self.reading:
            return backend.read_csv(self.address, all_varchar=True, **self.reading)
        return backend.read_parquet(self.address)

    def fetch(self, backend: Ibis, statement: str) -> list[tuple[Ibis, ...]]:
        """All of them: they are counts."""
        return list(backend.con.execute(statement).fetchall())

    def interrupt(self, backend: Ibis) -> None:
        """It looks between two pieces of work."""
        backend.con.interrupt()

    def stream(self, expression: Ibis) -> Iterator[pa.RecordBatch]:
        """The rows that a statement answers, some at a time, inside this process."""
        with self.refusing("could not be counted"):
            statement = str(self._backend.compile(expression))
            yield from self._backend.con.sql(statement).to_arrow_reader(BATCH)

    def problems(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (OSError, duckdb.Error)

    def advice(self, problem: Exception) -> str:
        """What to do about it; a full disk has a remedy of its own."""
        if "OutOfMemory" in type(problem).__name__ or "space" in str(problem):
            return (
                f"there was no room for its temporary files; name a folder with more in {SPILL} "
                "and try again"
            )
        return super().advice(problem)

    def close(self) -> None:
        """Let the connection go, and what it spilled."""
        super().close()
        if self._tidy is not None:
            self._tidy()


@dataclass(eq=False)
class Postgres(Engine):
    """A table of a PostgreSQL server; one statement is one snapshot of it."""

    dialect: ClassVar[str] = "postgres"

    def connect(self) -> Ibis:
        """A connection that may only read."""
        link = psycopg.connect(
            self.address, connect_timeout=20, application_name="equipoise",
            options="-c timezone=UTC -c default_transaction_read_only=on",
        )  # fmt: skip
        weakref.finalize(self, link.close)
        return ibis.postgres.from_connection(link)

    def fetch(self, backend: Ibis, statement: str) -> list[tuple[Ibis, ...]]:
        """All of them: they are counts."""
        with backend.con.transaction(), backend.con.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    def interrupt(self, backend: Ibis) -> None:
        """Asks the server to."""
        backend.con.cancel_safe(timeout=5)

    def problems(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (OSError, psycopg.Error)


@dataclass(eq=False)
class Spark(Engine):
    """A table of a Spark catalogue, or Parquet files that its workers read."""

    files: str = field(default="", repr=False)
    dialect: ClassVar[str] = "pyspark"

    def connect(self) -> Ibis:
        """A session of the cluster, shared with others of this process."""
        session = (
            spark.SparkSession.builder.master(self.address)
            .appName("equipoise")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.log.level", "ERROR")
            .getOrCreate()
        )
        return ibis.pyspark.connect(session)

    def rows_of(self, backend: Ibis) -> Ibis:
        """A table, or files as one."""
        return backend.read_parquet(self.files) if self.files else super().rows_of(backend)

    def fetch(self, backend: Ibis, statement: str) -> list[tuple[Ibis, ...]]:
        """All of them: they are counts."""
        return [tuple(row) for row in backend._session.sql(statement).collect()]

    def problems(self) -> tuple[type[Exception], ...]:
        """What Spark and its bridge to Java raise."""
        return (OSError, spark_errors.PySparkException, py4j.Py4JError)
