"""Where numbers and dates are cut into states: equal widths, decades to months, labels."""

import datetime
import itertools
import math
import re
from collections.abc import Sequence

from core.errors import EquipoiseError
from sources.text import shown

CUT_LIMIT = 1000
"""Most states that a column is cut into."""

ISO = "ISO8601"
"""Dates as 2020-12-31, with or without a time."""

_TOKENS = (("hh:mm:ss", "%H:%M:%S"), ("hh:mm", "%H:%M"), ("yyyy", "%Y"), ("yy", "%y"),
           ("mm", "%m"), ("dd", "%d"))  # fmt: skip

DAY = 86400.0
PERIODS = {"decade": 120, "year": 12, "quarter": 3, "month": 1}
"""Months of each period that dates can be cut by."""


def bin_labels(edges: Sequence[float], *, dates: bool = False) -> tuple[str, ...]:
    """States of the bins between edges; the last holds its upper edge too, unless they are dates.

    >>> bin_labels((0, 18, 65))
    ('[0, 18)', '[18, 65]')
    """
    texts = [day_text(edge) if dates else f"{edge:.12g}" for edge in edges]
    pairs = list(itertools.pairwise(texts))
    return tuple(
        f"[{low}, {high}" + ("]" if at == len(pairs) and not dates else ")")
        for at, (low, high) in enumerate(pairs, start=1)
    )


def equal_widths(low: float, high: float, count: int) -> tuple[float, ...]:
    """Edges of ``count`` bins of one width between two limits.

    >>> equal_widths(0, 120, 4)
    (0.0, 30.0, 60.0, 90.0, 120.0)
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise EquipoiseError(f"the limits {low:g} and {high:g} leave no room; give LOW below HIGH")
    if not 1 <= count <= CUT_LIMIT:
        raise EquipoiseError(f"{count} bins are asked for; give 1 to {CUT_LIMIT}")
    inner = (low + (high - low) * step / count for step in range(1, count))
    edges = (float(low), *(float(f"{edge:.12g}") for edge in inner), float(high))
    if any(a >= b for a, b in itertools.pairwise(edges)):
        raise EquipoiseError(
            f"{count} bins between {low:g} and {high:g} are too narrow; give fewer"
        )
    return edges


def seconds(text: str) -> float:
    """A day written as 2020-12-31, in seconds since 1970."""
    try:
        day = datetime.date.fromisoformat(text.strip())
        if day.year == datetime.MAXYEAR:  # has no year after it
            raise ValueError
    except ValueError:
        raise EquipoiseError(f"{shown(text)} is not a day; write it as 2020-12-31") from None
    return day_seconds(day)


def date_format(written: str) -> str:
    """How dates are written as a program says it; formats with a per cent sign stay.

    >>> date_format("dd.mm.yyyy"), date_format("mm/dd/yy hh:mm")
    ('%d.%m.%Y', '%m/%d/%y %H:%M')
    """
    text = written.strip()
    if text in ("", "yyyy-mm-dd"):
        return ISO
    if text == ISO or "%" in text:
        return text
    for words, code in _TOKENS:
        text = text.replace(words, code)
    if any(letter.isalpha() for letter in re.sub("%[a-zA-Z]", "", text)) or "%d" not in text:
        raise EquipoiseError(f"{shown(written)} is no way to write dates; try dd.mm.yyyy")
    return text


def date_words(code: str) -> str:
    """How dates are written as a person says it.

    >>> date_words("%d.%m.%Y"), date_words("ISO8601")
    ('dd.mm.yyyy', 'yyyy-mm-dd')
    """
    if code == ISO:
        return "yyyy-mm-dd"
    text = code
    for words, token in _TOKENS:
        text = text.replace(token, words)
    return text


def day_seconds(day: datetime.date) -> float:
    """The beginning of a day, in seconds since 1970."""
    return (day - datetime.date(1970, 1, 1)).days * DAY


def day_text(edge: float) -> str:
    """The day of an edge, as 2020-12-31."""
    try:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(edge / DAY)).isoformat()
    except (OverflowError, ValueError):
        raise EquipoiseError("a day is after the year 9999 or before 1; correct the date") from None


def date_cuts(first: str, last: str, by: str) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Edges and labels from the first to the last day, both included.

    ``by`` is decade, year, quarter, month, or a number of equal widths.
    """
    low, high = seconds(first), seconds(last) + DAY
    if by not in PERIODS:
        if not by.isdecimal():
            raise EquipoiseError(
                f"{shown(by)} cuts no dates; give {', '.join(PERIODS)} or a number"
            )
        edges = equal_widths(low / DAY, high / DAY, int(by[:6]))
        whole = tuple(sorted({round(edge) * DAY for edge in edges}))
        return whole, bin_labels(whole, dates=True)
    if low >= high:
        raise EquipoiseError(f"the limits {first} and {last} leave no room; give FIRST before LAST")
    start = datetime.date.fromisoformat(first.strip())
    month = (start.year * 12 + start.month - 1) // PERIODS[by] * PERIODS[by]
    ends, labels = [low], list[str]()
    while ends[-1] < high and len(labels) <= CUT_LIMIT:
        year, quarter = divmod(month, 12)
        labels.append({
            "decade": f"{year}s", "year": f"{year}", "quarter": f"{year}-Q{quarter // 3 + 1}",
        }.get(by, f"{year}-{quarter + 1:02}"))  # fmt: skip
        month += PERIODS[by]
        after = month // 12 > datetime.MAXYEAR
        end = high if after else day_seconds(datetime.date(month // 12, month % 12 + 1, 1))
        ends.append(min(high, end))
    if len(labels) > CUT_LIMIT:
        raise EquipoiseError(
            f"{first} to {last} has over {CUT_LIMIT} such periods; take longer ones"
        )
    return tuple(ends), tuple(labels)
