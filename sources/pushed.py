"""Coding where the rows are: the states of a column as one expression, from public facts alone.

The same answers as :mod:`sources.coding` gives in memory: spellings of nothing, blanks, decimal
commas, bins with their edges, dates. A value that is no state becomes the code after the last, a
missing one the code after that.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from core.errors import EquipoiseError
from sources.coding import Coding, texts
from sources.cuts import ISO, day_text
from sources.dialect import Dialect
from sources.engines import Ibis, ibis
from sources.numerals import SIGNS, number_shape
from sources.schema import MISSING_STATE
from sources.text import shown
from sources.units import unnamed

BLANKS = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What is cut off round a value."""

APOSTROPHES = 4
"""Most apostrophes before a state that a spreadsheet would compute."""

_PARTS = {"%Y": r"(\d{4})", "%m": r"(\d{1,2})", "%d": r"(\d{1,2})"}
_ISO = r"^(\d{4})-(\d{2})-(\d{2})([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?)?Z?$"


def coded(column: Ibis, kind: pa.DataType, coding: Coding, dialect: str) -> Ibis:
    """An Ibis expression of the column's codes; ``dialect`` is that of the engine."""
    if not (pa.types.is_primitive(kind) or pa.types.is_decimal(kind) or is_text(kind)):
        raise EquipoiseError(
            f"column {shown(coding.variable.name)} holds {str(kind)[:80]} values; only texts, "
            "numbers, dates and truth values are counted"
        )
    states = coding.variable.cardinality
    absent = coding.variable.code_of[MISSING_STATE] if coding.missing == "state" else states + 1
    small = "int32"
    none, wrong = ibis.literal(absent, small), ibis.literal(states, small)
    further = coding.outside if coding.outside >= 0 else states
    plain = _plain(column, kind)
    nothing = _nothing(plain, kind, coding.dialect)
    if coding.column.edges:
        rest = ibis.cases(
            (nothing, none),
            else_=_binned(plain, kind, coding, (wrong, ibis.literal(further, small)), dialect),
        )
        return ibis.cases((column.isnull(), none), else_=rest).cast(small)
    rest = ibis.cases((nothing, none), else_=ibis.literal(further, small))
    known = accepted(coding)
    if is_text(kind) and coding.dialect.trim:
        rest = _chosen(plain, kind, known, rest, small)
    return _chosen(column, kind, known, ibis.cases((column.isnull(), none), else_=rest), small)


def kind_of(column: Ibis) -> pa.DataType:
    """The type of a column; decimals without a scale are as good as texts of numbers."""
    dtype = column.type()
    if dtype.is_decimal() and (dtype.precision is None or dtype.scale is None):
        return pa.float64()
    return dtype.to_pyarrow()


def is_text(kind: pa.DataType) -> bool:
    """Whether values are texts."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def accepted(coding: Coding) -> dict[str, int]:
    """Code of each text that a cell may hold, as :func:`sources.formulas.restored` has it."""
    accepted = dict(coding.accepted)
    for text, code in coding.accepted.items():
        if text[:1] and text[0] in "=+-@\t\r":
            for count in range(1, APOSTROPHES + 1):
                accepted.setdefault("'" * count + text, code)
    return accepted


def spelt(kind: pa.DataType, wanted: Sequence[str]) -> dict[str, Ibis]:
    """The value of this type that each text is written for; a type writes few texts."""
    values = {}
    for text in wanted:
        try:
            value = pa.array([text]).cast(kind)
            same = texts(value)[0].as_py() == text
        except (pa.ArrowException, OverflowError):
            continue
        if same:
            values[text] = value[0].as_py()
    return values


def _chosen(
    column: Ibis, kind: pa.DataType, accepted: dict[str, int], rest: Ibis, small: str
) -> Ibis:
    """The code of the state that the column is equal to, else the rest."""
    known = dict.fromkeys(accepted) if is_text(kind) else spelt(kind, tuple(accepted))
    cases = []
    for text, value in known.items():
        code = ibis.literal(accepted[text], small)
        cases.append((_equal(column, kind, text if value is None else value), code))
    return ibis.cases(*cases, else_=rest) if cases else rest


def _equal(column: Ibis, kind: pa.DataType, value: Ibis) -> Ibis:
    if isinstance(value, float) and np.isnan(value):
        return _not_a_number(column)
    if pa.types.is_boolean(kind):
        return column if value else ~column
    return column == ibis.literal(value, type=column.type())


def _not_a_number(column: Ibis) -> Ibis:
    """DuckDB 2.0 takes isnan(x) for false where a Parquet file's least and largest are numbers."""
    return column.cast("string").lower() == "nan"


def of_nobody(column: Ibis, dialect: Dialect) -> Ibis:
    """Whether a cell of the column of units names none."""
    kind = kind_of(column)
    return column.isnull() | _nothing(_plain(column, kind), kind, unnamed(dialect, kind))


def _plain(column: Ibis, kind: pa.DataType) -> Ibis:
    """A text without the blanks round it."""
    return column.re_replace(f"^[{BLANKS}]+|[{BLANKS}]+$", "") if is_text(kind) else column


