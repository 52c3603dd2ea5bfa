"""Records as a CSV file that a spreadsheet cannot mistake for formulas."""

from __future__ import annotations

import csv
import io

import numpy as np

from core.counts import Rows
from sources.coding import number_of

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would compute."""


def neutral(text: str) -> str:
    """The text with an apostrophe in front where it could be a formula; numbers stay.

    >>> neutral("=1+1"), neutral("-5"), neutral("@x")
    ("'=1+1", '-5', "'@x")
    """
    return f"'{text}" if text.startswith(FORMULA) and number_of(text) is None else text


def records_csv(rows: Rows) -> bytes:
    """States by name, one line per record, header first, UTF-8."""
    dataset = rows.dataset
    columns = [
        np.array([neutral(state) for state in variable.states], dtype=object)[dataset.codes[:, j]]
        for j, variable in enumerate(dataset.variables)
    ]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([neutral(variable.name) for variable in dataset.variables])
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue().encode()
