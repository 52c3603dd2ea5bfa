"""Tokens of a BIF file: one pass of one regular expression, linear in the size of the text."""

import re
from typing import NoReturn

from sources.text import FileWords, shown

_TOKEN = re.compile(
    r"""
    //[^\n]*+ | /\*(?s:.*?)\*/                        # comments: matched, not captured
    | ( "(?:[^"\\\n]++|\\[^\n])*+"                    # a quoted name
      | (?:[^\s"{}()\[\],;|/]++|/(?![/*]))++          # a bare word or a number
      | [{}()\[\];|]
      | "[^\n]*+ | /\*(?s:.*+) )                      # opened and never closed
    """,
    re.VERBOSE,
)
_QUOTED = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"')
_ESCAPE = re.compile(r'\\(["\\nrt0])')
_BARE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
SYMBOLS = frozenset("{}()[];|")
_MEANING = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_SPELLING = str.maketrans({meant: f"\\{letter}" for letter, meant in _MEANING.items()})


def quoted(name: str) -> str:
    """A name as it is written: bare where every reader understands it, quoted otherwise.

    >>> quoted("yes"), quoted("two words")
    ('yes', '"two words"')
    """
    return name if _BARE.fullmatch(name) else in_quotes(name)


def in_quotes(text: str) -> str:
    """A text in double quotes, with escapes for what cannot stand between them."""
    return f'"{text.translate(_SPELLING)}"'


def unquoted(token: str) -> str:
    """The name a token stands for; an unknown escape is left as it is."""
    if token[0] != '"':
        return token
    return _ESCAPE.sub(lambda match: _MEANING[match[1]], token[1:-1])


class Tokens(FileWords):
    """All tokens of a text; commas count as blanks, as in the format's first readers."""

    def __init__(self, name: str, text: str) -> None:
        """Split the text, refusing a quote or comment that never ends."""
        super().__init__(name, text, _TOKEN)
        if self.items and self.items[-1].startswith("/*"):
            self.fail(len(self.items) - 1, "the comment that begins here never ends; add '*/'")
        if '"' in text:
            for index, item in enumerate(self.items):
                if item[0] == '"' and not _QUOTED.fullmatch(item):
                    self.fail(index, f"the quote {shown(item)} is not closed on its line")

    def unclosed(self, start: int) -> NoReturn:
        """Refuse the block that began at ``start``: the text ends inside it."""
        self.fail(start, "the block that begins here is never closed; add the missing '}'")

    def at(self, index: int, start: int) -> str:
        """The token there, in the block that began at ``start``."""
        if index >= len(self.items):
            self.unclosed(start)
        return self.items[index]

    def expect(self, index: int, symbol: str, start: int) -> int:
        """The next index, after making sure that the symbol stands at this one."""
        token = self.at(index, start)
        if token != symbol:
            self.fail(
                index,
                f"found {shown(token)} where {symbol!r} must stand; names that hold blanks or "
                "brackets need double quotes",
            )
        return index + 1

    def find(self, symbol: str, index: int, start: int) -> int:
        """Index of the next such symbol."""
        try:
            return self.items.index(symbol, index)
        except ValueError:
            self.unclosed(start)

    def word(self, index: int, start: int) -> str:
        """The name at an index; a bracket there is refused."""
        token = self.at(index, start)
        if token in SYMBOLS:
            self.fail(index, f"found {token!r} where a name must stand")
        return unquoted(token)
