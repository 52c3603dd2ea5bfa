"""What stands beneath a view that Streamlit draws: its details, and its table as a file."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from sources.formulas import neutral

SHELL = "python cli.py "
LINE, PYTHON, FIGURE = "Command line", "Python", "Figure"
CODE = (LINE, PYTHON)
"""Headings of what is to be copied letter by letter."""

DRAWING = ("allocate", "attack", "compare", "risk", "sweep", "synthesise", "undirected")
"""Verbs that draw the picture of their page."""


def offered(details: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The details of a view with the call and the figure behind its command line."""
    for heading, text in details:
        yield heading, text
        if heading == LINE and text.startswith(SHELL):
            line = text.removeprefix(SHELL)
            yield PYTHON, f"from cli import ask\nask({json.dumps(line, ensure_ascii=False)})"
            if line.split()[0] in DRAWING:
                yield FIGURE, "PNG and SVG beside the chart, or the line with --figure FILE.html"


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """The columns as CSV with a byte order mark, so that Excel reads UTF-8."""
    texts = [["" if v is None else neutral(str(v)) for v in values] for values in columns.values()]
    frame = pd.DataFrame(dict(enumerate(texts)), dtype="object")
    heads = [neutral(name) for name in columns]
    text: str = frame.to_csv(index=False, header=heads, lineterminator="\r\n")
    return text.encode("utf-8-sig")


def csv_button(columns: Mapping[str, Sequence[object]], file: str, **more: Any) -> None:  # noqa: ANN401
    """The columns to be taken away as a file, which is made when it is asked for."""
    st.download_button(
        "CSV", lambda: csv_bytes(columns), file, "text/csv", on_click="ignore",
        icon=":material/download:", **more,
    )  # fmt: skip


def foot(
    pairs: Sequence[tuple[str, str]],
    columns: Mapping[str, Sequence[object]],
    file: str,
    *,
    key: str,
) -> None:
    """Formula, source and command line behind an expander, and the columns as a file beside it."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        if pairs:
            _details(pairs)
        csv_button(columns, file, key=key, type="tertiary")


def _details(pairs: Sequence[tuple[str, str]]) -> None:
    with st.expander("Formula, source, command line", type="compact"):
        for heading, text in pairs:
            st.markdown(f"**{heading}**")
            if heading in CODE:
                st.code(text, language=None, wrap_lines=True)
            else:
                st.text(text)
