"""Every symbol and word on screen, in one sentence each: plain data, for the pages and the shell.

A symbol with two meanings has two entries that name each other's place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import EquipoiseError
from core.study.glossary_people import PEOPLE
from core.study.glossary_symbols import SYMBOLS
from core.study.glossary_words import WORDS


@dataclass(frozen=True)
class Term:
    """One entry: ``name`` as on screen, ``symbol`` the sign it explains (empty for a word)."""

    key: str
    name: str
    meaning: str
    source: str
    symbol: str = ""


def _terms() -> Iterator[Term]:
    for key, (symbol, name, meaning, source) in SYMBOLS.items():
        yield Term(key, name, meaning, source, symbol)
    for key, (name, meaning, source) in {**WORDS, **PEOPLE}.items():
        yield Term(key, name, meaning, source)


GLOSSARY: dict[str, Term] = {term.key: term for term in _terms()}
"""Anchor -> entry; symbols first, then words."""


def tip(key: str) -> str:
    """The sentence beside a control."""
    return GLOSSARY[key].meaning


def find(word: str) -> list[Term]:
    """Entries with that symbol or key, or with the word in their names; one at least.

    >>> [term.key for term in find("δ")]
    ['delta-failure', 'delta-node-error']
    """
    asked = word.strip().casefold()
    exact = [
        t for t in GLOSSARY.values() if asked in (t.key, t.symbol.casefold(), t.name.casefold())
    ]
    found = exact or [t for t in GLOSSARY.values() if asked and asked in t.name.casefold()]
    if not found:
        raise EquipoiseError(
            f"the glossary has no {word!r}; see the whole list with python cli.py glossary"
        )
    return found
