"""Names of the files that a study gives away: which page, network, ε and seed they are of.

``equipoise-study-error.csv`` of Explore becomes ``equipoise-study-alarm-eps1-seed0-explore-error``
and so on, so that no two pages save different content under one name. Uploaded data is named
*upload* and nothing else.
"""

from __future__ import annotations

import streamlit as st

from pages.ui.kit import state
from pages.ui.kit.entries import PAGE, PAGES
from pages.ui.kit.words import exactly

PLAIN = "equipoise-study-"


def prefix() -> str:
    """What the names of this page's files begin with."""
    page = next((entry for entry in PAGES if entry.title == st.session_state.get(PAGE)), None)
    if page is None:
        return PLAIN
    scenario = f"{_scenario()}-" if page.sidebar else ""
    return f"{PLAIN}{scenario}{page.title.lower()}-"


def stamped(file: str) -> str:
    """A study's file under its full name; one of a release keeps its own."""
    return f"{prefix()}{file.removeprefix(PLAIN)}" if file.startswith(PLAIN) else file


def _scenario() -> str:
    values = st.session_state
    network = "upload" if values.network == state.UPLOADED else values.network
    return f"{network}-eps{exactly(values.eps)}-seed{int(values.seed)}"
