import io
import json
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from core.errors import EquipoiseError
from core.table import Variable
from sources.examination import counted_notes
from sources.networks import sample
from sources.schema import read_schema
from sources.tables import infer_domain, read_table

DOMAIN = (Variable("a", ("yes", "no")), Variable("b", ("0", "1", "2")))
PLAIN = "a,b\nyes,0\nno,2\nyes,1\n"
CODES = [[0, 0], [1, 2], [0, 1]]


def read(text, domain=DOMAIN, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return read_table("t.csv", data, domain, **options)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.rstrip("\n"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        "\ufeff" + PLAIN,
        "\n\n" + PLAIN.replace("no,2", "\nno,2\n") + "\n",
        '"a","b"\n"yes","0"\n"no","2"\n"yes","1"\n',
        "b,extra,a\n0,x,yes\n2,,no\n1,x,yes\n",
        '"x, ""y"";\nz",b,a\n"1\n2",0,yes\n,2,no\n"a,b",1,yes\n',
    ],
)
def test_the_same_records_may_be_written_in_many_ways(text):
    found = read(text)
    assert found.dataset.variables == DOMAIN
    assert found.dataset.codes.tolist() == CODES
    assert found.dropped == 0


def test_columns_the_network_lacks_are_ignored_with_a_note():
    assert read(PLAIN).notes == ()
    text = "b,id,,a\n0,1,x,yes\n"
    assert read(text).notes == ("Columns not in the network or schema are ignored: id, column_3.",)


