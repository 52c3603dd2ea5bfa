"""How numbers are written: the decimal sign, and what stands between thousands."""

import re
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

GROUPS = {"": "nothing", ".": "point", ",": "comma", " ": "space", "'": "apostrophe"}
"""What may stand between thousands, in words."""

SIGNS = {".": "[.]", ",": ",", " ": "[ \u00a0\u202f]", "'": "['\u2019]"}
"""The pattern of each sign."""

_DIGITS = r"[1-9]\d{0,2}"


def number_shape(decimal: str, thousands: str) -> str:
    """The pattern of a whole cell that is a number."""
    point = SIGNS[decimal]
    whole = r"\d+" if not thousands else rf"\d+|{_DIGITS}({SIGNS[thousands]}\d{{3}})+"
    return rf"^[+-]?(({whole})({point}\d*)?|{point}\d+)([eE][+-]?\d+)?$"


def plain_numbers(cells: pa.Array, decimal: str, thousands: str) -> pa.Array:
    """The cells that are numbers as Python writes them; nothing where one is not a number."""
    fits = pc.match_substring_regex(cells, pattern=number_shape(decimal, thousands))
    if thousands:
        cells = pc.replace_substring_regex(cells, pattern=SIGNS[thousands], replacement="")
    pointed = pc.replace_substring(cells, pattern=decimal, replacement=".")
    return pc.if_else(fits, pointed, pa.scalar(None, pa.string()))


def number_signs(cells: Iterable[str], *, comma: bool) -> tuple[str, str]:
    """Decimal sign and what stands between thousands, guessed; ``comma``: it may be a decimal sign.

    A cell such as 1,234 may be read both ways, so others decide where there are any.

    >>> number_signs(["1.234,5", "17,25"], comma=True), number_signs(["1,234"], comma=False)
    ((',', '.'), ('.', ','))
    """
    known = set(cells)
    sure = {sign: any(map(_decisive(sign).fullmatch, known)) for sign in ",."}
    maybe = {sign: any(map(_either(sign).fullmatch, known)) for sign in ",."}
    evidence = sure if any(sure.values()) else maybe
    decimal = "," if comma and evidence[","] and not evidence["."] else "."
    for sign in SIGNS:
        grouped = re.compile(rf"[+-]?{_DIGITS}({SIGNS[sign]}\d{{3}})+({SIGNS[decimal]}\d*)?")
        if sign != decimal and any(map(grouped.fullmatch, known)):
            return decimal, sign
    return decimal, ""


def _either(sign: str) -> re.Pattern[str]:
    return re.compile(rf"[+-]?{_DIGITS}{SIGNS[sign]}\d{{3}}")


def _decisive(sign: str) -> re.Pattern[str]:
    """Cells in which ``sign`` can only be decimal: decimals that are no group, or groups before."""
    own, other = SIGNS[sign], SIGNS[{",": ".", ".": ","}[sign]]
    groups = rf"{_DIGITS}([ \u00a0\u202f'\u2019]\d{{3}}|{other}\d{{3}})+"
    return re.compile(
        rf"[+-]?((?!{_DIGITS}{own}\d{{3}}$)\d+{own}\d+|{groups}{own}\d+|{_DIGITS}({other}\d{{3}}){{2,}})"
    )
