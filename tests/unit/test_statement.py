"""Columns in one line of text: what is written is read back, what is no line is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.table import Variable
from pages.ui.data.statement import read_statement, statement_text
from sources.cuts import bin_labels, date_cuts, equal_widths
from sources.schema import SchemaColumn

TEXTS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=9)


@given(st.lists(TEXTS, min_size=1, max_size=6, unique=True))
def test_states_are_read_back_as_they_were(states):
    column = SchemaColumn(Variable("a", tuple(states)))
    assert read_statement("states", statement_text(column)) == {"states": tuple(states)}


@given(st.integers(-50, 50), st.integers(1, 200), st.integers(3, 30))
def test_equal_widths_are_read_back_as_their_limits(low, span, count):
    edges = equal_widths(low, low + span, count)
    text = statement_text(SchemaColumn(Variable("a", bin_labels(edges)), edges))
    read = read_statement("numbers", text)
    assert read == {"limits": (f"{low}", f"{low + span}"), "cut": str(count)}


def test_uneven_edges_and_days_are_listed():
    edges = (0.0, 18.0, 65.0, 120.0)
    assert statement_text(SchemaColumn(Variable("a", bin_labels(edges)), edges)) == "0, 18, 65, 120"
    days, labels = date_cuts("2019-01-01", "2020-12-31", "year")
    text = statement_text(SchemaColumn(Variable("d", labels), days, "%Y-%m-%d"))
    assert read_statement("dates", text) == {"edges": ("2019-01-01", "2020-01-01", "2021-01-01")}


@pytest.mark.parametrize("text", ['yes, "no', "a\nb", '"a" b, c'])
def test_a_line_that_is_none_is_refused(text):
    with pytest.raises(EquipoiseError, match="is not understood"):
        read_statement("states", text)
