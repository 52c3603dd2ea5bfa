"""The frame: page registry, sidebar, navigation. Everything on a page is in ``pages/``."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.ui import inputs, state


@dataclass(frozen=True)
class Entry:
    """One page: its file has two words, its address the same words with a hyphen."""

    file: str
    title: str

    @property
    def address(self) -> str:
        """Differs from the file name, or a cold deep link would bypass this frame."""
        return self.file.replace("_", "-")


UI = Path(__file__).parent / "pages" / "ui"
PAGES = (
    Entry("explore_tradeoff", "Explore"),
    Entry("allocate_budget", "Allocate"),
    Entry("measure_utility", "Utility"),
    Entry("assess_risk", "Risk"),
    Entry("synthesise_data", "Synthesise"),
    Entry("compare_undirected", "Undirected"),
    Entry("review_release", "Release"),
    Entry("load_data", "Data"),
)


def main() -> None:
    """Draw the frame, then the page asked for."""
    st.set_page_config(
        page_title="Equipoise", page_icon=str(UI / "board" / "icon.svg"), layout="wide"
    )
    st.logo(str(UI / "board" / "logo.svg"), size="large")
    st.html(UI / "frame.css")
    registered = [
        st.Page(f"pages/{e.file}.py", title=e.title, url_path=e.address, default=e is PAGES[0])
        for e in PAGES
    ]
    page = st.navigation(registered, position="top")
    state.begin()
    with st.sidebar:
        inputs.sidebar(page.title)
    page.run()


if __name__ == "__main__":
    main()