BAD = {
    "empty": ("", "t.csv is empty"),
    "only blanks": (" \n\n", "t.csv is empty"),
    "header only": ("a,b\n", "t.csv has a header and no rows"),
    "header without newline": ("a,b", "t.csv has a header and no rows"),
    "column missing": ("a,c\nyes,0\n", "no column 'b', which the network needs; it has a, c"),
    "duplicate header": ("a,b,a\nyes,0,no\n", "t.csv has two columns named 'a'; rename one"),
    "duplicate ignored header": ("a,b,x,x\nyes,0,1,1\n", "t.csv has two columns named 'x'"),
    "short row": ("a,b\nyes,0\n\nno\nyes,1\n", "line 4: the number of fields is 1 where the"),
    "long row": ("a,b\nyes,0\nno,1,2\n", "line 3: the number of fields is 3 where the header"),
    "short row after a long field": ('a,b,c\nyes,0,"x\ny"\nno,1\n', "line 4: the number of fields"),
    "unknown state": ("a,b\nyes,0\nno,3\n", "line 3, column 'b': '3' is not one of its states (0"),
    "case matters": ("a,b\nYes,0\n", "t.csv, line 2, column 'a': 'Yes' is not one of its states"),
    "blanks matter": ("a,b\nyes, 0\n", "t.csv, line 2, column 'b': ' 0' is not one of its states"),
    "many unknown": ("a,b\n" + "no,x\n" * 1001, "or add the state (1,000 more rows like it)"),
    "line after long fields": ('a,b,c\nyes,0,"x\ny"\n\nyes,7,\n', "t.csv, line 5, column 'b': '7'"),
    "missing": ("a,b\nyes,0\nno,\n", "line 3, column 'b': a value is missing; drop such rows"),
    "open quote": ('a,b\nyes,0\nno,"2\nyes,1\n', "t.csv, line 3: unexpected end of data"),
    "open quote, ignored column": ('a,b,c\nyes,0,x\nno,1,"\nyes,1,\n', "line 3: unexpected end of"),
    "stray quote": ('a,b\nyes,0\n"no"x,"2"\n', "t.csv, line 3: ',' expected after '\"'"),
    "odd quote": ('a,b,c\nyes,0,5"\n', "t.csv has an odd number of double quotes"),
    "nul": ("a,b\nyes,0\nno,\0\n", "t.csv, line 3: there is a NUL character"),
    "too many columns": (",".join(f"c{i}" for i in range(10_001)) + "\n1", "has 10,001 columns"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_are_refused_by_place(case):
    text, words = BAD[case]
    with pytest.raises(EquipoiseError) as refused:
        read(text)
    assert words in str(refused.value) and "\n" not in str(refused.value)


def test_long_values_and_long_lists_are_shortened():
    domain = (Variable("a", tuple(f"state{i}" for i in range(50))),)
    with pytest.raises(EquipoiseError) as refused:
        read("a\n" + "x" * 100_000 + "\n", domain)
    assert len(str(refused.value)) < 250


def test_files_of_another_kind_are_refused():
    with pytest.raises(EquipoiseError, match=r"t\.docx has the unknown ending '\.docx'"):
        read_table("t.docx", b"x", DOMAIN)
    with pytest.raises(EquipoiseError, match="'guess' is not known; choose refuse, drop, state"):
        read(PLAIN, missing="guess")


HOLES = "a,b\nyes,\nno,2\nNA,1\nyes,?\nno,0\nnan,NULL\n"


def test_missing_values_can_be_dropped():
    found = read(HOLES, missing="drop")
    assert found.dataset.codes.tolist() == [[1, 2], [1, 0]]
    assert found.dropped == 4
    told = counted_notes(found.dataset.records + found.dropped, found.dropped)
    assert told == ("4 of 6 rows have a missing value: dropped.",)
    assert found.notes == ()
    with pytest.raises(EquipoiseError, match="every row has a missing value"):
        read("a,b\n,1\nyes,\n", missing="drop")


def test_missing_values_can_be_a_state_of_every_variable():
    found = read(HOLES, missing="state")
    assert [v.states[-1] for v in found.dataset.variables] == ["missing", "missing"]
    assert found.dataset.codes.tolist() == [[0, 3], [1, 2], [2, 1], [0, 3], [1, 0], [2, 3]]
    full = read(PLAIN, missing="state").dataset
    assert full.variables == found.dataset.variables, "the domain must not depend on the records"


def test_a_state_spelt_like_a_missing_value_is_that_state():
    domain = (Variable("a", ("yes", "NA")), Variable("b", ("", "missing", "1")))
    text = "a,b\nNA,\nyes,1\n"
    assert read(text, domain).dataset.codes.tolist() == [[1, 0], [0, 2]]
    assert read("a,b\nNA,?\n", domain, missing="state").dataset.codes.tolist() == [[1, 1]]


def test_an_empty_line_of_a_single_column_is_a_missing_value():
    domain = DOMAIN[:1]
    found = read("a\nyes\n\nno\n", domain, missing="state")
    assert found.dataset.codes.ravel().tolist() == [0, 2, 1]
    with pytest.raises(EquipoiseError, match=r"t\.csv, line 3, column 'a': a value is missing"):
        read("a\nyes\n\nno\n", domain)


def schema(*columns):
    return read_schema("s.json", json.dumps({"columns": columns}).encode())


AGE = schema({"name": "age", "bins": [0, 18, 40, 120]})


def test_numbers_go_to_bins_that_hold_their_lower_edge():
    text = "age\n0\n17.99\n18\n39\n40\n1.2e2\n"
    found = read(text, AGE.variables, schema=AGE)
    assert found.dataset.codes.ravel().tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("-0.1", "line 2, column 'age': '-0.1' is outside its bins, 0 to 120; widen them"),
        ("120.1", "'120.1' is outside its bins"),
        ("old", "'old' is not a number, and its schema has bins; correct the value, or say"),
        ("1_0", "'1_0' is not a number"),
        ("inf", "'inf' is not a number"),
        ("NaN", "a value is missing"),
    ],
)
def test_values_that_fit_no_bin_are_refused(value, words):
    with pytest.raises(EquipoiseError) as refused:
        read(f"age\n{value}\n", AGE.variables, schema=AGE)
    assert words in str(refused.value)


def test_bins_can_carry_the_states_of_a_network_in_any_order():
    labelled = schema({"name": "a", "bins": [0, 1, 2], "labels": ["no", "yes"]})
    found = read("a,b\n0.5,0\n1.5,1\n", schema=labelled)
    assert found.dataset.codes.tolist() == [[1, 0], [0, 1]]


def test_a_schema_that_contradicts_the_network_is_refused():
    other = schema({"name": "a", "states": ["yes", "no", "maybe"]})
    with pytest.raises(EquipoiseError) as refused:
        read(PLAIN, schema=other)
    assert "'a' has the states yes, no in the network and yes, no, maybe in s.json" in str(
        refused.value
    )


def test_a_domain_can_be_inferred_in_a_stable_order():
    text = "b,a,id\n10,y,1\n9,x,2\n10,,3\n2.5,x,4\n"
    assert infer_domain("t.csv", text.encode(), ("a", "b")) == (
        Variable("a", ("x", "y")),
        Variable("b", ("2.5", "9", "10")),
    )
    assert [v.name for v in infer_domain("t.csv", text.encode())] == ["b", "a", "id"]