def _nothing(plain: Ibis, kind: pa.DataType, dialect: Dialect) -> Ibis:
    """Whether a value is a spelling of nothing."""
    markers = sorted(dialect.nothing)
    if is_text(kind):
        return plain.lower().isin(markers) if markers else ibis.literal(False)
    cases = [_equal(plain, kind, value) for value in spelt(kind, markers).values()]
    whole = ibis.literal(False)
    for case in cases:
        whole = whole | case
    return whole


def _binned(
    plain: Ibis, kind: pa.DataType, coding: Coding, odd: tuple[Ibis, Ibis], dialect: str
) -> Ibis:
    """The bin of a number or a day; ``odd`` are the codes of what is neither, and of outside."""
    wrong, outside = odd
    column = coding.column
    own = [coding.variable.code_of[state] for state in column.variable.states]
    if column.date:
        number, fits = _day(plain, kind, coding)
        edges = [float(day_text(edge).replace("-", "")) for edge in column.edges]
        inside = number < int(edges[-1])
        edges = [int(edge) for edge in edges]
    else:
        number, fits = _number(plain, kind, coding.dialect, dialect)
        edges = list(column.edges)
        inside = number <= edges[-1]
    place = _halved(number, edges[1:-1], own)
    return ibis.cases(
        (~fits, wrong),
        ((number < edges[0]) | ~inside, outside),
        else_=place,
    )


def _halved(number: Ibis, inner: Sequence[float], own: Sequence[int]) -> Ibis:
    """The bin by halving: a thousand bins are ten comparisons."""
    if not inner:
        return ibis.literal(own[0], "int32")
    half = len(inner) // 2
    low = _halved(number, inner[:half], own[: half + 1])
    high = _halved(number, inner[half + 1 :], own[half + 1 :])
    return ibis.cases((number < inner[half], low), else_=high)


def _number(plain: Ibis, kind: pa.DataType, written: Dialect, dialect: str) -> tuple[Ibis, Ibis]:
    """A finite number, and whether there is one."""
    if not is_text(kind):
        numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
        if not any(is_kind(kind) for is_kind in numeric):
            return ibis.literal(0.0), ibis.literal(False)
        number = plain.cast("float64")
        if not pa.types.is_floating(kind):
            return number, number.notnull()
        return number, ~(_not_a_number(number) | number.isinf())
    decimal, thousands = written.decimal, written.thousands
    fits = plain.re_search(number_shape(decimal, thousands))
    fits = fits & ~plain.re_search(r"[eE][+-]?0*[1-9]\d{4,}$") & (plain.length() <= 400)
    if thousands:
        plain = plain.re_replace(SIGNS[thousands], "")
    pointed = plain.replace(",", ".") if decimal == "," else plain
    safe = ibis.cases((fits, pointed), else_="0")
    if dialect == "postgres":  # refuses what is too large or too small instead of rounding it
        exact = safe.cast("decimal")
        number = ibis.cases(
            (exact.abs() < ibis.literal("1e-300").cast("decimal"), 0.0),
            (exact.abs() > ibis.literal("1e308").cast("decimal"), float("inf")),
            else_=exact.clip(
                lower=ibis.literal("-1e308").cast("decimal"),
                upper=ibis.literal("1e308").cast("decimal"),
            ).cast("float64"),
        )
    else:
        number = safe.try_cast("float64").fill_null(float("inf"))
    return number, fits & ~number.isinf()


def _day(plain: Ibis, kind: pa.DataType, coding: Coding) -> tuple[Ibis, Ibis]:
    """A day as the number 20201231, and whether it is one."""
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        day = plain.cast("timestamp") if pa.types.is_timestamp(kind) else plain
        return day.year() * 10000 + day.month() * 100 + day.day(), day.notnull()
    if not is_text(kind):
        return ibis.literal(0), ibis.literal(False)
    pattern, order = _pattern(coding)
    fits = plain.re_search(pattern)
    parts = {
        name: ibis.cases((fits, plain.re_extract(pattern, at + 1)), else_="0").cast("int32")
        for at, name in enumerate(order)
    }
    year, month, day = parts["%Y"], parts["%m"], parts["%d"]
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    return year * 10000 + month * 100 + day, fits & _valid(year, month, day, leap)


def _valid(year: Ibis, month: Ibis, day: Ibis, leap: Ibis) -> Ibis:
    last = ibis.cases(
        (month.isin([4, 6, 9, 11]), 30),
        ((month == 2) & leap, 29),
        (month == 2, 28),
        else_=31,
    )
    return (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= last)


def _pattern(coding: Coding) -> tuple[str, list[str]]:
    """A regular expression for a way of writing days, and the order of its parts."""
    written = coding.column.date
    if written == ISO:
        return _ISO, ["%Y", "%m", "%d"]
    order, pattern, at = [], "", 0
    while at < len(written):
        part = written[at : at + 2]
        if part in _PARTS and part not in order:
            order.append(part)
            pattern += _PARTS[part] if written != "%Y%m%d" or part == "%Y" else r"(\d{2})"
            at += 2
        elif written[at] in "./- :":
            pattern += f"[{written[at]}]"
            at += 1
        else:
            order.clear()
            break
    if sorted(order) != sorted(_PARTS):
        raise EquipoiseError(
            f"column {shown(coding.variable.name)} has dates written as {shown(written)}, which no "
            "engine reads for us; write them with %Y, %m and %d, or as a column of dates"
        )
    return f"^{pattern}$", order
