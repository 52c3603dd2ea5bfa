"""Numbers in plain words, the same on screen, in a dossier and in a shell."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.privacy import Neighbours
from core.study.quantities import error, share

__all__ = ["budget", "counted", "error", "group_rows", "in_words", "noise_name", "relation",
           "share"]  # fmt: skip

GROUPS = (
    "Who bears the error, on the same stand-in. Error: mean difference of probabilities, of rows "
    "or, among people of a state, of all other variables. Bias: how much too common (below zero: "
    "too rare) the usual state of a row is, or the people themselves. Medians with 95 % of runs."
)
GROUP_HEAD = ("group", "rows or people", "of records", "error", "bias")


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


def small(value: float) -> str:
    """A share that may be too small for two decimals.

    >>> small(0.5), small(1e-6)
    ('50 %', 'below 0.01 %')
    """
    return share(value) if value >= 1e-4 else "below 0.01 %"


def group_rows(groups: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    """Groups of a rehearsal under ``GROUP_HEAD``: one row for each."""

    def band(group: Mapping[str, Any], key: str, told: Callable[[float], str]) -> str:
        low, high = group[f"{key}_low"], group[f"{key}_high"]
        return f"{told(group[key])} ({told(low)} to {told(high)})"

    return [
        [g["name"], f"{g['members']:,}", small(g["share"]),
         band(g, "error", error), band(g, "bias", _sided)]
        for g in groups
    ]  # fmt: skip


def _sided(value: float) -> str:
    told = f"{value:+.3f}"
    return told if told[1:] != "0.000" else "0.000"


def noise_name(kind: str) -> str:
    """The noise with its discoverer's capital letter."""
    return kind.replace("laplace", "Laplace").replace("gaussian", "Gaussian")
