"""The UAI format of Bayesian networks: numbers only, variables and states are counted from 0.

Read here and not by pgmpy, whose reader takes the child for the slowest axis and the parents in
the order of a set: the format puts the child last in its scope and lets the last one vary fastest.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from core.network import NODE_LIMIT, Network
from core.parameters import ROW_TOLERANCE
from core.table import CELL_LIMIT, Array, Variable
from sources.loaded import Loaded, model_of
from sources.text import Words, naming, shown

_WORD = re.compile(r"#[^\n]*+|([^\s#]++)")


class _Numbers(Words):
    """The words of a file, taken one after the other."""

    position = 0

    def take(self, count: int, what: str) -> list[str]:
        """The next words, refusing a file that ends too early."""
        taken = self.items[self.position : self.position + count]
        if len(taken) < count:
            self.fail(len(self.items), f"the file ends where {what} must stand")
        self.position += count
        return taken

    def whole(self, what: str, *, most: int) -> int:
        """The next word as a whole number."""
        word = self.take(1, what)[0]
        if not word.isascii() or not word.isdigit() or len(word) > 9 or int(word) > most:
            self.fail(
                self.position - 1, f"{shown(word)} is not {what}, a whole number up to {most:,}"
            )
        return int(word)


def read_uai(name: str, text: str, *, tolerance: float = ROW_TOLERANCE) -> Loaded:
    """The network of a UAI file; variables are named var_0, var_1 and their states 0, 1."""
    words = _Numbers(name, text, _WORD)
    if words.take(1, "BAYES") != ["BAYES"]:
        words.fail(0, f"found {shown(words.items[0])}; only BAYES networks are supported")
    count = words.whole("the number of variables", most=NODE_LIMIT)
    sizes = [words.whole("a number of states", most=CELL_LIMIT) for _ in range(count)]
    if sum(sizes) > len(words.items):  # every state needs an entry: make no name for the rest
        words.fail(len(words.items), "the file ends before the tables of its variables")
    scopes = _scopes(words, count)
    with naming(name):
        variables = (Variable(f"var_{i}", tuple(map(str, range(s)))) for i, s in enumerate(sizes))
        network = Network(
            tuple(variables),
            tuple(tuple(f"var_{parent}" for parent in scopes[i][:-1]) for i in range(count)),
        )
        tables = {child: _table(words, [sizes[i] for i in s]) for child, s in scopes.items()}
        if words.position < len(words.items):
            words.fail(words.position, "there is more text after the last table; remove it")
        return Loaded(
            name,
            network,
            model_of(network, [tables[i] for i in range(count)], tolerance=tolerance),
            source=name,
        )


def _scopes(words: _Numbers, count: int) -> dict[int, list[int]]:
    """For each child, the indices of its parents and then its own, in the file's order."""
    functions = words.whole("the number of tables", most=NODE_LIMIT)
    scopes: dict[int, list[int]] = {}
    for _ in range(functions):
        size = words.whole("the size of a scope", most=count)
        scope = [words.whole("a variable", most=count - 1) for _ in range(size)]
        if not scope or scope[-1] in scopes:
            words.fail(
                words.position - 1, "every variable must be the last one of exactly one scope"
            )
        scopes[scope[-1]] = scope
    if len(scopes) != count:
        absent = next(i for i in range(count) if i not in scopes)
        words.fail(words.position, f"variable {absent} has no table; add one")
    return scopes


def _table(words: _Numbers, sizes: Sequence[int]) -> Array:
    cells = math.prod(sizes)
    start = words.position
    if words.whole("a number of table entries", most=CELL_LIMIT) != cells:
        words.fail(start, f"a table of {cells:,} entries must stand here")
    written = words.take(cells, f"{cells:,} table entries")
    try:
        return np.array(list(map(float, written))).reshape(-1, sizes[-1])
    except ValueError:
        words.fail(start, "an entry of this table is not a number; correct it")
