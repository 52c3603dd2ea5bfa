"""Every entry under its anchor, so that any page may link to ``read-glossary#stage-one``."""

from __future__ import annotations

import streamlit as st

from core.study.glossary import GLOSSARY, Term


def page() -> None:
    """Draw it; a word in the search box leaves the entries that hold it."""
    with st.container(key="glossary", gap="xsmall"):
        _entries()


def _entries() -> None:
    asked = st.text_input("Search", key="glossary_search", placeholder="ε, leverage, Stage I …")
    shown = [term for term in GLOSSARY.values() if _holds(term, asked)]
    if not shown:
        st.info("No entry holds this; clear the box to see them all.")
    for heading, symbols in (("Symbols", True), ("Words", False)):
        terms = [term for term in shown if bool(term.symbol) is symbols]
        if terms:
            st.header(heading, anchor=False)
        for term in sorted(terms, key=_order):
            st.subheader(term.name, anchor=term.key)
            st.markdown(term.meaning.replace("_", r"\_"))
            st.caption(term.source.replace("_", r"\_"))


def _order(term: Term) -> str:
    """Words by name; symbols as they are listed."""
    return "" if term.symbol else term.name.casefold()


def _holds(term: Term, asked: str) -> bool:
    return asked.strip().casefold() in f"{term.name} {term.symbol} {term.meaning}".casefold()