def test_too_many_values_to_infer_ask_for_bins():
    text = "id,a\n" + "".join(f"{i},x\n" for i in range(101))
    with pytest.raises(EquipoiseError) as refused:
        infer_domain("t.csv", text.encode())
    assert "column 'id' has more than 100 distinct values" in str(refused.value)
    assert "bins" in str(refused.value)
    assert infer_domain("t.csv", text.encode(), ("a",)) == (Variable("a", ("x",)),)
    with pytest.raises(EquipoiseError, match="has no column 'z'; it has id, a"):
        infer_domain("t.csv", text.encode(), ("z",))
    with pytest.raises(EquipoiseError, match="column 'a' has no values"):
        infer_domain("t.csv", b"a,b\n,1\n")


def parquet(**columns):
    file = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def read_parquet(data, domain=DOMAIN, **options):
    return read_table("t.parquet", data, domain, **options)


@pytest.mark.parametrize(
    "numbers",
    [
        ["0", "2", "1"],
        [0, 2, 1],
        [0.0, 2.0, 1.0],
        pa.array(["0", "2", "1"]).dictionary_encode(),
        pa.array([0, 2, 1]).dictionary_encode(),
        pa.array(["0", "2", "1"], pa.large_string()),
    ],
)
def test_parquet_columns_of_any_simple_type_are_read(numbers):
    data = parquet(b=numbers, a=["yes", "no", "yes"], other=[[1], [2], [3]])
    assert read_parquet(data).dataset.codes.tolist() == CODES


def test_parquet_truth_values_and_nulls_are_read():
    domain = (Variable("t", ("false", "true")), Variable("n", ("1", "2")))
    data = parquet(t=[True, None, False], n=[1.0, 2.0, None])
    found = read_parquet(data, domain, missing="state")
    assert found.dataset.codes.tolist() == [[1, 0], [2, 1], [0, 2]]
    with pytest.raises(EquipoiseError, match=r"t\.parquet, row 2, column 't': a value is missing"):
        read_parquet(data, domain)


def test_parquet_numbers_go_to_bins():
    found = read_parquet(parquet(age=[17.5, 18.0, 100.0]), AGE.variables, schema=AGE)
    assert found.dataset.codes.ravel().tolist() == [0, 1, 2]


def test_bad_parquet_is_refused():
    whole = parquet(a=["yes"], b=["1"])
    cases = {
        b"hello": r"^t\.parquet is not valid Parquet \(",
        whole[: len(whole) // 2]: r"^t\.parquet is not valid Parquet \(",
        parquet(a=pa.array([], pa.string()), b=pa.array([], pa.string())): "columns and no rows",
        parquet(a=["yes"], b=[[1]]): r"^t\.parquet: column 'b' holds list<\w+: int64> values",
        parquet(a=["yes"]): "has no column 'b'",
        parquet(a=["yes"], b=["7"]): "row 1, column 'b': '7' is not one of its states",
    }
    for data, words in cases.items():
        with pytest.raises(EquipoiseError, match=words):
            read_parquet(data)


def test_a_small_parquet_file_of_many_rows_is_refused():
    file = io.BytesIO()
    table = pa.table({"a": pa.nulls(2**26, pa.string())})
    pa.parquet.write_table(table, file)
    assert len(file.getvalue()) < 2**20
    with pytest.raises(EquipoiseError, match="has 67,108,864 rows in"):
        read_parquet(file.getvalue())


@pytest.mark.slow
def test_a_million_records_of_alarm_take_seconds():
    variables = sample("alarm").network.variables
    rng = np.random.default_rng(0)
    codes = np.stack([rng.integers(v.cardinality, size=10_000) for v in variables], axis=1)
    lines = [",".join(v.states[c] for v, c in zip(variables, row, strict=True)) for row in codes]
    header = ",".join(v.name for v in variables) + "\n"
    data = (header + ("\n".join(lines) + "\n") * 100).encode()
    start = time.process_time()
    found = read_table("alarm.csv", data, variables)
    assert time.process_time() - start < 30
    assert found.dataset.records == 1_000_000
    assert np.array_equal(found.dataset.codes[-10_000:], codes)
