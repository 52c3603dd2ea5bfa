"""Proposals: what public facts say, what the records show, and the schema they make."""

import io
import itertools
import json
from datetime import date

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.table import Variable
from sources.codebook import read_codebook
from sources.cuts import bin_labels, date_cuts, day_seconds, equal_widths
from sources.opening import open_table
from sources.proposals import StatedColumn, _usual_period, proposed, proposed_schema
from sources.schema import Schema, SchemaColumn, confirmed, read_schema, schema_bytes
from sources.tables import infer_domain, read_table

ROWS = "".join(
    f"{i};{i % 90};{i % 7},5;{'fm?'[i % 3]};{i % 28 + 1:02}.{i % 12 + 1:02}.{2015 + i % 3};"
    f"{('yes', 'NA')[i % 2]};text {i}\r\n"
    for i in range(300)
)
CONTENT = ("nr;age;dose;sex;visit;smoker;note\r\n" + ROWS).encode("latin-1")


def proposals(content=CONTENT, stated=None, name="t.csv", **options):
    stream = open_table(name, content)
    return {p.name: p for p in proposed(stream, stated or {}, **options)}, stream.dialect


def test_what_the_records_show_is_marked():
    found, _ = proposals()
    assert {name: p.kind for name, p in found.items()} == {
        "nr": "identifier", "age": "numbers", "dose": "states", "sex": "states",
        "visit": "dates", "smoker": "yes/no", "note": "identifier",
    }  # fmt: skip
    assert found["nr"].column is None and found["note"].column is None
    used = [p.column for p in found.values() if p.column]
    assert all(column.seen and not column.public for column in used)
    assert found["smoker"].column.variable.states == ("yes", "no"), "the other word is added"
    assert found["age"].column.edges == tuple(9.0 * i for i in range(11))
    assert found["visit"].column.variable.states == ("2015", "2016", "2017")
    assert found["visit"].column.date == "%d.%m.%Y"


def test_a_slip_makes_no_states_of_numbers_or_dates():
    rows = [f"{day:02}.{month:02}.2020;{1000 * day + month};{day}" for day in range(1, 29)
            for month in (1, 5)]  # fmt: skip
    rows += ["31.02.2020;12o;28", ";;x"]
    content = "\n".join(["d;n;few", *rows, ""]).encode()
    found, dialect = proposals(content)
    assert [p.kind for p in found.values()] == ["dates", "numbers", "numbers"]
    assert found["d"].column.date == "%d.%m.%Y"
    assert found["d"].column.variable.states[0] == "2020-01", "one year is cut by month"
    schema = proposed_schema("s.json", list(found.values()), dialect)
    for name, words in (
        ("d", "t.csv, line 58, column 'd': '31.02.2020' is not a date written as dd.mm.yyyy"),
        ("n", "t.csv, line 58, column 'n': '12o' is not a number"),
        ("few", "t.csv, line 59, column 'few': 'x' is not a number"),
    ):
        own = schema.by_name[name]
        with pytest.raises(EquipoiseError) as refused:
            read_table(
                "t.csv", content, (own.variable,), schema=Schema("s", (own,)), missing="drop"
            )
        assert words in str(refused.value)
    few = "\n".join(["a", *map(str, range(19)), "x", ""]).encode()
    assert proposals(few)[0]["a"].kind == "states", "few values are states, numbers or not"


def test_what_is_left_out_says_why():
    content = "user_id,note,nr,void\n" + "".join(f"1,text {i},{i},NA\n" for i in range(200))
    found, _ = proposals(content.encode())
    assert {name: p.why for name, p in found.items()} == {
        "user_id": "its name is that of an identifier", "void": "it has no values",
        "note": "it has over 100 different texts", "nr": "every row has a number of its own",
    }  # fmt: skip
    long = "a,b\n" + f"{'x' * 201},1\nno,2\n" * 3
    assert proposals(long.encode())[0]["a"].why == "it has texts of over 200 characters"
    with pytest.raises(EquipoiseError, match="values of more than 200 characters"):
        infer_domain("t.csv", long.encode())
    stated, _ = proposals(content.encode(), {"note": StatedColumn(kind="identifier")})
    assert stated["note"].why == ""


def test_private_proposals_do_not_depend_on_the_records():
    header, *rows = CONTENT.splitlines(keepends=True)
    stated = {
        "age": StatedColumn(limits=("0", "120"), cut="4"),
        "sex": StatedColumn(states=("f", "m")),
    }
    whole, _ = proposals(stated=stated, private=True)
    other, _ = proposals(header + rows[7], stated=stated, private=True)
    assert whole == other
    assert whole["age"].column.edges == (0, 30, 60, 90, 120)
    assert whole["age"].column.public and whole["age"].column.source == "limits that were stated"
    assert whole["sex"].column.public and not whole["sex"].column.seen
    assert "its states are not known" in whole["dose"].question


