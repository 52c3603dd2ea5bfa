"""What a page offers where it needs rows and a connection gives counts alone."""

import streamlit as st

from pages.ui.kit import state
from pages.ui.kit.markdown import sentence
from sources.networks import sample_names
from sources.study import NEEDS_ROWS, Study


def rowless(study: Study, key: str) -> bool:
    """Whether rows are not here; if so says it, with a way to public and to charged ones."""
    if not study.connected:
        return False
    st.info(f"{sentence(NEEDS_ROWS)}.", icon=":material/database:")
    known = study.name in sample_names()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Made-up records of this network", key=f"{key}_public", on_click=_made_up,
            args=(study.name,), disabled=not known, icon=":material/casino:",
            help="Public: drawn from the network's published parameters. Your connection waits in "
            "the sidebar." if known else "This network has no published parameters to draw from.",
        )  # fmt: skip
        st.page_link(
            "pages/review_release.py", label="Release records (charged)",
            icon=":material/verified:",
            help="Order synthetic records with the model, then bring their file to Data.",
        )  # fmt: skip
    return True


def _made_up(name: str) -> None:
    st.session_state["network"] = name
    state.change(refresh=True)
