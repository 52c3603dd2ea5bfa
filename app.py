"""The frame: sidebar, navigation, and what is said on every page. Pages are in ``pages/``."""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.ui.kit import inputs, links, returning, scenario_panel, state, visitors
from pages.ui.kit.entries import EXPLORE, PAGE, PAGES, START, Entry

UI = Path(__file__).parent / "pages" / "ui"


def first_page() -> Entry:
    """Where the bare address leads: to the doors, or with a scenario to Explore.

    Old links with parameters show what they always showed; someone who comes with nothing is told
    first what there is. Streamlit does not know the first page by its own address, so whoever asks
    for that is given the other. It stays for the session, as addresses depend on it.
    """
    if "first" not in st.session_state:
        asked = str(st.context.url or "").rstrip("/").rpartition("/")[2]
        bare = not st.query_params.to_dict() and asked != START.address
        first = START if bare or asked == EXPLORE.address else EXPLORE
        st.session_state["first"] = first.title
    return next(e for e in PAGES if e.title == st.session_state["first"])


def main() -> None:
    """Draw the frame, then the page asked for."""
    icon, logo = (str(UI / "kit" / "browser" / f"{name}.svg") for name in ("icon", "logo"))
    st.set_page_config(page_title="Equipoise", page_icon=icon, layout="wide")
    st.logo(logo, size="large")
    st.html(UI / "frame.css")
    visitors.gate()
    first = first_page()
    groups: dict[str, list[StreamlitPage]] = {}
    for e in PAGES:
        groups.setdefault(e.group, []).append(
            st.Page(f"pages/{e.file}.py", title=e.title, url_path=e.address, default=e is first)
        )
    page = st.navigation(groups, position="top")
    returning.begin()
    state.begin()
    links.begin()
    with st.sidebar:
        inputs.sidebar(page.title)
        scenario_panel.panel()
    st.session_state[PAGE] = page.title
    links.answer()
    if said := next(e.answers for e in PAGES if e.title == page.title):
        st.container(key="page_question").caption(said)
    returning.greet()
    returning.keep()  # a page may stop before its end
    page.run()
    returning.keep()


if __name__ == "__main__":
    main()
