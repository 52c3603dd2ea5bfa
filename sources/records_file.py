"""Records as a CSV file that a spreadsheet cannot mistake for formulas."""

from __future__ import annotations

import csv
import io
from typing import Literal

import numpy as np

from core.counts import Rows
from sources.formulas import neutral


def records_csv(rows: Rows) -> bytes:
    """States by name, one line per record, header first, UTF-8."""
    dataset = rows.dataset
    columns = [
        np.array([neutral(s, variable.code_of) for s in variable.states], dtype=object)[codes]
        for variable, codes in zip(dataset.variables, dataset.codes.T, strict=True)
    ]
    names = [variable.name for variable in dataset.variables]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=_quoting(rows))
    writer.writerow([neutral(name, names) for name in names])
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue().encode()


def _quoting(rows: Rows) -> Literal[0, 1]:
    """Quotes round every cell where one holds what other writers separate by."""
    texts = (text for v in rows.dataset.variables for text in (v.name, *v.states))
    odd = any(not {";", "\t", "\r"}.isdisjoint(text) for text in texts)
    return csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL
