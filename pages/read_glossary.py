"""Glossary: every symbol and word on screen, each under its own anchor.

Any page may link to ``read-glossary#stage-one``.
"""

import streamlit as st

from core.study.glossary import GLOSSARY, Term


def holds(term: Term, asked: str) -> bool:
    """Whether an entry has the word that is searched for."""
    return asked.strip().casefold() in f"{term.name} {term.symbol} {term.meaning}".casefold()


with st.container(key="glossary", gap="xsmall"):
    sought = st.text_input("Search", key="glossary_search", placeholder="ε, leverage, Stage I …")
    shown = [term for term in GLOSSARY.values() if holds(term, sought)]
    if not shown:
        st.info("No entry holds this; clear the box to see them all.")
    for heading, symbols in (("Symbols", True), ("Words", False)):
        terms = [term for term in shown if bool(term.symbol) is symbols]
        if terms:
            st.header(heading, anchor=False)
        # words by name; symbols as they are listed
        for term in sorted(terms, key=lambda term: "" if term.symbol else term.name.casefold()):
            st.subheader(term.name, anchor=term.key)
            st.markdown(term.meaning.replace("_", r"\_"))
            st.caption(term.source.replace("_", r"\_"))
