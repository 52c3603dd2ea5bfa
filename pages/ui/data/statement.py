"""States, edges or limits of a column in one line of text, as a person writes them."""

import csv
import io
import re
from typing import Any

from core.errors import EquipoiseError
from sources import cuts
from sources.proposals import Kind
from sources.schema import SchemaColumn
from sources.text import shown

_QUOTED = re.compile(r'^$|^\s|[",\r\n]|\s$').search
_WRITTEN = re.compile(r"(?P<rest>.*?)[,\s]*\bwritten\s+(?P<date>.+)", re.DOTALL)
_RANGE = re.compile(r"(?P<low>\S+) to (?P<high>\S+?)(?:,? (?:in|by) (?P<cut>\w+))?")


def statement_text(column: SchemaColumn) -> str:
    """What :func:`read_statement` reads as this column.

    >>> from core.table import Variable
    >>> statement_text(SchemaColumn(Variable("a", ("yes", "no, never"))))
    'yes, "no, never"'
    """
    if not column.edges:
        return _listed(column.variable.states)
    if column.date:
        return f"{_days(column)}, written {cuts.date_words(column.date)}"
    low, high, count = column.edges[0], column.edges[-1], len(column.edges) - 1
    if count > 2 and cuts.equal_widths(low, high, count) == column.edges:
        return f"{low:.12g} to {high:.12g} in {count}"
    return _listed(tuple(f"{edge:.12g}" for edge in column.edges))


def _days(column: SchemaColumn) -> str:
    """Limits and period where they give the same states, else every edge."""
    first, last = cuts.day_text(column.edges[0]), cuts.day_text(column.edges[-1] - cuts.DAY)
    for by in cuts.PERIODS:
        if len(column.edges) <= cuts.CUT_LIMIT and column.variable.states == _labels(
            first, last, by
        ):
            return f"{first} to {last} by {by}"
    return _listed(tuple(map(cuts.day_text, column.edges)))


def _labels(first: str, last: str, by: str) -> tuple[str, ...]:
    try:
        return cuts.date_cuts(first, last, by)[1]
    except EquipoiseError:  # more periods than a column may have
        return ()


def _listed(items: tuple[str, ...]) -> str:
    return ", ".join(f'"{i.replace(chr(34), chr(34) * 2)}"' if _QUOTED(i) else i for i in items)


def read_statement(kind: Kind, text: str) -> dict[str, Any]:
    """What a line of text states of a column of that kind.

    >>> read_statement("numbers", "0 to 120 in 12")
    {'limits': ('0', '120'), 'cut': '12'}
    >>> read_statement("dates", "2019-01-01 to 2020-12-31 by year")
    {'limits': ('2019-01-01', '2020-12-31'), 'cut': 'year'}
    >>> read_statement("dates", "written dd.mm.yyyy")
    {'date': '%d.%m.%Y'}
    >>> read_statement("states", 'yes, "no, never"')
    {'states': ('yes', 'no, never')}
    """
    written = _WRITTEN.fullmatch(text.strip()) if kind == "dates" else None
    if written is not None:
        own = {"date": cuts.date_format(written["date"])}
        return {**read_statement(kind, written["rest"]), **own} if written["rest"] else own
    whole = _RANGE.fullmatch(text.strip()) if kind in ("numbers", "dates") else None
    if whole is not None:
        return {"limits": (whole["low"], whole["high"]), "cut": whole["cut"] or ""}
    try:
        (items,) = csv.reader(io.StringIO(text.strip(), newline=""), skipinitialspace=True,
                              strict=True)  # fmt: skip
    except (csv.Error, ValueError):
        raise EquipoiseError(
            f"{shown(text)} is not understood; separate by commas and close every quote"
        ) from None
    read = tuple(items) if '"' in text else tuple(map(str.strip, items))
    return {"states" if kind in ("states", "yes/no") else "edges": read}
