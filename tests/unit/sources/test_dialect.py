"""The same table in every dialect, and what is stated against what is guessed."""

import io
from encodings.aliases import aliases

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from sources.coding import quantities
from sources.dialect import Dialect, guessed, stated_dialect
from sources.opening import open_table
from sources.schema import Schema, read_schema
from sources.tables import infer_domain, read_table

TEXT = "größe;ort;zahl\r\n1,5;Köln;1\r\n2,5;NA;2\r\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (TEXT.encode(), {"delimiter": ";", "decimal": ",", "encoding": "utf-8"}),
        (TEXT.encode("utf-8-sig"), {"delimiter": ";", "encoding": "utf-8"}),
        (TEXT.encode("latin-1"), {"encoding": "cp1252"}),
        (b"a,b\nx\x81,y\n", {"encoding": "latin-1"}),
        ("年齢,都道府県\n41,東京都\n".encode("shift_jis"), {"encoding": "shift_jis"}),
        ("a,b\n“I’m”,“it’s – was”\n".encode("cp1252"), {"encoding": "cp1252"}),
        (TEXT.encode("utf-16"), {"encoding": "utf-16", "delimiter": ";"}),
        ("a,b\nx,y\n".encode("utf-16-le"), {"encoding": "utf-16-le"}),
        (b"a|b\n1|2\n", {"delimiter": "|", "header": True}),
        (b"a\tb\n1\t2,5\n", {"delimiter": "\t", "decimal": ","}),
        (b"a;b\n1,5;2.5\n", {"decimal": "."}),
        (b"39, State-gov, 7\n50, State-gov, 8\n", {"header": False, "trim": True}),
        (b"age,2019,2020\n1,2,3\n", {"header": True, "trim": False}),
        (b"0,1,2\n0,1,1\n", {"header": True}),
        (b"1,5;2,5;3\n2,5;3,5;4\n", {"delimiter": ";", "decimal": ","}),
        (b"a;b\n1.234,50;x\n", {"decimal": ",", "thousands": "."}),
        (b"a;b\n1.234;1,72\n", {"decimal": ",", "thousands": "."}),
        (b'a,b\n"12,345",x\n', {"delimiter": ",", "decimal": ".", "thousands": ","}),
        (b"a;b\n1,234,567;1.5\n", {"decimal": ".", "thousands": ","}),
        (b"a;b\n0,123;1\n", {"decimal": ",", "thousands": ""}),
        ("a;b\n1\u202f234,5;1\n".encode(), {"decimal": ",", "thousands": " "}),
        (b"a;b\n1'234.50;1\n", {"decimal": ".", "thousands": "'"}),
        (b"a;b\n01.02.2020;1\n", {"decimal": ".", "thousands": ""}),
    ],
)
def test_a_dialect_is_guessed(content, told):
    dialect = guessed(content)
    assert {key: getattr(dialect, key) for key in told} == told


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_letters_arrive_whatever_their_encoding(encoding):
    (place,) = infer_domain("t.csv", TEXT.encode(encoding), ["ort"])
    assert place.states == ("Köln",)


def test_every_item_can_be_stated():
    stated = {"delimiter": ",", "header": False, "names": ("x", "y"), "missing": ("none",)}
    content = b"NA,1\nnone,2\n"
    assert guessed(content, stated) == Dialect(**stated)
    stream = open_table("t.csv", content, stated=stated)
    assert stream.header == ("x", "y")
    x, y = infer_domain("t.csv", content, stated=stated)
    assert x.states == ("NA",) and y.states == ("1", "2")
    found = read_table("t.csv", content, (x, y), schema=_schema(stated), missing="drop")
    assert found.dataset.codes.tolist() == [[0, 0]]


def _schema(stated):
    return Schema("s", read_schema("s", b'{"columns": [{"name": "x", "states": ["NA"]}]}').columns,
                  (), stated)  # fmt: skip


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"encoding": "klingon"}, "the encoding 'klingon' is not known"),
        ({"delimiter": ";;"}, "give one character"),
        ({"decimal": "x"}, "it is . or ,"),
        ({"delimiter": ",", "decimal": ","}, "also separates fields"),
        ({"thousands": "_"}, "'_' stands between thousands; give a point"),
        ({"thousands": "."}, "that is not the decimal sign"),
        ({"colour": "red"}, "'file' has the key 'colour'"),
        ({"header": "yes"}, "'header' of 'file' is 'yes'"),
        ({"missing": [1]}, "'missing' of 'file' is"),
    ],
)
def test_a_dialect_that_makes_no_sense_is_refused(stated, words):
    with pytest.raises(EquipoiseError) as refused:
        stated_dialect(stated)
    assert words in str(refused.value)


