"""Columns in one line of text: what is written is read back, what is no line is refused."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.table import Variable
from pages.ui.data.statement import read_statement, statement_text
from sources.cuts import ISO, bin_labels, date_cuts, equal_widths
from sources.schema import SchemaColumn
from sources.seen import DATES

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
    days = tuple(86400.0 * day for day in (0, 31, 400))
    text = statement_text(SchemaColumn(Variable("d", bin_labels(days, dates=True)), days, ISO))
    assert text == "1970-01-01, 1970-02-01, 1971-02-05, written yyyy-mm-dd"


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(0, 900),
       st.sampled_from(["decade", "year", "quarter", "month"]), st.sampled_from(DATES))  # fmt: skip
def test_periods_are_read_back_with_how_dates_are_written(first, days, by, written):
    last = date.fromordinal(first.toordinal() + days).isoformat()
    edges, labels = date_cuts(first.isoformat(), last, by)
    read = read_statement(
        "dates", statement_text(SchemaColumn(Variable("d", labels), edges, written))
    )
    assert read["date"] == written and date_cuts(*read["limits"], read["cut"]) == (edges, labels)


def test_a_way_to_write_dates_that_is_none_is_refused():
    with pytest.raises(EquipoiseError, match=r"'day/month' is no way to write dates; try dd\.mm"):
        read_statement("dates", "2019-01-01 to 2020-12-31, written day/month")


@pytest.mark.parametrize("text", ['yes, "no', "a\nb", '"a" b, c'])
def test_a_line_that_is_none_is_refused(text):
    with pytest.raises(EquipoiseError, match="is not understood"):
        read_statement("states", text)
