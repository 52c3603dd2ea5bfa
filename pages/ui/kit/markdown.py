"""Text in Streamlit's Markdown, letter by letter: names come from files and are never markup."""

import contextlib
import re
from collections.abc import Iterable, Iterator

import streamlit as st

from core.errors import EquipoiseError

_MARKS = frozenset("\\`*_{}[]()<>#+-.!|~$:&=@")
_ADDRESS = re.compile(r"(?i)(https?|ftp|mailto|www)(?=[:.])|(?=@)")
_JOINER = "\u2060"
"""Takes no room and breaks no line; without it an address becomes a link, escaped or not."""


def literal(text: str) -> str:
    r"""A text that Markdown shows as it is written, on one line.

    >>> literal("*b* <i>")
    '\\*b\\* \\<i\\>'
    """
    whole = _ADDRESS.sub(lambda hit: f"{hit[0]}{_JOINER}", " ".join(text.split()))
    return "".join(f"\\{c}" if c in _MARKS else c for c in whole)


def sentence(text: str) -> str:
    """The same with a capital letter in front, as an error message needs it."""
    return literal(f"{text[:1].upper()}{text[1:]}")


def refuse(problem: object, icon: str = ":material/error:") -> None:
    """An error as it is written: it may begin with a name of a file, which keeps its letters."""
    st.error(literal(str(problem)), icon=icon)


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """What cannot be is said in its place, and nothing more is drawn."""
    try:
        yield
    except EquipoiseError as problem:
        refuse(problem)
        st.stop()


def written(runs: Iterable[tuple[str, str]]) -> str:
    """Runs of (text, role) as Markdown; any role is written strongly."""
    return "".join(_run(text, bool(role)) for text, role in runs)


def _run(text: str, strong: bool) -> str:
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    inside = literal(text)
    return f"{lead}**{inside}**{tail}" if strong and inside else f"{lead}{inside}{tail}"
