"""Schema files: the public states of each column, or the bin edges of a numeric one.

    {"columns": [
        {"name": "smoker", "states": ["yes", "no"]},
        {"name": "age", "bins": [0, 18, 40, 65, 120]},
        {"name": "dose", "bins": [0, 10, 100], "labels": ["low", "high"]}]}

A bin holds its lower edge and not its upper one, except the last, which holds both. Its state is
written ``[0, 18)`` unless ``labels`` names it. Values outside the edges are refused.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.errors import EquipoiseError
from core.table import Variable
from sources.text import naming, read_json, shown

_KEYS = ("name", "states", "bins", "labels")


@dataclass(frozen=True)
class SchemaColumn:
    """A column's variable; ``edges`` are the bin edges of a numeric column, empty for others."""

    variable: Variable
    edges: tuple[float, ...] = ()


@dataclass(frozen=True)
class Schema:
    """The public domain of a table, as its keeper declares it."""

    name: str
    columns: tuple[SchemaColumn, ...]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The domain: every column's variable, in the file's order."""
        return tuple(column.variable for column in self.columns)

    def covers(self, names: Iterable[str]) -> bool:
        """Whether it describes each of these columns."""
        return all(name in self.by_name for name in names)

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
        schema = Schema(name, tuple(_column(e, at) for at, e in enumerate(entries, start=1)))
        if len(schema.by_name) < len(schema.columns):
            names = [variable.name for variable in schema.variables]
            twice = next(n for n in names if names.count(n) > 1)
            raise EquipoiseError(f"column {shown(twice)} is described twice; remove one")
        return schema


def bin_labels(edges: Sequence[float]) -> tuple[str, ...]:
    """States of the bins between edges.

    >>> bin_labels((0, 18, 65))
    ('[0, 18)', '[18, 65]')
    """
    pairs = list(itertools.pairwise(f"{edge:.12g}" for edge in edges))
    return tuple(
        f"[{low}, {high}" + ("]" if at == len(pairs) else ")")
        for at, (low, high) in enumerate(pairs, start=1)
    )


def _column(entry: object, position: int) -> SchemaColumn:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise EquipoiseError(f"entry {position} of 'columns' needs a 'name' in quotes")
    name = entry["name"]
    for key in entry:
        if key not in _KEYS:
            raise EquipoiseError(
                f"column {shown(name)} has the key {shown(key)}; only {', '.join(_KEYS)} are known"
            )
    if ("states" in entry) == ("bins" in entry):
        raise EquipoiseError(f"column {shown(name)} needs either 'states' or 'bins'")
    if "states" in entry:
        return SchemaColumn(Variable(name, _texts(entry, "states")))
    edges = _edges(entry)
    labels = _texts(entry, "labels") if "labels" in entry else bin_labels(edges)
    if len(labels) != len(edges) - 1:
        raise EquipoiseError(
            f"column {shown(name)} has {len(edges) - 1} bins and {len(labels)} labels; give one "
            "label per bin"
        )
    return SchemaColumn(Variable(name, labels), edges)


def _texts(entry: dict[str, object], key: str) -> tuple[str, ...]:
    found = entry[key]
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise EquipoiseError(
            f"{key!r} of column {shown(entry['name'])} must be a list of texts in quotes"
        )
    return tuple(found)


def _edges(entry: dict[str, object]) -> tuple[float, ...]:
    found = entry["bins"]
    edges = tuple(found) if isinstance(found, list) else ()
    if (
        len(edges) < 2
        or not all(isinstance(edge, float) and math.isfinite(edge) for edge in edges)
        or any(low >= high for low, high in itertools.pairwise(edges))
    ):
        raise EquipoiseError(
            f"'bins' of column {shown(entry['name'])} must be at least two numbers, each larger "
            "than the one before"
        )
    return edges
