"""Every symbol and word on screen, in one sentence each, for the pages and the shell.

The sentences are in ``glossary.toml`` beside this file. A symbol with two meanings has two entries.
"""

import re
import tomllib
from dataclasses import dataclass
from importlib import resources

from core.errors import EquipoiseError


@dataclass(frozen=True)
class Term:
    """One entry: ``name`` as on screen, ``symbol`` the sign it explains (empty for a word)."""

    key: str
    name: str
    meaning: str
    source: str
    symbol: str = ""


_TEXTS = resources.files("core.study").joinpath("glossary.toml").read_text(encoding="utf-8")
GLOSSARY: dict[str, Term] = {
    key: Term(key, **entry) for key, entry in tomllib.loads(_TEXTS).items()
}
"""Anchor -> entry; symbols first, then words."""


def tip(key: str) -> str:
    """The sentence beside a control."""
    return GLOSSARY[key].meaning


def named_in(text: str) -> list[Term]:
    """Entries whose sign, or whose name where it is a term of art, occurs in a text.

    >>> [term.key for term in named_in("power = Φ(μ − z_a), μ = √(C/n)")]
    ['mu-risk', 'mu-bounds', 'complexity', 'normal']
    """
    signs = set(_SIGNS.findall(text))
    return [term for sign, terms in _LINKED.items() if sign in signs for term in terms]


def find(word: str) -> list[Term]:
    """Entries with that symbol or key, or with the word in their names; one at least.

    >>> [term.key for term in find("δ")]
    ['delta-failure', 'delta-node-error']
    """
    sign, asked = word.strip(), word.strip().casefold()
    terms = list(GLOSSARY.values())
    exact = [t for t in terms if sign == t.symbol or asked in (t.key, t.name.casefold())]
    matching = exact or [t for t in terms if asked and asked in t.name.casefold()]
    if not matching:
        raise EquipoiseError(
            f"the glossary has no {word!r}; see the whole list with python cli.py glossary"
        )
    return matching


ARTS = ("stage-one", "leverage", "auc", "advantage", "pool", "l1", "kl", "treewidth", "composed")
"""Words that a text links to wherever they occur; the others are looked up."""

_LINKED: dict[str, list[Term]] = {}
for _term in GLOSSARY.values():
    if _term.symbol or _term.key in ARTS:
        _LINKED.setdefault(_term.symbol or _term.name, []).append(_term)

_SIGNS = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(map(re.escape, _LINKED))})(?![A-Za-z])")
"""One pass over a text: it is read again with every move of a knob."""
