"""Tables as files: every value as it was, and no formula among them."""

import csv
import io

import pytest

from pages.ui.kit.around import csv_bytes

TABLE = {
    "node": ["smoke", "=HYPERLINK(1)", 'with "quotes", commas', "two\nlines"],
    "@epsilon": [0.1, -2.5, None, 1e-07],
    "count": [1, None, 3, -4],
    "": ["", "+1+1", "-5", "\t=1"],
}


def cells(data):
    text = data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_values_come_back_as_written_and_formulas_are_texts():
    assert cells(csv_bytes(TABLE)) == [
        ["node", "'@epsilon", "count", ""],
        ["smoke", "0.1", "1", ""],
        ["'=HYPERLINK(1)", "-2.5", "", "'+1+1"],
        ['with "quotes", commas', "", "3", "-5"],
        ["two\nlines", "1e-07", "-4", "'\t=1"],
    ]


def test_excel_reads_it():
    data = csv_bytes({"ε": ["β"]})
    assert data == b"\xef\xbb\xbf" + "ε\r\nβ\r\n".encode()


def test_columns_of_different_lengths_are_no_table():
    with pytest.raises(ValueError):
        csv_bytes({"a": [1, 2], "b": [1]})
