"""Texts that a spreadsheet would compute: neutral in files we write, as they were when read."""

import math
import re
from collections.abc import Container

_FORMULA = re.compile("[=+\\-@\t\r]")
"""How a text begins that a spreadsheet would compute."""


def neutral(text: str, others: Container[str] = ()) -> str:
    """The text with apostrophes in front where it could be a formula; numbers stay.

    One apostrophe, or more where that would be one of the ``others``.

    >>> neutral("=1+1"), neutral("-5"), neutral("@x"), neutral("=1", ["'=1"])
    ("'=1+1", '-5', "'@x", "''=1")
    """
    if not _FORMULA.match(text) or number_of(text) is not None:
        return text
    quoted = f"'{text}"
    while quoted in others:
        quoted = f"'{quoted}"
    return quoted


def restored(text: str, known: Container[str]) -> str:
    """The text among the known ones that :func:`neutral` was given; any other text as it is.

    >>> restored("'=1", ["=1"]), restored("'=1", ["=1", "'=1"]), restored("'a", ["a"])
    ('=1', "'=1", "'a")
    """
    plain = text.lstrip("'")
    if text in known or not _FORMULA.match(plain) or plain not in known:
        return text
    return plain


def number_of(value: str | None) -> float | None:
    """A value as a finite number, None when it is not written as one."""
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in str(value) else None
