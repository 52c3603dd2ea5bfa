"""States, edges or limits of a column in one line of text, as a person writes them."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from core.errors import EquipoiseError
from sources.cuts import day_text, equal_widths
from sources.proposals import Kind
from sources.schema import SchemaColumn
from sources.text import shown

_QUOTED = re.compile(r'^$|^\s|[",\r\n]|\s$').search
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
        return _listed(tuple(map(day_text, column.edges)))
    low, high, count = column.edges[0], column.edges[-1], len(column.edges) - 1
    if count > 2 and equal_widths(low, high, count) == column.edges:
        return f"{low:.12g} to {high:.12g} in {count}"
    return _listed(tuple(f"{edge:.12g}" for edge in column.edges))


def _listed(items: tuple[str, ...]) -> str:
    return ", ".join(f'"{i.replace(chr(34), chr(34) * 2)}"' if _QUOTED(i) else i for i in items)


def read_statement(kind: Kind, text: str) -> dict[str, Any]:
    """What a line of text states of a column of that kind.

    >>> read_statement("numbers", "0 to 120 in 12")
    {'limits': ('0', '120'), 'cut': '12'}
    >>> read_statement("dates", "2019-01-01 to 2020-12-31 by year")
    {'limits': ('2019-01-01', '2020-12-31'), 'cut': 'year'}
    >>> read_statement("states", 'yes, "no, never"')
    {'states': ('yes', 'no, never')}
    """
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
