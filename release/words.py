"""Numbers in plain words, the same on screen, in a dossier and in a shell."""

from __future__ import annotations

from core.privacy import Neighbours
from core.study.quantities import error, share

__all__ = ["budget", "counted", "error", "in_words", "relation", "share"]


def budget(value: float) -> str:
    """An ε: two decimals from 1 on, three below, significant digits for the very small.

    >>> budget(1.0), budget(0.125), budget(0.0004)
    ('1.00', '0.125', '0.00040')
    """
    if value >= 1:
        return f"{value:.2f}" if value < 100 else f"{value:.0f}"
    return f"{value:.3f}" if value >= 0.01 else error(value)


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "edge"), counted(1200, "node")
    ('1 edge', '1,200 nodes')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


_DIGITS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def in_words(number: int) -> str:
    """A number in a sentence: spelled out below ten.

    >>> in_words(2), in_words(14)
    ('two', '14')
    """
    return _DIGITS[number] if number < len(_DIGITS) else f"{number:,}"


def relation(neighbours: Neighbours) -> str:
    """The neighbouring relation as a clause."""
    if neighbours is Neighbours.ADD_REMOVE:
        return "one record added or removed"
    return "one record replaced"
