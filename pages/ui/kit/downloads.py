"""Tables as files: what a spreadsheet would take for a formula is neutralised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from sources.formulas import neutral


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """The columns as CSV with a byte order mark, so that Excel reads UTF-8."""
    texts = [["" if v is None else neutral(str(v)) for v in values] for values in columns.values()]
    frame = pd.DataFrame(dict(enumerate(texts)), dtype="object")
    heads = [neutral(name) for name in columns]
    text: str = frame.to_csv(index=False, header=heads, lineterminator="\r\n")
    return text.encode("utf-8-sig")
