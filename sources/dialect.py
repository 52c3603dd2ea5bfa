"""Dialect: how the text of a table is written, guessed from its first lines or stated."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from core.errors import EquipoiseError
from sources.formulas import number_of
from sources.numerals import GROUPS, number_signs
from sources.text import Content, opened, shown

MISSING = ("", "NA", "N/A", "#N/A", "<NA>", "NaN", "null", "?")
"""Spellings of nothing, in any case."""

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

COLUMN_LIMIT = 10_000
"""Most columns a table may have."""

SAMPLE = 2**19
"""Most characters that a guess looks at."""

SHIFT_JIS = re.compile(rb"(?:[\x81-\x9f][\x40-\x7e\x80-\xfc]){3}")
"""Three Japanese letters in a row; in Latin-1's kin the first bytes are quotes, dashes and the
like, of which no three stand so close."""

_ROWS = 1000

TYPED = ("missing", "decimal", "thousands")
"""What a file whose columns have types leaves to be said."""


@dataclass(frozen=True)
class Dialect:
    """What separates fields, how letters and decimals are written, what stands for nothing.

    Without a ``header`` columns are called ``column_1`` and so on; ``names`` replaces either.
    ``thousands`` stands between thousands. ``trim`` drops blanks round every value. ``sheet`` is
    that of a workbook, empty where it has the widest.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    header: bool = True
    trim: bool = False
    names: tuple[str, ...] = ()
    missing: tuple[str, ...] = MISSING
    sheet: str = ""

    def __post_init__(self) -> None:
        text_encoding(self.encoding)
        check_delimiter(self.delimiter)
        if self.decimal not in (".", ","):
            raise EquipoiseError(f"the decimal sign is {shown(self.decimal)}; it is . or ,")
        if self.decimal == self.delimiter:
            raise EquipoiseError("the decimal sign also separates fields; state which it is")
        if self.thousands not in GROUPS or self.thousands == self.decimal:
            raise EquipoiseError(
                f"{shown(self.thousands)} stands between thousands; give a point, a comma, a blank "
                "or an apostrophe that is not the decimal sign, or nothing"
            )

    @classmethod
    def of(cls, stated: Mapping[str, Any], keys: Collection[str]) -> Dialect:
        """What is stated of these keys; the rest as usual.

        What separates fields is always heeded: where that is no comma, decimals may have one.
        """
        told = {*keys, "delimiter"}
        return cls(**{key: value for key, value in stated.items() if key in told})

    @cached_property
    def nothing(self) -> frozenset[str]:
        """The spellings of nothing, case-folded."""
        return frozenset(marker.casefold() for marker in self.missing)

    def is_missing(self, value: str | None) -> bool:
        """Whether a value is one of the spellings of nothing."""
        return value is None or value.strip().casefold() in self.nothing

    @property
    def told(self) -> tuple[str, ...]:
        """What is unusual, as a sentence: a reader should know that it was guessed."""
        said = [
            f"as {self.encoding}" * (self.encoding != "utf-8"),
            "with decimal commas" * (self.decimal == ","),
            f"with a {GROUPS[self.thousands]} between thousands" * bool(self.thousands),
            "without a header" * (not self.header),
            "without the blanks round values" * self.trim,
        ]
        return (f"The table was read {', '.join(filter(None, said))}.",) if any(said) else ()


def stated_dialect(stated: Mapping[str, object]) -> dict[str, Any]:
    """What is said of a dialect, checked item by item; lists become tuples."""
    kinds = {field.name: type(getattr(Dialect(), field.name)) for field in fields(Dialect)}
    checked: dict[str, Any] = {}
    for key, value in stated.items():
        if key not in kinds:
            raise EquipoiseError(f"'file' has the key {shown(key)}; known are {', '.join(kinds)}")
        item = tuple(value) if isinstance(value, list) else value
        texts = not isinstance(item, tuple) or all(isinstance(text, str) for text in item)
        if not isinstance(item, kinds[key]) or not texts:
            raise EquipoiseError(
                f"{key!r} of 'file' is {shown(value)}; see the README for its kind"
            )
        checked[key] = item
    Dialect(**checked)
    return checked


def unstated(
    dialect: Dialect, stated: Mapping[str, Any] | None, sheets: Sequence[str] = ()
) -> tuple[str, ...]:
    """What is unusual and was guessed: one record may decide it, and how all others are read.

    So is one of several ``sheets``. Another separator is none of it: with a wrong one the columns
    are not there.
    """
    keys = ("encoding", "decimal", "thousands", "header", "trim", *("sheet",) * (len(sheets) > 1))
    usual, known = Dialect(), stated or {}
    return tuple(
        f"{key} {getattr(dialect, key)!r}"
        for key in keys
        if key not in known and getattr(dialect, key) != getattr(usual, key)
    )


