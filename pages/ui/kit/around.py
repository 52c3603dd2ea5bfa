"""What stands beneath a view that Streamlit draws: its details, and its table as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.ui.kit.downloads import csv_bytes
from pages.ui.kit.offers import CODE


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
        st.download_button(
            "CSV",
            lambda: csv_bytes(columns),  # made when it is asked for
            file,
            "text/csv",
            key=key,
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
        )


def _details(pairs: Sequence[tuple[str, str]]) -> None:
    with st.expander("Formula, source, command line", type="compact"):
        for heading, text in pairs:
            st.markdown(f"**{heading}**")
            if heading in CODE:
                st.code(text, language=None, wrap_lines=True)
            else:
                st.text(text)
