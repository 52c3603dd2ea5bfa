"""PostgreSQL and Spark, started here, count what memory counts; a lost connection is one sentence.

One server for all tests of the file; the password of the address must never be seen again.
"""

import contextlib
import logging
import subprocess

import numpy as np
import pytest

from core.errors import EquipoiseError
from sources.engines import Spark
from sources.units import Unit
from tests.servers import postgres, spark
from tests.unit.sources.test_warehouse import (
    SCHEMA,
    TRIPLES,
    addresses,
    assert_same,
    connected,
    in_memory,
    pairs,
    table_of,
    triples,
    written,
)

PASSWORD = "hunter2secret"
DECLARED = {
    "string": "text", "int64": "bigint", "double": "double precision", "date32[day]": "date",
    "bool": "boolean", "decimal128(8, 3)": "numeric(8,3)",
}  # fmt: skip

pytestmark = pytest.mark.xdist_group("servers")


@pytest.fixture(scope="module")
def server():
    with postgres(PASSWORD) as address:
        yield address


def filled(address, name, table):
    psycopg = pytest.importorskip("psycopg")
    columns = ", ".join(f'"{f.name}" {DECLARED[str(f.type)]}' for f in table.schema)
    with psycopg.connect(address) as own:
        own.execute(f"drop table if exists {name}")
        own.execute(f"create table {name} ({columns})")
        marks = ", ".join(["%s"] * table.num_columns)
        rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
        own.cursor().executemany(f"insert into {name} values ({marks})", rows)
    return f"{address}?table={name}"


def every_cell(count=120):
    """Rows over every kind of cell that the property test draws."""
    from tests.unit.sources.test_warehouse import CELLS

    rng = np.random.default_rng(5)
    chosen = {k: drawn(strategy) for k, (_, strategy) in CELLS.items()}
    return [{k: v[rng.integers(len(v))] for k, v in chosen.items()} for _ in range(count)]


def drawn(strategy):
    """What a strategy chooses from."""
    inner = getattr(strategy, "wrapped_strategy", strategy)
    if hasattr(inner, "elements"):
        return list(inner.elements)
    parts = [getattr(s, "wrapped_strategy", s) for s in inner.original_strategies]
    return [None, *(one for part in parts for one in getattr(part, "elements", ()))]


def test_postgresql_counts_what_memory_counts(server):
    table = table_of(every_cell())
    source = connected(filled(server, "every", table), limit=2**20).people
    assert_same(source, in_memory(table))


def test_a_bound_keeps_the_same_records_in_every_engine(server, tmp_path):
    table = triples(300, owner=[f"p{at % 80}" for at in range(300)])
    unit = Unit("owner", 2, b"key")
    there = connected(filled(server, "owned", table), TRIPLES, unit=unit).people
    here = connected(addresses(tmp_path, table)[0], TRIPLES, unit=unit).people
    for one, other in zip(there.counts([there.variables]), here.counts([here.variables]),
                          strict=True):  # fmt: skip
        np.testing.assert_array_equal(one.values, other.values)


def test_leverages_come_from_the_server(server, tmp_path):
    from core.network import Network

    table = triples(200)
    there = connected(filled(server, "levers", table), TRIPLES).people
    here = connected(addresses(tmp_path, table)[1], TRIPLES).people
    network = Network(there.variables, ((), ("x",), ("x", "y")))
    one, other = there.support(network), here.support(network)
    assert one.rarest == other.rarest
    assert one.most == pytest.approx(other.most, rel=1e-12)
    np.testing.assert_allclose(one.leverages, other.leverages, rtol=1e-12)


def test_a_dropped_connection_is_one_sentence_and_a_retry_succeeds(server):
    psycopg = pytest.importorskip("psycopg")
    table = triples()
    source = connected(filled(server, "dropped", table), TRIPLES, limit=3).people
    with psycopg.connect(server, autocommit=True) as own:
        own.execute("select pg_terminate_backend(pid) from pg_stat_activity "
                    "where application_name = 'equipoise'")  # fmt: skip
    wanted = pairs(source.variables)
    with pytest.raises(EquipoiseError) as lost:
        source.counts(wanted)
    assert "PostgreSQL dropped could not be counted" in str(lost.value)
    assert PASSWORD not in str(lost.value)
    memory = in_memory(table, TRIPLES)
    for one, other in zip(source.counts(wanted), memory.counts(wanted), strict=True):
        np.testing.assert_array_equal(one.values, other.values)


def test_rows_that_come_while_counting_are_refused(server):
    psycopg = pytest.importorskip("psycopg")
    source = connected(filled(server, "growing", triples()), TRIPLES, limit=3).people
    with psycopg.connect(server) as own:
        own.execute("insert into growing values ('a', 'b', 'c')")
    with pytest.raises(EquipoiseError, match="changed while it was counted"):
        source.counts(pairs(source.variables))


def test_a_password_is_never_seen_again(server, caplog):
    address = filled(server, "quiet", triples())
    caplog.set_level(logging.DEBUG)
    said = []
    for broken in (
        address.replace("?table=quiet", "?table=nowhere"),
        address.replace(PASSWORD, PASSWORD + "x"),
        address.replace("127.0.0.1", "127.0.0.1:bad"),
        address.replace("?table=quiet", ""),
        address.replace("?table=quiet", "?table=quiet&sslmode=impossible"),
    ):
        with pytest.raises(EquipoiseError) as refused:
            connected(broken, TRIPLES)
        assert refused.value.__cause__ is None
        assert refused.value.__suppress_context__ or refused.value.__context__ is None
        said.append(str(refused.value))
    study = connected(address, TRIPLES)
    seen = "\n".join([*said, caplog.text, repr(study), str(study.loading), study.people.identity,
                      repr(study.people.engine), study.people.name])  # fmt: skip
    assert PASSWORD not in seen
    assert "steward" not in seen


@pytest.fixture(scope="module")
def cluster():
    with spark() as address:
        yield address
        from pyspark import SparkContext

        context = SparkContext._active_spark_context
        if context is not None:
            java = SparkContext._gateway
            context.stop()
            java.shutdown()
            with contextlib.suppress(subprocess.TimeoutExpired):
                java.proc.stdin.close()
                java.proc.wait(20)
            SparkContext._gateway = SparkContext._jvm = None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_spark_with_two_workers_counts_what_memory_counts(cluster, tmp_path):
    table = table_of(every_cell(60))
    written(table, tmp_path / "a.parquet")
    source = connected(f"{cluster}{tmp_path}/a.parquet", SCHEMA, limit=2**20).people
    assert isinstance(source.engine, Spark)
    assert_same(source, in_memory(table))
    owned = triples(60, owner=[f"p{at % 20}" for at in range(60)])
    written(owned, tmp_path / "b.parquet")
    unit = Unit("owner", 2, b"key")
    there = connected(f"{cluster}{tmp_path}/b.parquet", TRIPLES, unit=unit).people
    here = connected(f"duckdb://{tmp_path}/b.parquet", TRIPLES, unit=unit).people
    np.testing.assert_array_equal(
        there.counts([there.variables])[0].values, here.counts([here.variables])[0].values
    )