def check_delimiter(sign: str) -> None:
    """Refuse what no reader takes between fields."""
    if len(sign) != 1 or sign in '"\r\n\0' or ord(sign) > 127:
        raise EquipoiseError(
            f"fields are separated by {shown(sign)}; give one character, such as ;"
        )


def guessed(content: Content, stated: Mapping[str, Any] | None = None) -> Dialect:
    """How a CSV file is written; what is ``stated`` is not guessed."""
    known = dict(stated or {})
    known.setdefault("encoding", _encoding(content))
    head, whole = _head(content, known["encoding"])
    if "delimiter" in known:
        check_delimiter(known["delimiter"])
    else:
        known["delimiter"] = max(";,\t|", key=lambda sign: _fit(sampled(head, sign, whole)))
    rows = sampled(head, known["delimiter"], whole)
    if "trim" not in known:
        later = [field for row in rows for field in row[1:] if '"' not in head]
        known["trim"] = bool(later) and all(field.startswith(" ") for field in later)
    cells = [field.strip() for row in rows[1:] for field in row]
    decimal, thousands = number_signs(cells, comma=known["delimiter"] != ",")
    known.setdefault("decimal", decimal)
    known.setdefault("thousands", thousands if known["decimal"] == decimal else "")
    known.setdefault("header", _has_header(rows))
    return replace(Dialect(), **known)


def sampled(head: str, delimiter: str, whole: bool) -> list[list[str]]:
    """The first rows that have fields; none when the quotes do not fit this separator."""
    rows: list[list[str]] = []
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in filter(None, reader):
            rows.append(row)
            if len(rows) > _ROWS or len(row) > COLUMN_LIMIT:
                return rows
    except csv.Error:  # if the quotes fit no separator, the rows will say so
        return rows
    return rows if whole or len(rows) < 2 else rows[:-1]


def _fit(rows: list[list[str]]) -> tuple[bool, bool, int]:
    width = len(rows[0]) if rows else 0
    return width > 1, all(len(row) == width for row in rows), width


def _has_header(rows: list[list[str]]) -> bool:
    """No header has numbers beside texts that its columns repeat, or one number twice."""
    first = [field.strip() for field in rows[0]] if rows else []
    numbers = [field for field in first if number_of(field) is not None]
    if len(numbers) == len(first):
        return len(set(first)) == len(first)
    later = [[field.strip() for field in row] for row in rows[1:] if len(row) == len(first)]
    again = any(
        number_of(field) is None and field and any(row[at] == field for row in later)
        for at, field in enumerate(first)
    )
    return not (numbers and again)


def _head(content: Content, encoding: str) -> tuple[str, bool]:
    """The first characters, and whether they are all."""
    file = opened(content)
    with io.TextIOWrapper(file, text_encoding(encoding), errors="replace", newline="") as text:
        try:
            head = text.read(SAMPLE)
        except UnicodeError:  # it lacks the mark that tells the order of bytes
            raise EquipoiseError(
                f"the file is not written as {encoding}; state another encoding"
            ) from None
        return head, not text.read(1)


def text_encoding(encoding: str) -> str:
    """The codec that also drops a byte order mark; what is no encoding of texts is refused."""
    try:
        if "a\n".encode(encoding).decode(encoding, "replace") != "a\n":
            raise LookupError
    except (LookupError, ValueError):
        raise EquipoiseError(
            f"the encoding {shown(encoding)} is not known; try utf-8, latin-1 or utf-16"
        ) from None
    return "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding


def _encoding(content: Content) -> str:
    """UTF-16 by its mark or zero bytes, UTF-8 or Shift JIS where it fits, else Latin-1's kin."""
    with opened(content) as file:
        start = file.read(2**12)
        if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        for encoding, zeros in (("utf-16-le", start[1::2]), ("utf-16-be", start[::2])):
            if len(start) > 3 and zeros.count(0) > 0.8 * len(zeros):
                return encoding
    japanese: tuple[str, ...] = ("shift_jis",) if SHIFT_JIS.search(start) else ()
    for encoding in ("utf-8", *japanese, "cp1252"):
        if _decodes(content, encoding):
            return encoding
    return "latin-1"


def _decodes(content: Content, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with opened(content) as file:
        try:
            while block := file.read(2**20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True
