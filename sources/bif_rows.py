"""The rows of one BIF probability block, as an array whose every row is checked by its line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from core.errors import EquipoiseError
from core.parameters import ROW_TOLERANCE
from core.table import Array, Variable
from sources.bif_tokens import Tokens, quoted, unquoted
from sources.text import shown


@dataclass(frozen=True)
class ProbabilityBlock:
    """A probability block: token of its keyword, its names, and the tokens of its rows."""

    start: int
    child: str
    parents: tuple[str, ...]
    first: int
    end: int


def conditional(tokens: Tokens, block: ProbabilityBlock, family: tuple[Variable, ...]) -> Array:
    """The conditional of a block, parents first and child last."""
    rows = _Rows(tokens, block, family)
    at = block.first
    while at < block.end:
        end = rows.end(at)
        match tokens.items[at]:
            case "(":
                rows.add_row(at, end)
            case "table":
                rows.add_table(at, end)
            case "default":
                rows.add_default(at, end)
            case "property":
                pass
            case _:
                rows.misplaced(at)
        at = end + 1
    return rows.checked().reshape([variable.cardinality for variable in family])


class _Rows:
    """Rows as they are read; ``given`` is the token at which each was given, -1 for none."""

    def __init__(
        self, tokens: Tokens, block: ProbabilityBlock, family: tuple[Variable, ...]
    ) -> None:
        self.tokens = tokens
        self.block = block
        self.parents, self.child = family[:-1], family[-1]
        self.spellings = [_spellings(parent) for parent in self.parents]
        size = math.prod(p.cardinality for p in self.parents)
        self.values = np.zeros((size, self.child.cardinality))
        self.given = np.full(size, -1)
        self.default: tuple[int, list[float]] | None = None

    def end(self, at: int) -> int:
        """Index of the semicolon that ends the row."""
        try:
            return self.tokens.items.index(";", at, self.block.end)
        except ValueError:
            self.misplaced(at)

    def misplaced(self, at: int) -> NoReturn:
        """Refuse what stands where a row should."""
        self.tokens.fail(
            at,
            f"found {shown(self.tokens.items[at])} where a row ending in ';' must stand, in the "
            f"probability block of {self.child.name!r} that began on line "
            f"{self.tokens.line(self.block.start)}",
        )

    def numbers(self, first: int, end: int, count: int) -> list[float]:
        """The probabilities between two tokens."""
        values: list[float] = []
        for word in self.tokens.items[first:end]:
            try:
                values.append(float(word))
            except ValueError:
                self.tokens.fail(
                    first + len(values),
                    f"{shown(word)} is not a number; write probabilities such as 0.25 and end "
                    "each row with ';'",
                )
        if len(values) != count:
            self.tokens.fail(
                first - 1,
                f"{len(values)} probabilities for {self.child.name!r} where {count} must stand",
            )
        return values

    def add_row(self, at: int, end: int) -> None:
        """Read ``(state, state) p, p;``."""
        if ")" not in self.tokens.items[at:end]:
            self.misplaced(at)
        close = self.tokens.items.index(")", at)
        row = self._row(at, self.tokens.items[at + 1 : close])
        if self.given[row] >= 0:
            self.tokens.fail(at, f"a second row for {self._setting(row)}; remove one of the two")
        self.given[row] = at
        self.values[row] = self.numbers(close + 1, end, self.child.cardinality)

    def _row(self, at: int, states: Sequence[str]) -> int:
        if len(states) != len(self.parents):
            self.tokens.fail(
                at,
                f"the row names {len(states)} states and {self.child.name!r} has "
                f"{len(self.parents)} parents; name one state of each parent",
            )
        row = 0
        for state, codes, parent in zip(states, self.spellings, self.parents, strict=True):
            code = codes[state] if state in codes else self._code(at, parent, state)
            row = row * parent.cardinality + code
        return row

    def _code(self, at: int, parent: Variable, token: str) -> int:
        try:
            return parent.code(unquoted(token))
        except EquipoiseError as problem:
            self.tokens.fail(at, str(problem))

    def add_table(self, at: int, end: int) -> None:
        """Read ``table p, p, ...;``: the child varies slowest, the last parent fastest."""
        if (self.given >= 0).any():
            self.tokens.fail(at, "'table' stands beside other rows; give all rows or one table")
        values = self.numbers(at + 1, end, self.values.size)
        self.values = np.array(values).reshape(self.child.cardinality, -1).T.copy()
        self.given[:] = at

    def add_default(self, at: int, end: int) -> None:
        """Read ``default p, p;``: the row of every setting that has none of its own."""
        if self.default is not None:
            self.tokens.fail(at, "a second 'default' row; remove one of the two")
        self.default = at, self.numbers(at + 1, end, self.child.cardinality)

    def checked(self) -> Array:
        """All rows, after making sure that each is given, not negative and sums to one."""
        if self.default is not None:
            rest = self.given < 0
            self.given[rest], self.values[rest] = self.default
        absent = np.flatnonzero(self.given < 0)
        if len(absent):
            self.tokens.fail(
                self.block.start,
                f"{self.child.name!r} has no row for {self._setting(absent[0])}; add it or a "
                "'default' row",
            )
        totals = self.values.sum(axis=1)
        wrong = np.flatnonzero(~(np.abs(totals - 1) <= ROW_TOLERANCE))
        if len(wrong):
            self._refuse(wrong[0], f"sum to {totals[wrong[0]]:.9g}; every row must sum to 1")
        negative = np.flatnonzero((self.values < 0).any(axis=1))
        if len(negative):
            self._refuse(negative[0], "are not all between 0 and 1; correct the negative one")
        return self.values

    def _refuse(self, row: int, reason: str) -> NoReturn:
        self.tokens.fail(
            int(self.given[row]),
            f"the probabilities of {self.child.name!r} for {self._setting(row)} {reason}",
        )

    def _setting(self, row: int) -> str:
        codes = np.unravel_index(row, [p.cardinality for p in self.parents]) if self.parents else ()
        states = (p.states[int(code)] for p, code in zip(self.parents, codes, strict=True))
        return f"({', '.join(states)})"


def _spellings(parent: Variable) -> dict[str, int]:
    """Code of each state by the token that names it, so that most rows need no unquoting."""
    bare = {state: code for state, code in parent.code_of.items() if not state.startswith('"')}
    return bare | {quoted(state): code for state, code in parent.code_of.items()}
