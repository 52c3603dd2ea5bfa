"""Schema files: the public states of each column, or where a column of numbers or dates is cut.

    {"columns": [
        {"name": "smoker", "states": ["yes", "no"], "source": "questionnaire of 2019"},
        {"name": "sex", "states": ["male", "female"], "values": {"1": "male", "2": "female"}},
        {"name": "age", "bins": [0, 18, 40, 65, 120], "missing": "state", "outside": "state"},
        {"name": "dose", "bins": [0, 10, 100], "labels": ["low", "high"]},
        {"name": "visit", "date": "%d.%m.%Y", "bins": ["2019-01-01", "2020-01-01", "2021-01-01"]}],
     "left_out": ["patient"],
     "file": {"delimiter": ";", "decimal": ","}}

A bin holds its lower edge and not its upper one, except the last of numbers, which holds both. Its
state is written ``[0, 18)`` unless ``labels`` names it. Values outside are refused, or get a state
of their own. ``seen`` says that states or edges were read off the records; then ``source`` is the
steward's name for where they are known from, and without it they are not public.
"""

import itertools
import json
import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

from core.errors import EquipoiseError, repeated
from core.table import Variable
from sources.cuts import bin_labels, day_text, seconds
from sources.dialect import COLUMN_LIMIT, stated_dialect
from sources.text import naming, read_json, shown

MISSING_STATE = "missing"
"""State that stands for a missing value when that is the choice."""

MISSING_CHOICES = ("refuse", "drop", "state")
"""What may be done with missing values."""

STATE_LIMIT = 2**16
"""Most states of one column."""

_DATE = re.compile(r"([^%]|%[aAbBdHIjmMpSyY%])*")

Outside = Literal["refuse", "state"]

_KEYS = {
    "name": str, "states": list, "values": dict, "bins": list, "labels": list, "date": str,
    "missing": str, "outside": str, "source": str, "seen": bool,
}  # fmt: skip


@dataclass(frozen=True)
class SchemaColumn:
    """A column's variable and how its values become states.

    ``edges`` are those of a column of numbers, or of dates (in seconds since 1970) written as
    ``date`` says. ``values`` are pairs of a value in the file and its state, empty where they are
    the same. ``missing`` is empty where whoever reads the table decides.
    """

    variable: Variable
    edges: tuple[float, ...] = ()
    date: str = ""
    values: tuple[tuple[str, str], ...] = ()
    missing: str = ""
    outside: Outside = "refuse"
    source: str = ""
    seen: bool = False

    @property
    def public(self) -> bool:
        """Whether states and edges are known without the records."""
        return not self.seen or bool(self.source)

    @property
    def outside_state(self) -> str:
        """The state of values that have no other, where they are not refused."""
        return "outside" if self.edges else "other"

    def widened(self, variable: Variable, missing: str) -> Variable:
        """The variable with the further states that these choices give it."""
        further = [self.outside_state] * (self.outside == "state")
        further += [MISSING_STATE] * ((self.missing or missing) == "state")
        own = (state for state in further if state not in variable.code_of)
        return Variable(variable.name, (*variable.states, *own))


