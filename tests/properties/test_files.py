"""Tables written by Python's own writer are read back; anything else is refused in words."""

import csv
import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.table import Variable
from sources.dialect import Dialect
from sources.networks import read_network
from sources.schema import read_schema
from sources.tables import infer_domain, preview, read_table
from tests.strategies import datasets

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)


PRESENT = TEXTS.filter(lambda text: not Dialect().is_missing(text))


@st.composite
def written_tables(draw, labels=TEXTS):
    """A dataset with odd names and states, and a CSV file of it with one more column."""
    plain = draw(datasets().filter(lambda dataset: dataset.records))
    count = len(plain.variables)
    names = draw(st.lists(TEXTS.filter(bool), min_size=count + 1, max_size=count + 1, unique=True))
    variables = []
    for name, variable in zip(names, plain.variables, strict=False):
        size = variable.cardinality
        states = draw(st.lists(labels, min_size=size, max_size=size, unique=True))
        variables.append(Variable(name, tuple(states)))
    order = draw(st.permutations(range(count + 1)))
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=draw(st.sampled_from(",;\t")),
        lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
        quoting=csv.QUOTE_ALL,
    )
    writer.writerow([names[at] for at in order])
    for row in plain.codes:
        fields = [v.states[code] for v, code in zip(variables, row, strict=True)]
        writer.writerow([[*fields, "x"][at] for at in order])
    return tuple(variables), plain.codes, text.getvalue().encode()


@settings(deadline=None)  # the first call imports
@given(written_tables())
def test_a_table_written_and_read_has_the_same_codes(written):
    variables, codes, data = written
    found = read_table("t.csv", data, variables).dataset
    assert found.variables == variables
    assert np.array_equal(found.codes, codes)


@settings(deadline=None)  # the first call imports
@given(written_tables(PRESENT))
def test_an_inferred_domain_reads_the_same_values(written):
    variables, codes, data = written
    used = [{v.states[c] for c in codes[:, j]} for j, v in enumerate(variables)]
    inferred = infer_domain("t.csv", data, [v.name for v in variables])
    assert [set(v.states) for v in inferred] == used
    found = read_table("t.csv", data, inferred).dataset
    for j, variable in enumerate(variables):
        ours = [inferred[j].states[c] for c in found.codes[:, j]]
        assert ours == [variable.states[c] for c in codes[:, j]]


PIECES = st.sampled_from(
    [
        b"a",
        b"b",
        b",",
        b"a,b\n",
        b"yes",
        b"0",
        b"\n",
        b"\r",
        b'"',
        b'""',
        b";",
        b"\t",
        b"\xff",
        b"\xc3\xa9",
        b"\0",
        b"\xef\xbb\xbf",
        b"parent,child\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"NA",
        b'{"variables": [',
        b'{"columns": [',
        b'"name"',
        b'"states"',
        b'"bins"',
        b"BAYES\n",
        b"1 ",
        b"2 ",
        b"PAR1",
        b"variable a {",
        b"probability ( a ) {",
        b"type discrete [ 1 ] { 0 };",
        b"table 1;",
    ]
)
BYTES = st.lists(PIECES, max_size=25).map(b"".join) | st.binary(max_size=60)
DOMAIN = (Variable("a", ("yes", "no")), Variable("b", ("0", "1")))
GRAPH = read_network("g.json", b'{"variables": [{"name": "a"}, {"name": "b", "parents": ["a"]}]}')


@settings(max_examples=300, deadline=None)
@given(BYTES, st.sampled_from([".bif", ".json", ".csv", ".uai", ".doc"]))
def test_any_bytes_are_a_network_or_refused_by_name(data, ending):
    try:
        read_network(f"n{ending}", data)
    except EquipoiseError as problem:
        assert str(problem).startswith(f"n{ending}")


@settings(max_examples=300, deadline=None)
@given(
    BYTES,
    st.sampled_from([".csv", ".parquet", ".tsv"]),
    st.sampled_from(["refuse", "drop", "state"]),
)
def test_any_bytes_are_a_table_or_refused_by_name(data, ending, missing):
    try:
        read_table(f"t{ending}", data, DOMAIN, missing=missing)
    except EquipoiseError as problem:
        assert str(problem).startswith(f"t{ending}")
    shown = preview(f"t{ending}", data, GRAPH, missing=missing)
    assert {c.origin for c in shown.columns} <= {"inferred"}


@settings(deadline=None)
@given(BYTES)
def test_any_bytes_are_a_schema_or_refused_by_name(data):
    try:
        read_schema("s.json", data)
    except EquipoiseError as problem:
        assert str(problem).startswith("s.json")
