"""Rows elsewhere and rows here give the same tables, whatever the column holds."""

import datetime
import decimal
import io
import json
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from core.counts import Rows
from core.errors import EquipoiseError
from sources.connected import connected_study
from sources.engines import Engine
from sources.places import place_of
from sources.schema import read_schema
from sources.tables import read_table

SCHEMA = {
    "columns": [
        {"name": "word", "states": ["yes", "no", "=1+1"], "missing": "drop"},
        {"name": "number", "bins": [0, 0.1, 18, 65], "outside": "state", "missing": "state"},
        {"name": "whole", "states": ["-1", "0", "7"], "outside": "state", "missing": "state"},
        {"name": "real", "states": ["0", "0.1", "2.5"], "outside": "state", "missing": "state"},
        {"name": "cut", "bins": [-1, 0, 0.3], "outside": "state", "missing": "state"},
        {"name": "told", "date": "%d.%m.%Y", "bins": ["2019-01-01", "2020-03-01", "2021-01-01"],
         "outside": "state", "missing": "state"},
        {"name": "day", "date": "ISO8601", "bins": ["2019-01-01", "2020-03-01", "2021-01-01"],
         "outside": "state", "missing": "state"},
        {"name": "flag", "states": ["true", "false"], "missing": "state"},
        {"name": "price", "bins": [0, 1.25, 10], "outside": "state", "missing": "state"},
    ]
}  # fmt: skip

DAYS = st.sampled_from(
    [datetime.date(2018, 12, 31), datetime.date(2019, 1, 1), datetime.date(2020, 2, 29),
     datetime.date(2020, 3, 1), datetime.date(2020, 12, 31), datetime.date(2021, 1, 1)]
)  # fmt: skip
CELLS = {
    "word": (pa.string(), st.sampled_from(["yes", "no", "=1+1", "'=1+1", "?", "", " NA ", None])),
    "number": (pa.string(), st.sampled_from(
        ["0", "0.1", " 18 ", "1.8e1", "65", "65.0000001", "-0.0", ".5", "5.", "+3", "n/a", "1e2",
         "0.09999999999999999", "0.1000000000000000055", None, "64.99999999999999999999"])),
    "whole": (pa.int64(), st.sampled_from([-1, 0, 7, 8, None])),
    "real": (pa.float64(), st.sampled_from([0.0, -0.0, 0.1, 2.5, 3.0, float("nan"), None])),
    "cut": (pa.float64(), st.sampled_from(
        [-1.0, -0.0, 0.0, 0.1 + 0.2, 0.3, 5.0, float("nan"), None])),
    "told": (pa.string(), st.sampled_from(
        ["31.12.2018", "1.1.2019", "29.02.2020", "01.03.2020", " 31.12.2020", "1.1.2021", "?"])),
    "day": (pa.date32(), st.one_of(DAYS, st.none())),
    "flag": (pa.bool_(), st.sampled_from([True, False, None])),
    "price": (pa.decimal128(8, 3), st.sampled_from(
        [decimal.Decimal("1.249"), decimal.Decimal("1.250"), decimal.Decimal("10.000"),
         decimal.Decimal("10.001"), decimal.Decimal("0.000"), None])),
}  # fmt: skip
ROWS = st.lists(st.fixed_dictionaries({k: v[1] for k, v in CELLS.items()}), min_size=1, max_size=40)


def table_of(rows):
    return pa.table({k: pa.array([r[k] for r in rows], kind) for k, (kind, _) in CELLS.items()})


def written(table, path):
    pa.parquet.write_table(table, path, row_group_size=7)
    return path


def in_memory(table, schema=SCHEMA, missing="refuse", **how):
    buffer = io.BytesIO()
    pa.parquet.write_table(table, buffer)
    read = read_schema("s.json", json.dumps(schema).encode())
    return Rows(
        read_table(
            "t.parquet", buffer.getvalue(), read.variables, schema=read, missing=missing, **how
        ).dataset
    )


def connected(address, schema=SCHEMA, missing="refuse", **options):
    file = ("s.json", json.dumps(schema).encode())
    return connected_study(
        None, None, place=place_of(str(address)), schema=file, missing=missing, **options
    )


def pairs(variables):
    return [(a, b) for a in variables for b in variables if a.name < b.name]


def assert_same(source, memory):
    assert source.variables == memory.dataset.variables
    families = [*pairs(source.variables), (), tuple(source.variables[:3][::-1])]
    for one, other in zip(source.counts(families), memory.counts(families), strict=True):
        np.testing.assert_array_equal(one.values, other.values)


@settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(rows=ROWS)
def test_duckdb_and_pyarrow_count_what_memory_counts(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    written(table_of(rows), folder / "a.parquet")
    try:
        memory = in_memory(table_of(rows))
    except EquipoiseError as problem:
        assert "every row has a missing value" in str(problem)
        for address in (f"duckdb://{folder}/*.parquet", folder):
            with pytest.raises(EquipoiseError, match="has no rows to count"):
                connected(address, limit=2**20)
        return
    for address in (f"duckdb://{folder}/*.parquet", folder):
        assert_same(connected(address, limit=2**20).people, memory)


@pytest.mark.parametrize(
    ("kind", "first", "odd"),
    [(pa.int8(), 0, -1), (pa.int8(), 1, 4), (pa.uint8(), 252, 0), (pa.int16(), 1, 0),
     (pa.int64(), 0, -1), (pa.int64(), 1, 257), (pa.int64(), 252, 255), (pa.int64(), 300, 303),
     (pa.uint64(), 1, 2**40)],
)  # fmt: skip
def test_states_that_are_numbers_in_a_row_are_counted_as_they_are(tmp_path, kind, first, odd):
    states = [first + k for k in (2, 0, 1)]
    rows = pa.table({"x": pa.array([states[k % 3] for k in range(20)], kind)})
    schema = {"columns": [{"name": "x", "states": [str(state) for state in states]}]}
    place = f"duckdb://{written(rows, tmp_path / 't.parquet')}"
    assert_same(connected(place, schema).people, in_memory(rows, schema))
    for value, said in ((odd, "values that are none"), (None, "missing")):
        more = pa.concat_tables([rows, pa.table({"x": pa.array([value], kind)})])
        written(more, tmp_path / "t.parquet")
        with pytest.raises(EquipoiseError, match=said):
            connected(place, schema)
    assert_same(
        connected(place, schema, missing="drop").people, in_memory(more, schema, missing="drop")
    )


def test_a_value_that_is_no_number_is_not_counted_as_another(tmp_path):
    table = pa.table({"x": pa.array([math.nan, 3.0])})
    pa.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    schema = {"columns": [{"name": "x", "states": ["3", "nan"]}]}
    memory = in_memory(table, schema)
    for address in (f"duckdb://{tmp_path}/*.parquet", tmp_path):
        assert_same(connected(address, schema).people, memory)


TRIPLES = {
    "columns": [{"name": n, "states": ["a", "b", "c"]} for n in ("x", "y", "z")]
}  # fmt: skip


def triples(count=600, seed=0, **more):
    rng = np.random.default_rng(seed)
    rows = {n: np.array(["a", "b", "c"])[rng.integers(0, 3, count)] for n in ("x", "y", "z")}
    return pa.table(rows | more)


def addresses(folder, table):
    written(table, folder / "a.parquet")
    return (f"duckdb://{folder}/*.parquet", folder)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("limit", [3, 9, 4096, 2**20])
def test_the_limit_of_a_packed_table_changes_no_count(tmp_path, which, limit):
    table = triples()
    place = addresses(tmp_path, table)[which]
    assert_same(connected(place, TRIPLES, limit=limit).people, in_memory(table, TRIPLES))


@pytest.mark.parametrize("which", [0, 1])
def test_a_wrong_or_missing_value_is_refused_by_column_never_by_value(tmp_path, which):
    for value, sentence in (("Jane Doe", "'y' has values that are none"), ("?", "'y' has missing")):
        table = triples()
        values = table.column("y").to_pylist()
        values[-1] = value
        table = table.set_column(1, "y", pa.array(values))
        with pytest.raises(EquipoiseError, match=sentence) as refused:
            connected(addresses(tmp_path, table)[which], TRIPLES)
        assert "Jane" not in str(refused.value)


@pytest.mark.parametrize("which", [0, 1])
def test_rows_with_a_gap_anywhere_are_dropped_from_every_table(tmp_path, which, monkeypatch):
    table = triples()
    gaps = [None if at % 7 == 0 else value for at, value in enumerate(table["z"].to_pylist())]
    table = table.set_column(2, "z", pa.array(gaps))
    place = addresses(tmp_path, table)[which]
    assert_same(connected(place, TRIPLES, "drop").people, in_memory(table, TRIPLES, "drop"))
    monkeypatch.setattr(Engine, "ask", None)  # states alone are counted without a statement
    assert_same(connected(place, TRIPLES, "state").people, in_memory(table, TRIPLES, "state"))


def test_csv_files_are_read_as_memory_reads_them(tmp_path):
    text = 'x;y;z\n"a";b;c\nb;"b";c\nc; a ;\n'
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text(text)
    read = read_schema("s.json", json.dumps(TRIPLES | {"file": {"trim": True}}).encode())
    memory = read_table("a.csv", text.encode(), read.variables, schema=read, missing="state")
    source = connected(f"duckdb://{tmp_path}/*.csv", TRIPLES | {"file": {"trim": True}}, "state")
    both = source.people.counts([(v,) for v in source.people.variables])
    for one, other in zip(both, Rows(memory.dataset).counts([t.variables for t in both]),
                          strict=True):  # fmt: skip
        np.testing.assert_array_equal(one.values, 2 * other.values)


def test_a_database_file_is_read_and_never_written(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    table = triples()
    file = tmp_path / "own.db"
    with duckdb.connect(str(file)) as own:
        own.register("seen", table)
        own.execute("create table people as select * from seen")
    before = file.read_bytes()
    source = connected(f"duckdb://{file}?table=people", TRIPLES).people
    assert_same(source, in_memory(table, TRIPLES))
    source.engine.close()
    assert file.read_bytes() == before


def test_leverages_are_those_of_the_rows(tmp_path):
    from core.membership.leverage import support_of
    from core.membership.lookup import Lookup
    from core.network import Network

    table = triples(200)
    memory = in_memory(table, TRIPLES)
    names = memory.dataset.variables
    network = Network(names, ((), ("x",), ("x", "y")))
    here = support_of(network, Lookup.of(memory.dataset, network.families))
    grid = np.geomspace(1e-3, 0.5, 20)
    for place in addresses(tmp_path, table):
        there = connected(place, TRIPLES).people.support(network)
        assert there.rarest == here.rarest
        assert there.most == pytest.approx(here.most, rel=1e-12)
        assert there.mean == pytest.approx(here.mean, rel=1e-12)
        assert there.quantile(0.99) == pytest.approx(here.quantile(0.99), rel=2e-3)
        np.testing.assert_allclose(there.mixture.powers(grid), here.mixture.powers(grid), rtol=1e-3)


def test_a_bound_on_records_of_a_unit_is_kept_and_repeats(tmp_path):
    from sources.units import Unit

    owners = [f"p{at % 150}" for at in range(600)]
    table = triples(600, owner=owners)
    place = addresses(tmp_path, table)[0]
    for most, records in ((1, 150), (3, 450), (9, 600)):
        unit = Unit("owner", most, b"key")
        source = connected(place, TRIPLES, unit=unit).people
        assert source.records == records
        shuffled = table.take(np.random.default_rng(1).permutation(600))
        again = connected(addresses(tmp_path, shuffled)[0], TRIPLES, unit=unit).people
        assert [t.values.tolist() for t in again.margins] == [
            t.values.tolist() for t in source.margins
        ]
    fewer = table.filter(pa.array([owner != "p7" for owner in owners]))
    unit = Unit("owner", 2, b"key")
    whole = connected(addresses(tmp_path, table)[0], TRIPLES, unit=unit).people
    less = connected(addresses(tmp_path, fewer)[0], TRIPLES, unit=unit).people
    (one,), (other,) = whole.counts([whole.variables]), less.counts([whole.variables])
    assert np.abs(one.values - other.values).sum() == 2


def test_rows_of_nobody_are_refused(tmp_path):
    from sources.units import Unit

    table = triples(4, owner=["a", None, "b", "c"])
    with pytest.raises(EquipoiseError, match="names no unit in column 'owner'"):
        connected(addresses(tmp_path, table)[0], TRIPLES, unit=Unit("owner"))
    elsewhere = {"file": {"missing": ["-9"]}}
    for owners, stated in (
        ([1.0, 2.0, math.nan, math.nan], {}),
        ([1.0, 2.0, math.nan, math.nan], elsewhere),
        (["a", "b", "\tNA", "\tNA"], {}),
        (["a", "b", " ", ""], elsewhere),
        ([1, 2, -9, -9], elsewhere),
    ):
        table = triples(4, owner=owners)
        with pytest.raises(EquipoiseError, match="names no unit in column 'owner'"):
            connected(addresses(tmp_path, table)[0], TRIPLES | stated, unit=Unit("owner"))
        with pytest.raises(EquipoiseError, match="names no unit in column 'owner'"):
            in_memory(table, TRIPLES | stated, unit=Unit("owner"))


@pytest.mark.parametrize("which", [0, 1])
def test_a_table_that_changes_between_counts_is_refused_and_a_retry_succeeds(tmp_path, which):
    place = addresses(tmp_path, triples())[which]
    source = connected(place, TRIPLES, limit=3).people
    written(triples(seed=1), tmp_path / "a.parquet")
    wanted = [tuple(source.variables[:2])]
    with pytest.raises(EquipoiseError, match="changed while it was counted"):
        source.counts(wanted)
    fresh = connected(place, TRIPLES, limit=3).people
    np.testing.assert_array_equal(
        fresh.counts(wanted)[0].values, in_memory(triples(seed=1), TRIPLES).counts(wanted)[0].values
    )
