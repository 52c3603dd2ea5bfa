"""Tables as files: what a spreadsheet would take for a formula is neutralised."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """The columns as CSV with a byte order mark, so that Excel reads UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_cell(name) for name in columns])
    for row in zip(*columns.values(), strict=True):
        writer.writerow([_cell(value) for value in row])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def _cell(value: object) -> str:
    """A value as text; one that begins with = + - @ and is no number gets a quote in front."""
    text = "" if value is None else str(value)
    risky = text[:1] in "=+-@\t\r" and text != "" and not _NUMBER.fullmatch(text)
    return f"'{text}" if risky else text
