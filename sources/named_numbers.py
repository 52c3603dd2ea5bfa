"""Numbers by name in one argument: ``X=0.2,Y=0.1``, or JSON where a name has a comma or the like.

What is written reads back as the same names and the same doubles.
"""

import json
from collections.abc import Sequence

from core.errors import EquipoiseError

Named = tuple[tuple[str, float], ...]


def number_text(value: float) -> str:
    """The shortest text that reads back as the same double.

    >>> number_text(1.0), number_text(0.1 + 0.2)
    ('1', '0.30000000000000004')
    """
    return repr(float(value)).removesuffix(".0")


def named_numbers(text: str) -> Named:
    """``X=0.2,Y=0.1`` or ``{"X": 0.2}`` as pairs.

    >>> named_numbers("X=0.2,Y=0.1")
    (('X', 0.2), ('Y', 0.1))
    """
    if text.lstrip().startswith("{"):
        return _from_json(text)
    pairs = [part.strip().rpartition("=") for part in text.split(",") if part.strip()]
    for _, sign, value in pairs:
        if not sign:
            raise EquipoiseError(f"{value!r} lacks a number; write {value}=NUMBER")
    return tuple((name.strip(), _number(value)) for name, _, value in pairs)


def named_text(named: Sequence[tuple[str, float]]) -> str:
    """The pairs as one argument, plain where that reads back as the same."""
    plain = ",".join(f"{name}={number_text(value)}" for name, value in named)
    try:
        if named_numbers(plain) == tuple(named):
            return plain
    except EquipoiseError:
        pass  # a name that the plain form cannot hold
    return json.dumps(dict(named), ensure_ascii=False)


def _from_json(text: str) -> Named:
    try:
        items = json.loads(text, object_pairs_hook=lambda pairs: tuple(pairs))
    except (ValueError, RecursionError):
        raise EquipoiseError(f"{text[:40]!r} is not JSON; write X=NUMBER,Y=NUMBER") from None
    for name, value in items:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise EquipoiseError(f"{name!r} lacks a number; give it one")
    return tuple((name, float(value)) for name, value in items)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EquipoiseError(f"{text!r} is not a number") from None
