"""The one exception raised on purpose, and what its sentences are made with."""

import re
from collections import Counter
from collections.abc import Iterable

_LONG = re.compile(r"(?<!\w)'[^']{81,}'|(?<!\w)\"[^\"]{81,}\"|\S{81,}")
"""A name that no reader reads to its end."""

LETTERS = 600
"""Most of a sentence; what has more holds names upon names, and loses its middle."""


MEMORY = "this takes more memory than there is here; merge states or use fewer columns"
"""What is said where memory ends."""


class EquipoiseError(ValueError):
    """What is wrong, where, and what to do, in one sentence a user can read.

    >>> len(str(EquipoiseError("x" * 3000)))
    63
    """

    def __init__(self, message: str = "") -> None:
        line = "".join(c if c.isprintable() else " " for c in message)
        short = _LONG.sub(lambda name: f"{name[0][:40]}...{name[0][-20:]}", line)
        if len(short) > LETTERS:
            short = f"{short[: LETTERS // 2]} ... {short[5 - LETTERS // 2 :]}"
        super().__init__(short)


def brief(name: str) -> str:
    """A name as a sentence has it without quotes: whole, or its two ends.

    >>> brief("a " * 100)
    'a a a a a a a a a a a a a a a a a a a a ...a a a a a '
    """
    return name if len(name) <= 60 else f"{name[:40]}...{name[-10:]}"


def repeated(names: Iterable[str]) -> str:
    """The name that stands more than once, in one pass.

    >>> repeated(["a", "b", "b"])
    'b'
    """
    return Counter(names).most_common(1)[0][0]
