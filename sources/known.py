"""Tables that a person states as known, and cells that cannot occur: one file, or a network's own.

    {"known": [{"name": "either", "parents": ["tub", "lung"],
                "conditional": [[1, 0], [1, 0], [1, 0], [0, 1]]}],
     "impossible": [{"tub": "yes", "either": "no"}]}

``conditional`` has one row per setting of the parents, the last parent varying fastest. Settings
that are ``impossible`` name a variable and some or all of its parents.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.errors import EquipoiseError
from core.knowledge import PublicTable
from core.network import Network
from core.options import Options
from core.parameters import ROUNDING, ROW_TOLERANCE
from core.table import Variable
from sources.json_network import conditional_rows
from sources.loaded import EdgeList, Loaded
from sources.text import naming, read_json, shown

File = tuple[str, bytes]


def stated_known(
    options: Options,
    network: Network,
    loaded: Loaded | EdgeList | None,
    names: Sequence[str],
    file: File | None,
) -> Options:
    """The options with known tables: the named ones as the network file has them, and a file's."""
    own = tuple(_own_table(loaded, name) for name in names)
    more, possible = ((), ()) if file is None else read_known(*file, network)
    informed = replace(options, known=(*own, *more), possible=possible)
    for one in (*informed.known, *informed.possible):
        one.on(network)
    return informed


def _own_table(loaded: Loaded | EdgeList | None, name: str) -> PublicTable:
    if not isinstance(loaded, Loaded) or loaded.model is None:
        raise EquipoiseError(
            f"the network has no probabilities, so the table of {shown(name)} cannot be taken from "
            "it; state the table in a file"
        )
    table = loaded.model.conditional(loaded.network.index(name))
    return PublicTable(table.variables, tuple(table.values.ravel().tolist()))


def read_known(
    name: str, data: bytes, network: Network
) -> tuple[tuple[PublicTable, ...], tuple[PublicTable, ...]]:
    """Known tables, and what is possible, of a file about this network."""
    with naming(name):
        document = read_json(name, data)
        for key in document:
            if key not in ("known", "impossible"):
                raise EquipoiseError(
                    f"there is the key {shown(key)}; only 'known' and 'impossible' are read"
                )
        known = [_known(entry, network) for entry in _entries(document, "known")]
        closed: dict[int, list[dict[str, object]]] = {}
        for entry in _entries(document, "impossible"):
            closed.setdefault(_child(entry, network), []).append(entry)
        possible = [_possible(i, network, closed[i]) for i in sorted(closed)]
        return _from(name, known), _from(name, possible)


def _from(name: str, stated: list[PublicTable]) -> tuple[PublicTable, ...]:
    return tuple(replace(one, source=name) for one in stated)


def _entries(document: dict[str, object], key: str) -> list[dict[str, object]]:
    entries = document.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise EquipoiseError(f"{key!r} must be a list of objects in braces")
    return entries


def _known(entry: dict[str, object], network: Network) -> PublicTable:
    name, parents = entry.get("name"), entry.get("parents", [])
    if set(entry) - {"parents"} != {"name", "conditional"} or not isinstance(parents, list):
        raise EquipoiseError("each entry of 'known' needs a name, its parents and a conditional")
    family = tuple(network.variables[network.index(str(one))] for one in (*parents, name))
    rows = conditional_rows(entry, family)
    totals = rows.sum(axis=1, keepdims=True)
    near = (np.abs(totals - 1) > ROUNDING) & (np.abs(totals - 1) <= ROW_TOLERANCE)
    rows = np.where(near, rows / np.where(totals > 0, totals, 1), rows)
    return PublicTable(family, tuple(rows.ravel().tolist())).checked_rows()


def _child(entry: dict[str, object], network: Network) -> int:
    """The variable whose family holds all that an impossible setting names."""
    places = {network.index(name) for name in entry}
    for i, scope in enumerate(network.scopes):
        if places <= set(scope) and i in places:
            return i
    raise EquipoiseError(
        f"the impossible setting of {', '.join(map(shown, entry)) or 'nothing'} is not within one "
        "family; name a variable and some of its parents"
    )


def _possible(child: int, network: Network, closed: list[dict[str, object]]) -> PublicTable:
    family = network.families[child]
    marks = np.ones([v.cardinality for v in family])
    for entry in closed:
        codes = [_code(v, entry[v.name]) if v.name in entry else slice(None) for v in family]
        marks[tuple(codes)] = 0
    return PublicTable(family, tuple(marks.ravel().tolist())).checked_support()


def _code(variable: Variable, state: object) -> int:
    if state not in variable.states:
        raise EquipoiseError(
            f"{shown(variable.name)} has no state {shown(state)}; it has "
            f"{', '.join(map(shown, variable.states[:6]))}"
        )
    return variable.states.index(str(state))
