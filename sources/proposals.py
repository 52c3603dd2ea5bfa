"""Columns of a file as a schema could describe them: from public facts, or seen in the records.

Public facts are the header, the types that a file declares, a code book, and what the steward
states. What was read off the records is marked ``seen``: it is not private, and not public either
until the steward says where it is known from.
"""

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import pyarrow as pa

from core.errors import EquipoiseError
from core.table import Variable
from sources.codebook import CodeBook
from sources.columns import Stream
from sources.cuts import ISO, bin_labels, date_cuts, date_format, day_text, equal_widths, seconds
from sources.dialect import Dialect
from sources.formulas import number_of
from sources.schema import Outside, Schema, SchemaColumn
from sources.seen import FEW, INFERRED_STATES, LONGEST, Seen, look
from sources.text import listed, shown

Kind = Literal["states", "yes/no", "numbers", "dates", "identifier"]
KINDS: tuple[Kind, ...] = ("states", "yes/no", "numbers", "dates", "identifier")
"""What a column may be; an identifier is left out."""

YEARS = 30
"""Longest time that is cut by years where nothing is stated: beyond, by decades."""

_PAIRS = (("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f"), ("1", "0"), ("ja", "nein"))
_IDENTIFIER = re.compile(r"(^|[_ -])(id|uuid|guid|ssn|iban|e?-?mail|phone)$", re.IGNORECASE)
_TOLD = ("delimiter", "decimal", "thousands")
_DATE = re.compile(r"(^|[_ -])(date|datum|day|timestamp)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class StatedColumn:
    """What the steward states of one column; empty: not stated.

    ``limits`` are the lowest and highest value, ``cut`` the number of equal widths between them, or
    decade, year, quarter or month. Limits and edges are texts: numbers, or days as 2020-12-31.
    """

    kind: Kind | Literal[""] = ""
    states: tuple[str, ...] = ()
    limits: tuple[str, str] | None = None
    cut: str = ""
    edges: tuple[str, ...] = ()
    date: str = ""
    missing: str = ""
    outside: Outside = "refuse"
    source: str = ""


@dataclass(frozen=True)
class ColumnProposal:
    """One column; ``column`` is None where it is left out or ``question`` is open.

    ``why`` says why it is proposed to be left out.
    """

    name: str
    kind: Kind
    column: SchemaColumn | None
    question: str = ""
    why: str = ""


def proposed(
    stream: Stream,
    stated: Mapping[str, StatedColumn],
    *,
    book: CodeBook | None = None,
    private: bool = False,
) -> tuple[ColumnProposal, ...]:
    """A proposal for each column; ``private`` ones look at no row."""
    names = [name for name in stream.header if name]
    for name in set(stated).union(book.columns if book else ()) - set(names):
        raise EquipoiseError(f"there is no column {shown(name)}; it has {listed(stream.header)}")
    seen = {} if private else look(stream, names)
    every = (stated.get(name, StatedColumn()) for name in names)
    return tuple(
        ColumnFacts(name, stream.types.get(name), seen.get(name), said, book).proposal()
        for name, said in zip(names, every, strict=True)
    )


def proposed_schema(name: str, proposals: Sequence[ColumnProposal], dialect: Dialect) -> Schema:
    """The schema that the proposals make; an open question is refused."""
    for proposal in proposals:
        if proposal.question:
            raise EquipoiseError(proposal.question)
    columns = tuple(p.column for p in proposals if p.column is not None)
    left_out = tuple(p.name for p in proposals if p.column is None)
    usual = asdict(Dialect())
    file = {key: value for key, value in asdict(dialect).items()
            if value != usual[key] or isinstance(value, bool) or key in _TOLD}  # fmt: skip
    return Schema(name, columns, left_out, file)


@dataclass(frozen=True)
class ColumnFacts:
    """What is known of one column: its declared type, what the rows show, what is stated."""

    name: str
    type: pa.DataType | None
    seen: Seen | None
    stated: StatedColumn
    book: CodeBook | None

    def proposal(self) -> ColumnProposal:
        """What a schema could say of it."""
        kind = self._kind()
        makers: dict[Kind, Callable[[], SchemaColumn | str]] = {
            "states": self._states,
            "yes/no": self._states,
            "numbers": self._numbers,
            "dates": self._dates,
        }
        if kind == "identifier":
            return ColumnProposal(self.name, kind, None, why=self._why())
        column = makers[kind]()
        if isinstance(column, str):
            return ColumnProposal(self.name, kind, None, f"column {shown(self.name)}: {column}")
        said = self.stated
        source = said.source or column.source
        column = replace(column, missing=said.missing, outside=said.outside, source=source)
        return ColumnProposal(self.name, kind, column)

    def _kind(self) -> Kind:
        said = self.stated
        if said.kind:
            return said.kind
        if said.states or (self.book and self.name in self.book.columns):
            return "states"
        bounds = said.edges or said.limits
        if bounds:
            day = number_of(bounds[0]) is None and "-" in bounds[0][1:]
            return "dates" if day else "numbers"
        if _IDENTIFIER.search(self.name):
            return "identifier"
        declared = _declared(self.type)
        if self.seen is None or declared in ("dates", "yes/no"):
            return declared or ("dates" if _DATE.search(self.name) else "states")
        return _shown_kind(self.seen)

    def _why(self) -> str:
        """Why nobody would expect its values in a table of probabilities; empty where stated."""
        if self.stated.kind:
            return ""
        if _IDENTIFIER.search(self.name):
            return "its name is that of an identifier"
        if self.seen is not None and self.seen.long:
            return f"it has texts of over {LONGEST} characters"
        if self.seen is None or not self.seen.values:
            return "it has no values"
        if self.seen.numeric:
            return "every row has a number of its own"
        return f"it has over {INFERRED_STATES} different texts"

    def _states(self) -> SchemaColumn | str:
        if self.stated.states:
            variable = Variable(self.name, self.stated.states)
            return SchemaColumn(variable, source="states that were stated")
        if self.book and self.name in self.book.columns:
            return self.book.column(self.name)
        if self.type is not None and pa.types.is_boolean(self.type):
            return SchemaColumn(Variable(self.name, ("false", "true")), source="type in the file")
        if self.seen is None or self.seen.many or not self.seen.values:
            return "its states are not known; state them, give a code book or leave it out"
        return SchemaColumn(Variable(self.name, _completed(self.seen.states)), seen=True)

    def _numbers(self) -> SchemaColumn | str:
        said = self.stated
        if said.edges:
            edges = tuple(map(_number, said.edges))
            return self._cut(edges, bin_labels(edges), "edges that were stated")
        limits, source = said.limits, "limits that were stated"
        if limits is None:
            if self.seen is None or not self.seen.numeric or not self.seen.values:
                return "its limits are not known; state the lowest and highest value"
            limits, source = _rounded(*self.seen.span), ""
        count = said.cut or "10"
        if not count.isdecimal():
            raise EquipoiseError(f"{shown(count)} cuts no numbers; give how many equal widths")
        low, high = map(_number, limits)
        edges = equal_widths(low, high, int(count[:6]))
        return self._cut(edges, bin_labels(edges), source)

    def _dates(self) -> SchemaColumn | str:
        said, seen = self.stated, self.seen
        seen_dates = seen.dates if seen else ()
        written = date_format(said.date) if said.date else (*seen_dates, ISO)[0]
        if said.edges:
            edges = tuple(map(seconds, said.edges))
            labels = bin_labels(edges, dates=True)
            return self._cut(edges, labels, "edges that were stated", written)
        limits, source = said.limits, "limits that were stated"
        if limits is None:
            if seen is None or written not in seen.spans:
                return "its limits are not known; state the first and the last day"
            years = [day_text(end)[:4] for end in seen.spans[written]]
            limits, source = (f"{years[0]}-01-01", f"{years[1]}-12-31"), ""
        edges, labels = date_cuts(*limits, said.cut or _usual_period(*limits))
        return self._cut(edges, labels, source, written)

    def _cut(
        self, edges: tuple[float, ...], labels: tuple[str, ...], source: str, date: str = ""
    ) -> SchemaColumn:
        if len(edges) < 2 or any(low >= high for low, high in itertools.pairwise(edges)):
            raise EquipoiseError(
                f"column {shown(self.name)}: give at least two edges, each above the one before"
            )
        variable = Variable(self.name, labels)
        return SchemaColumn(variable, edges, date, source=source, seen=not source)


def _usual_period(first: str, last: str) -> str:
    """Months of one year, years of a few decades, decades of a lifetime.

    >>> _usual_period("2020-01-01", "2020-12-31"), _usual_period("1930-01-01", "2014-12-31")
    ('month', 'decade')
    """
    start, end = (int(day_text(seconds(day))[:4]) for day in (first, last))
    years = end - start
    return "month" if not years else "year" if years <= YEARS else "decade"


def _declared(kind: pa.DataType | None) -> Kind | None:
    """What a type in the file's own header says."""
    if kind is None:
        return None
    if pa.types.is_boolean(kind):
        return "yes/no"
    if pa.types.is_temporal(kind):
        return "dates"
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return "numbers" if number else None


def _shown_kind(seen: Seen) -> Kind:
    """What the values look like."""
    values = {value.casefold() for value in seen.values}
    if not values or seen.long:
        return "identifier"
    if any(values <= set(pair) for pair in _PAIRS):
        return "yes/no"
    if seen.numeric:
        if seen.whole and seen.alone and seen.many:
            return "identifier"
        return "numbers" if len(values) > FEW else "states"
    if seen.dates:
        return "dates"
    return "identifier" if seen.many else "states"


def _completed(states: tuple[str, ...]) -> tuple[str, ...]:
    """Both words of a pair where one alone occurs."""
    if len(states) == 1:
        for pair in _PAIRS:
            if states[0] in pair:
                return pair
    return states


def _rounded(low: float, high: float) -> tuple[str, str]:
    """Limits that hold the range, at round numbers."""
    step = 10.0 ** math.floor(math.log10(high - low)) if high > low else 1.0
    ends = math.floor(low / step) * step, math.ceil(high / step) * step
    return f"{ends[0]:.12g}", f"{ends[1] if ends[1] > ends[0] else ends[0] + step:.12g}"


def _number(text: str) -> float:
    number = number_of(text)
    if number is None:
        raise EquipoiseError(f"{shown(text)} is not a number; write it as 1.5")
    return number