@dataclass(frozen=True)
class Schema:
    """The public domain of a table, as its keeper declares it; ``file`` says how it is written."""

    name: str
    columns: tuple[SchemaColumn, ...]
    left_out: tuple[str, ...] = ()
    file: dict[str, Any] = field(default_factory=dict)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The domain: every column's variable, in the file's order."""
        return tuple(column.variable for column in self.columns)

    def covers(self, names: Iterable[str]) -> bool:
        """Whether it describes each of these columns."""
        return all(name in self.by_name for name in names)

    def of(self, names: Iterable[str]) -> tuple[SchemaColumn, ...]:
        """Those of these columns that it describes."""
        return tuple(self.by_name[name] for name in names if name in self.by_name)

    def policy(self, names: Iterable[str], missing: str) -> str:
        """What becomes of missing values: one word, ``columns`` where each has its own."""
        own = {name: self.by_name[name].missing for name in names if name in self.by_name}
        words = {own.get(name) or missing for name in names}
        return words.pop() if len(words) == 1 else "columns"

    @cached_property
    def by_name(self) -> dict[str, SchemaColumn]:
        """Columns by name."""
        return {column.variable.name: column for column in self.columns}


def read_schema(name: str, data: bytes) -> Schema:
    """The schema of a JSON file; anything that is not understood is refused."""
    with naming(name):
        document = read_json(name, data)
        entries = document.get("columns")
        if not isinstance(entries, list) or not entries:
            raise EquipoiseError("there is no list 'columns'; add one entry per column")
        if len(entries) > COLUMN_LIMIT:
            raise EquipoiseError(
                f"there are {len(entries):,} columns; at most {COLUMN_LIMIT:,} are read"
            )
        columns = tuple(_column(entry, at) for at, entry in enumerate(entries, start=1))
        left_out = tuple(_texts(document, "left_out")) if "left_out" in document else ()
        file = document.get("file", {})
        if not isinstance(file, dict):
            raise EquipoiseError("'file' must be an object in braces")
        schema = Schema(name, columns, left_out, stated_dialect(file))
        names = [*(variable.name for variable in schema.variables), *left_out]
        if len(set(names)) < len(names):
            raise EquipoiseError(f"column {shown(repeated(names))} is described twice; remove one")
        return schema


def _column(entry: object, position: int) -> SchemaColumn:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise EquipoiseError(f"entry {position} of 'columns' needs a 'name' in quotes")
    with naming(f"column {shown(entry['name'])}"):
        for key in entry:
            if key not in _KEYS:
                raise EquipoiseError(f"the key {shown(key)} is not known; {', '.join(_KEYS)} are")
        for key in ("date", "missing", "outside", "source", "seen"):
            if key in entry and not isinstance(entry[key], _KEYS[key]):
                raise EquipoiseError(f"{key!r} is {shown(entry[key])}; see the README for its kind")
        if ("states" in entry) == ("bins" in entry):
            raise EquipoiseError("it needs either 'states' or 'bins'")
        return _states(entry) if "states" in entry else _bins(entry)


def _states(entry: dict[str, Any]) -> SchemaColumn:
    variable = Variable(entry["name"], _texts(entry, "states"))
    values = entry.get("values", {})
    if not isinstance(values, dict) or not set(variable.states).issuperset(
        map(str, values.values())
    ):
        raise EquipoiseError("'values' must give one of its states for each value in the file")
    return SchemaColumn(variable, values=tuple(values.items()), **_choices(entry))


def _bins(entry: dict[str, Any]) -> SchemaColumn:
    date = entry.get("date", "")
    parts = re.findall("%[a-zA-Z]", date)
    if not _DATE.fullmatch(date) or len(set(parts)) < len(parts):  # what stands twice is no date
        raise EquipoiseError(f"{shown(date)} is no way to write a date; write one like %d.%m.%Y")
    edges = tuple(map(seconds, _texts(entry, "bins"))) if date else _numbers(entry)
    if len(edges) < 2 or any(low >= high for low, high in itertools.pairwise(edges)):
        raise EquipoiseError(
            f"'bins' must be at least two {'days' if date else 'numbers'}, each larger than the "
            "one before"
        )
    labels = _texts(entry, "labels") if "labels" in entry else bin_labels(edges, dates=bool(date))
    if len(labels) != len(edges) - 1:
        raise EquipoiseError(
            f"it has {len(edges) - 1} bins and {len(labels)} labels; give one label per bin"
        )
    return SchemaColumn(Variable(entry["name"], labels), edges, date, **_choices(entry))


def _choices(entry: dict[str, Any]) -> dict[str, Any]:
    if entry.get("missing", "") not in ("", *MISSING_CHOICES):
        raise EquipoiseError(f"'missing' must be one of {', '.join(MISSING_CHOICES)}")
    if entry.get("outside", "refuse") not in ("refuse", "state"):
        raise EquipoiseError("'outside' must be refuse or state")
    return {key: entry[key] for key in ("missing", "outside", "source", "seen") if key in entry}


def _texts(entry: dict[str, Any], key: str) -> tuple[str, ...]:
    items = entry[key]
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise EquipoiseError(f"{key!r} must be a list of texts in quotes")
    if len(items) > STATE_LIMIT:
        raise EquipoiseError(
            f"{key!r} has {len(items):,} entries; at most {STATE_LIMIT:,} are read, so merge some"
        )
    return tuple(items)


def _numbers(entry: dict[str, Any]) -> tuple[float, ...]:
    items = entry["bins"]
    finite = isinstance(items, list) and all(
        isinstance(item, float) and math.isfinite(item) for item in items
    )
    return tuple(cast("list[float]", items)) if finite else ()


def schema_bytes(schema: Schema) -> bytes:
    """The JSON file of a schema."""
    columns = ",\n  ".join(_json(_entry(column)) for column in schema.columns)
    left_out = f',\n "left_out": {_json(schema.left_out)}' if schema.left_out else ""
    file = f',\n "file": {_json(schema.file)}' if schema.file else ""
    return f'{{"columns": [\n  {columns}]{left_out}{file}}}\n'.encode()


def _json(item: object) -> str:
    return json.dumps(item, ensure_ascii=False)


def _entry(column: SchemaColumn) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": column.variable.name}
    if column.edges:
        dates = bool(column.date)
        entry |= {"date": column.date} if dates else {}
        entry["bins"] = [day_text(e) if dates else e for e in column.edges]
        if column.variable.states != bin_labels(column.edges, dates=dates):
            entry["labels"] = list(column.variable.states)
    else:
        entry["states"] = list(column.variable.states)
        entry |= {"values": dict(column.values)} if column.values else {}
    entry |= {"missing": column.missing} if column.missing else {}
    entry |= {"outside": column.outside} if column.outside != "refuse" else {}
    entry |= {"source": column.source} if column.source else {}
    return entry | ({"seen": True} if column.seen else {})


def confirmed(schema: Schema, names: Collection[str], source: str) -> Schema:
    """The schema with these columns known from ``source``, in the steward's own words."""
    if not any(letter.isalpha() for letter in source):
        raise EquipoiseError("the source of public knowledge is blank; name a document or a law")
    for name in names:
        if name not in schema.by_name:
            raise EquipoiseError(f"{schema.name} does not describe {shown(name)}; check the name")
    wanted = set(names)
    columns = (
        replace(column, source=source.strip()) if column.variable.name in wanted else column
        for column in schema.columns
    )
    return replace(schema, columns=tuple(columns))
