"""Networks as JSON, our own small format.

    {"name": "rain",
     "variables": [
        {"name": "season", "states": ["dry", "wet"], "conditional": [[0.6, 0.4]]},
        {"name": "rain", "states": ["yes", "no"], "parents": ["season"],
         "conditional": [[0.1, 0.9], [0.7, 0.3]]}]}

``conditional`` has one row per setting of the parents, the last parent varying fastest, and one
number per state. Where no variable has one, the file gives a network without a model; where none
has ``states`` either, it gives only the edges. ``parents`` may be left out.
"""

from collections.abc import Sequence

import numpy as np

from core.errors import EquipoiseError
from core.network import Network
from core.parameters import ROW_TOLERANCE, Model
from core.table import Array, Variable, cells
from sources.loaded import EdgeList, Loaded, model_of
from sources.text import naming, read_json, shown

_KEYS = ("name", "states", "parents", "conditional")


def read_json_network(name: str, data: bytes) -> Loaded | EdgeList:
    """The network of a JSON file, or its edges where it gives no states."""
    return read_document(name, read_json(name, data))


def read_document(
    name: str, document: dict[str, object], *, tolerance: float = ROW_TOLERANCE
) -> Loaded | EdgeList:
    """The network of what such a file holds."""
    with naming(name):
        entries = [_entry(entry, at) for at, entry in enumerate(_variables(document), start=1)]
        parents = tuple(_strings(entry, "parents") for entry in entries)
        if not _all_or_none(entries, "states"):
            names = tuple(str(entry["name"]) for entry in entries)
            edges = ((p, child) for child, own in zip(names, parents, strict=True) for p in own)
            return EdgeList(names, tuple(edges), name)
        variables = tuple(Variable(str(e["name"]), _strings(e, "states")) for e in entries)
        network = Network(variables, parents)
        model = None
        if _all_or_none(entries, "conditional"):
            rows = [conditional_rows(e, f) for e, f in zip(entries, network.families, strict=True)]
            model = model_of(network, rows, tolerance=tolerance)
        return Loaded(str(document.get("name", name)), network, model, source=name)


def network_document(
    network: Network, model: Model | None = None, *, name: str
) -> dict[str, object]:
    """What such a file holds: it reads back as the same network and numbers."""
    if model is not None and model.replicates:
        raise EquipoiseError(
            f"the model holds replicates of shape {model.replicates}; choose one to write"
        )
    variables = []
    for index, variable in enumerate(network.variables):
        entry: dict[str, object] = {
            "name": variable.name,
            "states": variable.states,
            "parents": network.parents[index],
        }
        if model is not None:
            table = network.layout.unpack(model.values, index)
            entry["conditional"] = table.reshape(-1, variable.cardinality).tolist()
        variables.append(entry)
    return {"name": name, "variables": variables}


def _variables(document: dict[str, object]) -> list[object]:
    entries = document.get("variables")
    if not isinstance(entries, list) or not entries:
        raise EquipoiseError("there is no list 'variables'; add one entry per variable")
    return entries


def _entry(entry: object, position: int) -> dict[str, object]:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise EquipoiseError(f"entry {position} of 'variables' needs a 'name' in quotes")
    for key in entry:
        if key not in _KEYS:
            raise EquipoiseError(
                f"variable {shown(entry['name'])} has the key {shown(key)}; only "
                f"{', '.join(_KEYS)} are known"
            )
    return entry


def _strings(entry: dict[str, object], key: str) -> tuple[str, ...]:
    texts = entry.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise EquipoiseError(
            f"{key!r} of variable {shown(entry['name'])} must be a list of texts in quotes"
        )
    return tuple(texts)


def _all_or_none(entries: Sequence[dict[str, object]], key: str) -> bool:
    """Whether the entries have this key; some with and some without are refused."""
    without = [entry for entry in entries if key not in entry]
    if without and len(without) < len(entries):
        raise EquipoiseError(
            f"variable {shown(without[0]['name'])} has no {key!r} while others have; give it too"
        )
    return not without


def conditional_rows(entry: dict[str, object], family: tuple[Variable, ...]) -> Array:
    """The rows of an entry's conditional: ``(settings of the parents, states)``."""
    count, states = cells(family[:-1]), family[-1].cardinality
    rows = entry["conditional"]
    if (
        not isinstance(rows, list)
        or len(rows) != count
        or not all(isinstance(row, list) and len(row) == states for row in rows)
        or not all(_is_probability(x) for row in rows for x in row)
    ):
        raise EquipoiseError(
            f"'conditional' of variable {shown(entry['name'])} must be a list of {count:,} rows of "
            f"{states} numbers between 0 and 1"
        )
    return np.array(rows, dtype=np.float64)


def _is_probability(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
