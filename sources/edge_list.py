"""Edges as CSV: a header ``parent,child``, then one edge per line.

A line with an empty second field names a variable that has no edges. States are not in the file:
they come from a schema, or from a network file.
"""

from __future__ import annotations

import csv
import io

from core.errors import EquipoiseError
from core.network import NODE_LIMIT
from sources.loaded import EdgeList
from sources.text import naming, shown

HEADER = ["parent", "child"]


def read_edges(name: str, text: str) -> EdgeList:
    """The edges of a file, names in the order in which they first appear."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: dict[str, None] = {}
    edges: dict[tuple[str, str], None] = {}
    try:
        if next(reader) != HEADER:
            raise EquipoiseError(
                f"{name}, line 1: an edge list must begin with the line 'parent,child'"
            )
        for row in reader:
            if row:
                _add(row, names, edges, where=f"{name}, line {reader.line_num}")
    except csv.Error as problem:
        raise EquipoiseError(
            f"{name}, line {reader.line_num}: {problem}; close the quote or remove it"
        ) from None
    if not names:
        raise EquipoiseError(f"{name} has a header and no edges; add one edge per line")
    with naming(name):
        return EdgeList(tuple(names), tuple(edges), name)


def _add(
    row: list[str], names: dict[str, None], edges: dict[tuple[str, str], None], *, where: str
) -> None:
    if len(row) != 2 or not row[0]:
        raise EquipoiseError(f"{where}: {len(row)} fields; write one parent and one child")
    parent, child = row
    names.update(dict.fromkeys(name for name in row if name))
    if len(names) > NODE_LIMIT:
        raise EquipoiseError(
            f"{where}: more than {NODE_LIMIT:,} variables; split the network or drop some"
        )
    if (parent, child) in edges:
        raise EquipoiseError(f"{where}: the edge {shown(parent)} -> {shown(child)} stands twice")
    if child:
        edges[parent, child] = None
