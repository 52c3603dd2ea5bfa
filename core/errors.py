"""The one exception raised on purpose, and what its sentences are made with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_LONG = re.compile(r"\S{301,}")
"""A name that no reader reads to its end."""


class EquipoiseError(ValueError):
    """What is wrong, where, and what to do, in one sentence a user can read.

    >>> len(str(EquipoiseError("x" * 3000)))
    63
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(_LONG.sub(lambda name: f"{name[0][:40]}...{name[0][-20:]}", message))


def repeated(names: Iterable[str]) -> str:
    """The name that stands more than once, in one pass.

    >>> repeated(["a", "b", "b"])
    'b'
    """
    return Counter(names).most_common(1)[0][0]