def test_types_in_the_file_are_public():
    file = io.BytesIO()
    table = {"ok": [True], "n": [1.5], "day": [date(2020, 1, 1)], "word": ["x"], "user_id": [7]}
    pa.parquet.write_table(pa.table(table), file)
    found, _ = proposals(file.getvalue(), name="t.parquet", private=True)
    assert [p.kind for p in found.values()] == [
        "yes/no",
        "numbers",
        "dates",
        "states",
        "identifier",
    ]
    assert found["ok"].column.variable.states == ("false", "true") and found["ok"].column.public
    assert "lowest and highest" in found["n"].question and "last day" in found["day"].question


def test_a_code_book_names_and_merges_values():
    book = read_codebook("b.csv", b"Column,Value,Label\nsex,f,woman\nsex,m,man\nsex,x,man\n")
    found, dialect = proposals(book=book)
    column = found["sex"].column
    assert column.variable.states == ("woman", "man") and column.source == "code book b.csv"
    assert column.public and not column.seen
    schema = proposed_schema("s.json", [found["sex"]], dialect)
    content = b"sex\nx\nf\n"
    read = read_table("t.csv", content, schema.variables, schema=Schema("s", schema.columns))
    assert read.dataset.codes.ravel().tolist() == [1, 0]
    with pytest.raises(EquipoiseError, match=r"b\.csv is no code book: it has a, b"):
        read_codebook("b.csv", b"a,b\n1,2\n")
    with pytest.raises(EquipoiseError, match="the value 'f' of 'sex' twice"):
        read_codebook("b.csv", b"column,value\nsex,f\nsex,f\n")
    with pytest.raises(EquipoiseError, match="there is no column 'size'"):
        proposals(book=read_codebook("b.csv", b"column,value\nsize,f\n"))


def test_the_file_is_read_with_the_schema_that_was_saved():
    stated = {
        "age": StatedColumn(limits=("10", "80"), outside="state"),
        "visit": StatedColumn(limits=("2015-01-01", "2016-12-31"), cut="quarter", outside="state"),
        "sex": StatedColumn(missing="drop"),
        "smoker": StatedColumn(missing="state"),
        "note": StatedColumn(kind="identifier"),
    }
    found, dialect = proposals(stated=stated)
    schema = proposed_schema("s.json", list(found.values()), dialect)
    again = read_schema("s.json", schema_bytes(schema))
    assert again == schema and again.left_out == ("nr", "note")
    read = read_table("t.csv", CONTENT, again.variables, schema=again)
    age, _, sex, visit, smoker = read.dataset.variables
    assert age.states[-1] == "outside" and visit.states[-1] == "outside"
    assert sex.states == ("f", "m") and smoker.states == ("yes", "no", "missing")
    assert read.dropped == 100
    rows = [line.split(";") for line in ROWS.splitlines() if ";?;" not in line]
    for j, (cell, label) in enumerate(_obvious(rows)):
        column = [age, visit][j]
        assert [column.states[c] for c in read.dataset.codes[:, [0, 3][j]]] == cell, label


