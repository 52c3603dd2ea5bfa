"""The three doors: to explore, to teach, to sign. Each opens a page in the right state."""

from dataclasses import dataclass

import streamlit as st

from pages.ui.kit import links


@dataclass(frozen=True)
class Door:
    """One way in; ``then`` follows it."""

    key: str
    icon: str
    title: str
    sentence: str
    button: str
    page: str
    then: tuple[str, str] | None = None


DOORS = (
    Door(
        "explore",
        ":material/tune:",
        "Explore",
        "Move the budget ε of a well-known network and watch error and risk answer together.",
        "Explore the trade-off",
        "pages/explore_tradeoff.py",
    ),
    Door(
        "teach",
        ":material/school:",
        "Teach",
        "Eight lessons of ten minutes: a class predicts, sees what is computed, and reads why.",
        "Open the lessons",
        "pages/teach_lessons.py",
    ),
    Door(
        "sign",
        ":material/edit_document:",
        "Sign",
        "Bring your own records, then review, rehearse and sign one release that is paid for once.",
        "Bring the records",
        "pages/load_data.py",
        then=("pages/review_release.py", "then to Release"),
    ),
)

NUMBERS = (
    "A number marked *Study* compares a private release with the truth: it shows what noise does, "
    "and must not be published.",
    "A line is the median over many rehearsed releases and its bands hold 50, 80 and 95 % of "
    "them, so your one release will lie somewhere in the band.",
    "A *guarantee* holds for every attacker and is proven, an *estimate* or a *measurement* holds "
    "for the attacker and the data it was made with: they are never one number.",
)


def page() -> None:
    """Draw it."""
    st.markdown("## What does it cost to publish a network privately?")
    st.markdown(
        "Equipoise adds noise to the probability tables of a Bayesian network, so that the "
        "result tells little about any one record, and shows what that costs before anything is "
        "spent."
    )
    with st.container(key="doors"):
        for column, door in zip(st.columns(3, border=True), DOORS, strict=True):
            with column:
                _door(door)
    st.markdown("#### What a number on screen means")
    for sentence in NUMBERS:
        st.markdown(f"- {sentence}")
    st.page_link(
        "pages/read_glossary.py", label="Every symbol and word", icon=":material/menu_book:"
    )


def _door(door: Door) -> None:
    st.markdown(f"#### {door.icon} {door.title}")
    st.markdown(door.sentence)
    opened = st.button(door.button, key=f"door_{door.key}", type="primary", width="stretch")
    if opened:
        links.go(door.page)
    if door.then:
        st.page_link(door.then[0], label=door.then[1], icon=":material/arrow_forward:")
