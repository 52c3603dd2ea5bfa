"""XMLBIF, XDSL, HUGIN's NET and UAI files: tables of other programs.

Every conditional has one row per setting of the parents, the last parent varying fastest. UAI has
numbers only, variables and states are counted from 0. Read here and not by pgmpy, whose reader
takes the child for the slowest axis and the parents in the order of a set: the format puts the
child last in its scope and lets the last one vary fastest.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn
from xml.etree import ElementTree

import numpy as np

from core.errors import EquipoiseError
from core.network import NODE_LIMIT, Network
from core.table import CELL_LIMIT, Array, Variable
from sources.json_network import read_document
from sources.loaded import Loaded, model_of
from sources.text import FileWords, fail, naming, shown

FEW_DIGITS = 1e-4
"""How far a row may be from one: other programs write six significant digits."""

ATTRIBUTES = 300
"""Most letters of a list of attributes: a default among them is repeated for every element."""

_DECLARATION = re.compile(r"<!(?:ENTITY|DOCTYPE)[^\[>]*")
_LIST = re.compile(rf"<!ATTLIST[^>]{{{ATTRIBUTES}}}")
_NET = re.compile(r'%[^\n]*|("[^"\n]*"|[(){}=;|]|[^\s(){}=;|"%]+|")')

_UAI = re.compile(r"#[^\n]*+|([^\s#]++)")

Entry = dict[str, Any]


def read_foreign(name: str, text: str, form: str) -> Loaded:
    """The network of a file in the form ``xmlbif``, ``net`` or ``xdsl``."""
    readers: dict[str, Callable[[str, str], Iterator[Entry]]] = {
        "xmlbif": _xmlbif, "xdsl": _xdsl, "net": _net,
    }  # fmt: skip
    entries = list(readers[form](name, text))
    if not entries:
        raise EquipoiseError(f"{name} names no variables; export it again, or as BIF")
    loaded = read_document(name, {"variables": entries}, tolerance=FEW_DIGITS)
    if not isinstance(loaded, Loaded):
        raise EquipoiseError(f"{name} gives no states; list the states of every variable")
    return loaded


def refuse_entities(name: str, text: str) -> None:
    """Refuse declarations that let a small file grow without end or read other files."""
    for declared in _DECLARATION.finditer(text):
        if any(word in declared[0] for word in ("ENTITY", "SYSTEM", "PUBLIC")):
            fail(
                name,
                text,
                declared.start(),
                f"{shown(declared[0])} declares an entity or an outside definition; remove it",
            )
    if long := _LIST.search(text):
        fail(name, text, long.start(), "an attribute is declared at length; remove it")


def _parsed(name: str, text: str) -> ElementTree.Element:
    refuse_entities(name, text)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as problem:  # ValueError: a declared encoding
        raise EquipoiseError(
            f"{name} is not XML ({str(problem)[:80]}); export it again, or as BIF"
        ) from None


def _xmlbif(name: str, text: str) -> Iterator[Entry]:
    root = _parsed(name, text)
    defined: dict[str, ElementTree.Element] = {}
    for definition in root.iter("DEFINITION"):
        child, *more = [_said(one) for one in definition.findall("FOR")] or [""]
        if more or child in defined:
            raise EquipoiseError(f"{name}: {shown(child)} needs one definition of its own")
        defined[child] = definition
    for variable in root.iter("VARIABLE"):
        child = _said(variable.find("NAME"))
        entry = {"name": child, "states": [_said(one) for one in variable.findall("OUTCOME")]}
        table = defined.get(child)
        if table is not None:
            entry["parents"] = [_said(one) for one in table.findall("GIVEN")]
            entry |= _rows(name, entry, _said(table.find("TABLE")).split())
        yield entry


def _xdsl(name: str, text: str) -> Iterator[Entry]:
    for node in _parsed(name, text).findall("nodes/*"):
        child = node.get("id", "")
        if node.tag != "cpt":
            raise EquipoiseError(
                f"{name}: node {shown(child)} is of kind {shown(node.tag)}, not a table of "
                "probabilities; turn it into one"
            )
        entry: Entry = {"name": child, "states": [one.get("id", "") for one in node.iter("state")]}
        entry["parents"] = _said(node.find("parents")).split()
        yield entry | _rows(name, entry, _said(node.find("probabilities")).split())


def _said(element: ElementTree.Element | None) -> str:
    return "" if element is None else "".join(element.itertext()).strip()


def _rows(name: str, entry: Entry, written: list[str]) -> Entry:
    """The conditional of so many numbers in a row; none where none are written."""
    if not written:
        return {}
    try:
        values = list(map(float, written))
    except ValueError:
        raise EquipoiseError(
            f"{name}: a probability of {shown(entry['name'])} is no number; correct it"
        ) from None
    width = max(len(entry["states"]), 1)
    return {"conditional": [values[at : at + width] for at in range(0, len(values), width)]}


def _net(name: str, text: str) -> Iterator[Entry]:
    words = _NetWords(name, text, _NET)
    nodes: dict[str, Entry] = {}
    tables: dict[str, tuple[list[str], list[str]]] = {}
    for at, word in enumerate(words.items):
        if word == "node" and words.items[at + 2 : at + 3] == ["{"]:
            child = words.items[at + 1]
            if child in nodes:
                words.wrong(at, f"another name than {shown(child)}, which appears twice,")
            states = [one.strip('"') for one in words.listed(at, "states")]
            nodes[child] = {"name": child, "states": states}
        elif word == "potential" and words.items[at + 1 : at + 2] == ["("]:
            child, *given = words.items[at + 2 : words.until(at, ")")] or [""]
            if child in tables or given[:1] not in ([], ["|"]):
                words.wrong(at, "one table for each variable")
            tables[child] = given[1:], words.listed(at, "data")
    for own in nodes.values():
        parents, numbers = tables.get(own["name"], ([], []))
        yield {**own, "parents": parents, **_rows(name, own, numbers)}


class _NetWords(FileWords):
    """The words of a NET file, without its comments."""

    def wrong(self, at: int, wanted: str) -> NoReturn:
        """Refuse the file, naming the line of this word."""
        self.fail(at, f"{wanted} must stand here; export it again, or as BIF")

    def until(self, at: int, sign: str) -> int:
        """Where the next such sign is."""
        try:
            return self.items.index(sign, at)
        except ValueError:
            self.wrong(len(self.items), repr(sign))

    def listed(self, at: int, key: str) -> list[str]:
        """What a block says between ``key =`` and a semicolon, without brackets."""
        block = self.items[at : self.until(at, "}")]
        for place, word in enumerate(block):
            if word == key and block[place + 1 : place + 2] == ["="]:
                end = self.items.index(";", at + place) if ";" in block[place:] else at + len(block)
                return [one for one in self.items[at + place + 2 : end] if one not in ("(", ")")]
        return []


class _UaiWords(FileWords):
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


def read_uai(name: str, text: str) -> Loaded:
    """The network of a UAI file; variables are named var_0, var_1 and their states 0, 1."""
    words = _UaiWords(name, text, _UAI)
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
            model_of(network, [tables[i] for i in range(count)], tolerance=FEW_DIGITS),
            source=name,
        )


def _scopes(words: _UaiWords, count: int) -> dict[int, list[int]]:
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


def _table(words: _UaiWords, sizes: Sequence[int]) -> Array:
    cells = math.prod(sizes)
    start = words.position
    if words.whole("a number of table entries", most=CELL_LIMIT) != cells:
        words.fail(start, f"a table of {cells:,} entries must stand here")
    written = words.take(cells, f"{cells:,} table entries")
    try:
        return np.array(list(map(float, written))).reshape(-1, sizes[-1])
    except ValueError:
        words.fail(start, "an entry of this table is not a number; correct it")