def test_a_file_in_other_letters_than_stated_is_refused_by_line():
    with pytest.raises(EquipoiseError, match=r"t\.csv, line 3: byte 0xe9 is not utf-8"):
        open_table(
            "t.csv", b"a,b\nx,y\n\xe9,z\n" + b"x,y\n" * 200_000, stated={"encoding": "utf-8"}
        )


@given(st.lists(st.integers(-10**9, 10**9), min_size=1), st.sampled_from(",."),
       st.sampled_from(["", ".", ",", " ", "'"]), st.integers(0, 99))  # fmt: skip
def test_numbers_are_read_however_thousands_are_written(numbers, decimal, thousands, rest):
    if thousands == decimal:
        thousands = ""
    texts = [f"{n:,}".replace(",", thousands) + f"{decimal}{rest:02}" for n in numbers]
    signs = Dialect(delimiter=";", decimal=decimal, thousands=thousands)
    exact = [n + (-1) ** (n < 0) * rest / 100 for n in numbers]
    assert quantities(pa.array(texts), "", signs).tolist() == pytest.approx(exact)


@pytest.mark.parametrize("text", ["1.23", "12.34,5", "1.2345", "0.123", "1..234", ".123", "1.234."])
def test_signs_that_are_not_between_thousands_make_no_number(text):
    signs = Dialect(delimiter=";", decimal=",", thousands=".")
    assert np.isnan(quantities(pa.array([text]), "", signs)).all()


def test_a_column_without_a_name_is_called_by_its_place():
    assert open_table("t.csv", b"a,,c\n1,2,3\n").header == ("a", "column_2", "c")


def test_a_workbook_is_read_like_a_file():
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in (("age", "ill"), (1, True), (2.5, None), (30, False)):
        book.active.append(row)
    other = book.create_sheet("other")
    other.append(("x",))
    other.append((1,))
    file = io.BytesIO()
    book.save(file)
    age, ill = infer_domain("t.xlsx", file.getvalue())
    assert age.states == ("1", "2.5", "30") and ill.states == ("false", "true")
    assert read_table("t.xlsx", file.getvalue(), (age, ill), missing="drop").dropped == 1
    assert open_table("t.xlsx", file.getvalue(), stated={"sheet": "other"}).header == ("x",)
    stream = open_table("t.xlsx", file.getvalue())
    assert stream.sheets == ("Sheet", "other") and stream.dialect.sheet == "Sheet"
    book.create_sheet("read me first", 0).append(("These are answers.",))
    file = io.BytesIO()
    book.save(file)
    assert open_table("t.xlsx", file.getvalue()).dialect.sheet == "Sheet", "the widest"
    with pytest.raises(EquipoiseError, match="has no sheet 'third'; it has read me first, Sheet"):
        open_table("t.xlsx", file.getvalue(), stated={"sheet": "third"})
    with pytest.raises(EquipoiseError, match=r"t\.xlsx is not a workbook"):
        open_table("t.xlsx", b"hello")


def test_a_path_and_its_bytes_are_the_same_table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode("latin-1"))
    assert infer_domain("t.csv", path) == infer_domain("t.csv", path.read_bytes())
    pa.parquet.write_table(pa.table({"a": [1, 2]}), tmp_path / "t.parquet")
    assert infer_domain("t.parquet", tmp_path / "t.parquet")[0].states == ("1", "2")


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"delimiter": ""}, "give one character"),
        ({"delimiter": "\0"}, "give one character"),
        ({"encoding": "zlib"}, "the encoding 'zlib' is not known"),
        ({"encoding": "idna"}, "the encoding 'idna' is not known"),
        ({"encoding": "utf-16"}, "not written as utf-16; state another"),
    ],
)
def test_what_no_reader_takes_is_refused_before_the_file_is_read(stated, words):
    with pytest.raises(EquipoiseError) as refused:
        open_table("t.csv", b"a,b\n1;2,2\n", stated=stated)
    assert words in str(refused.value)


def test_every_codec_of_the_language_reads_or_refuses():
    read = 0
    for encoding in sorted(set(aliases.values())):
        try:
            stream = open_table("t.csv", b"a,b\n1,2\n\xff\xfe,\\\n", stated={"encoding": encoding})
            read += sum(batch.num_rows for batch in stream.batches(stream.header)) > 0
        except EquipoiseError:
            continue
    assert read > 20
