"""XMLBIF, XDSL and HUGIN's NET files: tables of other programs, each read into our own document.

Every conditional has one row per setting of the parents, the last parent varying fastest.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn
from xml.etree import ElementTree

from core.errors import EquipoiseError
from sources.json_network import read_document
from sources.loaded import Loaded
from sources.text import Words, fail, shown

FEW_DIGITS = 1e-4
"""How far a row may be from one: other programs write six significant digits."""

ATTRIBUTES = 300
"""Most letters of a list of attributes: a default among them is repeated for every element."""

_DECLARATION = re.compile(r"<!(?:ENTITY|DOCTYPE)[^\[>]*")
_LIST = re.compile(rf"<!ATTLIST[^>]{{{ATTRIBUTES}}}")
_NET = re.compile(r'%[^\n]*|("[^"\n]*"|[(){}=;|]|[^\s(){}=;|"%]+|")')

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


class _NetWords(Words):
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
