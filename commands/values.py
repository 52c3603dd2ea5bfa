"""What arguments of the shell are read as; what cannot be read gets one sentence."""

import argparse
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar, cast

from core.errors import EquipoiseError, brief
from core.privacy import EPSILON_LIMIT, Neighbours

T = TypeVar("T")
Option = tuple[str, Any, Any, str | None, str | None]
"""Flag, how its value is read or what it may be, default, letter, help.

``bool`` is a switch, ``[read]`` may be given again, and ``...`` as the default has to be given.
"""

NEIGHBOURS: Option = (
    "--neighbours", [n.value for n in Neighbours], Neighbours.ADD_REMOVE.value, None,
    "(default: add-remove)",
)  # fmt: skip
SEED: Option = ("--seed", int, 0, "N", "(default: 0)")


def options(to: argparse._ActionsContainer, *rows: Option) -> None:
    """Arguments of a verb, in the order of its help."""
    for flag, read, default, letter, text in rows:
        if read is bool:
            to.add_argument(flag, action="store_true", help=text)
            continue
        more: dict[str, Any] = {"required": True} if default is ... else {"default": default}
        if isinstance(read, list) and callable(read[0]):
            more |= {"action": "append", "type": told(read[0])}
        elif callable(read):
            more["type"] = told(read)
        else:
            more["choices"] = read
        to.add_argument(flag, metavar=letter, help=text, **more)


def told(read: Callable[[str], T]) -> Callable[[str], T]:
    """The same reader; what it refuses is said by the parser, which names the argument."""

    @wraps(read, updated=())
    def reading(text: str) -> T:
        try:
            return read(text)
        except EquipoiseError as problem:
            raise argparse.ArgumentTypeError(str(problem)) from None

    return reading


def filled(kind: Callable[..., T], arguments: argparse.Namespace, **given: object) -> T:
    """A dataclass whose fields are given, or are arguments of the same name."""
    names = [f.name for f in fields(cast("Any", kind)) if f.name in arguments]
    return kind(**({name: getattr(arguments, name) for name in names} | given))


def check_idle(arguments: argparse.Namespace, why: str, **usual: object) -> None:
    """Refuse what was given and would be ignored: it differs from the ``usual``."""
    for name, value in usual.items():
        if getattr(arguments, name) != value:
            raise EquipoiseError(f"--{name.replace('_', '-')} {why}, or leave it out")


def number(text: str) -> float:
    """A number, or a sentence that names what was given."""
    try:
        return float(text)
    except ValueError:
        raise EquipoiseError(f"{text!r} is not a number") from None


def numbers(text: str) -> list[float]:
    """Numbers separated by commas."""
    return [number(part) for part in text.split(",")]


def names(text: str) -> list[str]:
    """Names separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def keyed(text: str, lacks: str, form: str) -> tuple[str, str]:
    """``KEY=TEXT``; without a sign, what the text ``lacks``."""
    key, sign, said = text.partition("=")
    if not sign:
        raise EquipoiseError(f"{text!r} {lacks}; write {form}")
    return key.strip(), said


def evidence(text: str) -> dict[str, str]:
    """``A=a,B=b`` as a mapping."""
    pairs = [keyed(part, "lacks a state", f"{brief(part)}=STATE") for part in names(text)]
    return {name: state.strip() for name, state in pairs}


def exact(text: str) -> Fraction:
    """A positive number, exactly as written: 0.1 is one tenth, and so is 1/10."""
    above, line, below = text.partition("/")
    whole = line and above.isdecimal() and below.isdecimal() and int(below)
    value = Fraction(int(above), int(below)) if whole else number(text)
    if not 0 < value <= EPSILON_LIMIT:
        raise EquipoiseError(f"{text} is not between 0 and {EPSILON_LIMIT:g}")
    return Fraction(text)


def portion(text: str) -> Fraction:
    """A δ, exactly as written."""
    if not 0 < number(text) < 1:
        raise EquipoiseError(f"{text} is not between 0 and 1")
    return Fraction(text)


def cost(text: str) -> float:
    """What something has cost: zero or more."""
    if not 0 <= number(text) <= EPSILON_LIMIT:
        raise EquipoiseError(f"{text} is not between 0 and {EPSILON_LIMIT:g}")
    return number(text)
