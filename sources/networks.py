"""Network files of every accepted kind, and the sample networks."""

import csv
import io
from pathlib import Path, PurePath

from core.errors import EquipoiseError
from core.network import NODE_LIMIT
from sources.bif import read_bif
from sources.foreign import read_foreign, read_uai
from sources.json_network import read_json_network
from sources.loaded import EdgeList, Loaded
from sources.text import check_size, decode, naming, read_bytes, shown

SAMPLES = Path(__file__).parent.parent / "sample_networks"

SAMPLE_SOURCES = {
    "figure-one": "Graph: Roy Chowdhury, Rekatsinas, Jha 2020 (ICML), Figure 1; parameters: ours",
    "asia": "Lauritzen, Spiegelhalter 1988",
    "sachs": "Sachs et al. 2005",
    "child": "Spiegelhalter, Cowell 1992",
    "alarm": "Beinlich et al. 1989",
}
"""Publication each sample network comes from; the README beside them says more."""

EXTENSIONS = (
    *(".bif", ".json", ".csv", ".xmlbif", ".xml", ".net", ".xdsl", ".uai"),
    *(".graphml", ".gml", ".adjlist"),
)
"""Kinds of network file that are read, by the end of their names."""


def sample_names() -> tuple[str, ...]:
    """Names of the sample networks, smallest first."""
    return tuple(SAMPLE_SOURCES)


def sample(name: str) -> Loaded:
    """A sample network with its model."""
    if name not in SAMPLE_SOURCES:
        raise EquipoiseError(
            f"no sample network {shown(name)}; there are {', '.join(SAMPLE_SOURCES)}"
        )
    path = SAMPLES / f"{name}.bif"
    loaded = read_bif(path.name, decode(path.name, read_bytes(path)))
    return Loaded(name, loaded.network, loaded.model, SAMPLE_SOURCES[name])


def read_network(name: str, data: bytes) -> Loaded | EdgeList:
    """The network of a file, chosen by the end of its name; a file of edges gives a structure."""
    check_size(name, data)
    match PurePath(name).suffix.lower():
        case ".json":
            return read_json_network(name, data)
        case ".bif":
            return read_bif(name, decode(name, data))
        case ".csv":
            return read_edges(name, decode(name, data))
        case ".uai":
            return read_uai(name, decode(name, data))
        case ".xml" | ".xmlbif":
            return read_foreign(name, decode(name, data), "xmlbif")
        case ".net" | ".xdsl" as ending:
            return read_foreign(name, decode(name, data), ending[1:])
        case ".graphml" | ".gml" | ".adjlist" as ending:
            from sources.graphs import read_graph  # networkx takes a while to import

            return read_graph(name, decode(name, data), ending[1:])
        case other:
            raise EquipoiseError(
                f"{name} has the unknown ending {other!r}; network files end in "
                f"{', '.join(EXTENSIONS)}"
            )


def read_edges(name: str, text: str) -> EdgeList:
    """The edges of a file, names in the order in which they first appear."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: dict[str, None] = {}
    edges: dict[tuple[str, str], None] = {}
    try:
        if next(reader) != ["parent", "child"]:
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
