"""Files we write hold nothing that a spreadsheet computes, and come back as they were."""

import csv
import io

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.table import Variable
from sources.formulas import neutral, number_of, restored
from sources.records import records_csv
from sources.tables import read_table

HOSTILE = ("<script>alert(1)</script>", "=cmd|' /C calc'!A0", "'=cmd", "''=cmd", "=cmd", "-5")
ODD = st.sampled_from([*HOSTILE, "+1+1", "@x", "\tx", "\rx", "'", "a,b", 'say "x"', "x\ny", " a"])
TEXTS = ODD | st.text("'=+-@ab\t\r\n", min_size=1, max_size=4)


@st.composite
def hostile_rows(draw):
    names = draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))
    variables = tuple(
        Variable(name, tuple(draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))))
        for name in names
    )
    rows = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    codes = [rng.integers(v.cardinality, size=rows) for v in variables]
    return Rows(Dataset(variables, np.array(codes).T))


def rows_of(*columns):
    return Rows(
        Dataset(tuple(Variable(n, s) for n, s in columns), np.zeros((1, len(columns)), int))
    )


@settings(deadline=None, max_examples=150)
@example(rows_of(("\n", ("x",))))
@example(rows_of(("a", ("b",)), (" c", (" c",))))
@given(hostile_rows())
def test_records_come_back_from_our_reader(rows):
    dataset = rows.dataset
    written = records_csv(rows)
    found = read_table("records.csv", written, dataset.variables).dataset
    assert found.variables == dataset.variables
    assert np.array_equal(found.codes, dataset.codes)
    for row in csv.reader(io.StringIO(written.decode(), newline="")):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or number_of(cell)


@given(st.lists(TEXTS, min_size=1, max_size=5, unique=True))
def test_neutral_texts_differ_and_are_restored(texts):
    written = [neutral(text, texts) for text in texts]
    assert [restored(text, texts) for text in written] == texts


@given(st.lists(TEXTS, min_size=1, max_size=5, unique=True), TEXTS)
def test_a_known_text_is_never_restored_to_another(texts, other):
    assert [restored(text, texts) for text in texts] == texts
    assert restored(other, texts) in (other, other.lstrip("'"))