def _obvious(rows):
    """Ages in sevens from 10, visits by quarter, one record after the other."""
    labels = bin_labels(tuple(range(10, 81, 7)))
    ages = [int(row[1]) for row in rows]
    yield ([labels[min((a - 10) // 7, 9)] if 10 <= a <= 80 else "outside" for a in ages], "age")
    days = [row[4].split(".") for row in rows]
    yield (
        [f"{y}-Q{(int(m) + 2) // 3}" if int(y) < 2017 else "outside" for _, m, y in days],
        "visit",
    )


def test_what_is_confirmed_is_public_and_keeps_its_source():
    found, dialect = proposals()
    schema = proposed_schema("s.json", list(found.values()), dialect)
    known = confirmed(schema, ["age", "sex"], " form B-7 ")
    assert [c.variable.name for c in known.columns if not c.public] == ["dose", "visit", "smoker"]
    assert known.by_name["age"].source == "form B-7" and known.by_name["age"].seen
    assert read_schema("s.json", schema_bytes(known)) == known
    with pytest.raises(EquipoiseError, match="does not describe 'size'"):
        confirmed(schema, ["size"], "form B-7")
    with pytest.raises(EquipoiseError, match="the source of public knowledge is blank"):
        confirmed(schema, ["age"], " - ")


BAD_DATES = json.dumps(
    {"columns": [{"name": "d", "date": "%d.%m.%Y", "bins": ["2019-01-01", "2020-01-01"]}]}
).encode()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("31.02.2019", "'31.02.2019' is not a date written as dd.mm.yyyy"),
        ("2019-01-05", "'2019-01-05' is not a date"),
        ("01.01.2020", "'01.01.2020' is outside its bins, 2019-01-01 to 2020-01-01"),
        ("31.12.2018", "is outside its bins"),
    ],
)
def test_dates_that_do_not_parse_or_fit_are_refused(value, words):
    schema = read_schema("s.json", BAD_DATES)
    with pytest.raises(EquipoiseError) as refused:
        read_table("t.csv", f"d\n{value}\n".encode(), schema.variables, schema=schema)
    assert words in str(refused.value) and "line 2, column 'd'" in str(refused.value)
    good = read_table("t.csv", b"d\n31.12.2019\n01.01.2019\n", schema.variables, schema=schema)
    assert good.dataset.records == 2


def test_a_schema_for_another_file_is_said_to_be():
    schema = read_schema("s.json", BAD_DATES)
    with pytest.raises(
        EquipoiseError, match=r"s\.json is a schema for another file: it describes d"
    ):
        read_table("t.csv", b"a,b\n1,2\n", schema.variables, schema=schema)


@given(st.integers(-1000, 1000), st.integers(1, 2000), st.integers(1, 50))
def test_equal_widths_are_equal_and_hold_the_limits(low, span, count):
    edges = equal_widths(low, low + span, count)
    assert edges[0] == low and edges[-1] == low + span and len(edges) == count + 1
    widths = [high - start for start, high in itertools.pairwise(edges)]
    assert max(widths) - min(widths) < 1e-6


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(0, 900),
       st.sampled_from(["decade", "year", "quarter", "month"]), st.integers(0, 900))  # fmt: skip
def test_every_day_has_the_label_of_its_period(first, days, by, at):
    last = date.fromordinal(first.toordinal() + days)
    edges, labels = date_cuts(first.isoformat(), last.isoformat(), by)
    day = date.fromordinal(min(first.toordinal() + at, last.toordinal()))
    place = sum(edge <= day_seconds(day) for edge in edges) - 1
    quarter = f"{day.year}-Q{(day.month + 2) // 3}"
    named = {"decade": f"{day.year // 10 * 10}s", "year": f"{day.year}", "quarter": quarter}
    named["month"] = f"{day.year}-{day.month:02}"
    assert labels[place] == named[by] and len(set(labels)) == len(labels)


def test_the_last_decade_of_all_is_one():
    assert date_cuts("9985-01-01", "9998-12-31", "decade")[1] == ("9980s", "9990s")


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
CHOICES = st.fixed_dictionaries({
    "missing": st.sampled_from(["", "refuse", "drop", "state"]),
    "outside": st.sampled_from(["refuse", "state"]), "source": st.text(max_size=5),
    "seen": st.booleans(),
})  # fmt: skip


@given(st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=4, unique=True), CHOICES),
                min_size=1, max_size=4, unique_by=lambda item: item[0]),
       st.sets(st.floats(-1e9, 1e9), min_size=2, max_size=5))  # fmt: skip
def test_a_schema_that_is_written_is_read_as_the_same(columns, edges):
    made = [SchemaColumn(Variable(name, tuple(s)), **more) for name, s, more in columns]
    name, _, more = columns[0]
    cuts = tuple(sorted(edges))
    if len(set(labels := bin_labels(cuts))) == len(labels):
        made[0] = SchemaColumn(Variable(name, labels), cuts, **more)
    schema = Schema("s.json", tuple(made), (), {"delimiter": ";"})
    assert read_schema("s.json", schema_bytes(schema)) == schema


def test_days_that_are_none_are_refused_before_a_period_is_chosen():
    with pytest.raises(EquipoiseError, match=r"'0\)12' is not a day"):
        _usual_period("0)12", "2012-01-01")
    assert _usual_period("20200101", "2020-W20-1") == "month"
    with pytest.raises(EquipoiseError, match="999999 bins are asked for"):
        date_cuts("2020-01-01", "2021-01-01", "9" * 5000)


def test_limits_with_a_decimal_comma_are_told_how_to_write_a_number():
    stated = {"height": StatedColumn(limits=("1,5", "2,0"))}
    with pytest.raises(EquipoiseError, match=r"'1,5' is not a number; write it as 1\.5"):
        proposed(open_table("t.csv", b"height\n1\n"), stated)
