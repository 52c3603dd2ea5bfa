"""Scenario files: everything but the records that a study's numbers follow from, as JSON.

A sample network is named; of others the file holds a digest of graph and states, so that it is
known again beside its records. Nothing of any record is in it, but names of columns can be (locks,
known tables, a question).
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from core.errors import EquipoiseError
from core.inference.evidence import Query, observe, target_positions
from core.knowledge import PublicTable
from core.methods.registry import method_named
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import RECORD_LIMIT, REPLICATE_LIMIT, Scenario, check_count
from core.table import Variable
from sources.networks import sample_names
from sources.study import Study, sampled_study
from sources.text import as_written, naming, read_json, shown

T = TypeVar("T")
VERSION = 1
MARK = "equipoise-scenario"
LARGEST = 2**20
"""Most bytes of a scenario file."""

Plain = Mapping[str, object]


@dataclass(frozen=True)
class SavedScenario:
    """One scenario: ``network`` is the sample network's name, none for a person's own.

    ``digest`` is of the network as it was loaded, ``parents`` are those of an edited graph, by
    child; ``question`` is what Utility asks; ``explain`` asks for its likeliest states, of all
    variables where it has no targets.
    """

    network: str | None
    digest: str
    scenario: Scenario
    records: int = 10_000
    data_seed: int = 0
    parents: tuple[tuple[str, tuple[str, ...]], ...] = ()
    method: str = "equipoise"
    question: Query | None = None
    explain: bool = False

    def graph(self, loaded: Network) -> Network:
        """The graph that is meant, or a refusal where it is another network's."""
        if network_digest(loaded) != self.digest:
            named = f"{self.network!r}" if self.network else "the network with its own records"
            raise EquipoiseError(
                f"the scenario was saved for {named} with another graph or other states; open it "
                "with the files that it was saved with"
            )
        if not self.parents:
            return loaded
        edited = dict(self.parents)
        if set(edited) != set(loaded.names):
            raise EquipoiseError("the scenario's graph is about other variables; save it again")
        return Network(loaded.variables, tuple(edited[name] for name in loaded.names))

    def study(self) -> Study:
        """The sample network's records, drawn again; a person's own cannot be."""
        if self.network is None:
            raise EquipoiseError(
                "the scenario belongs to records that are not in it; give them with --data, and "
                "the network with --dag"
            )
        study = sampled_study(self.network, None, records=self.records, seed=self.data_seed)
        return replace(study, network=self.graph(study.network))


def network_digest(network: Network) -> str:
    """SHA-256 of graph and states."""
    told = [[v.name, v.states, p] for v, p in zip(network.variables, network.parents, strict=True)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def edited_parents(
    loaded: Network, shown_graph: Network
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a file says of a graph: nothing where it is as it was loaded."""
    if shown_graph == loaded:
        return ()
    return tuple(zip(shown_graph.names, shown_graph.parents, strict=True))


def write_scenario(saved: SavedScenario) -> bytes:
    """The file."""
    s, options = saved.scenario, saved.scenario.options
    if math.isinf(s.epsilon):
        raise EquipoiseError("an infinite ε is no scenario to save; choose a finite one")
    asked = saved.question
    document = {
        MARK: VERSION,
        "network": saved.network,
        "digest": saved.digest,
        "records": saved.records,
        "data_seed": saved.data_seed,
        "parents": dict(saved.parents),
        "epsilon": s.epsilon,
        "split": s.split,
        "rate": s.rate,
        "neighbours": s.neighbours.value,
        "replicates": s.replicates,
        "seed": s.seed,
        "prior": options.prior,
        "delta": options.delta,
        "floors": dict(options.floors),
        "weights": dict(options.weights),
        "known": [_table_document(one) for one in options.known],
        "possible": [_table_document(one) for one in options.possible],
        "method": saved.method,
        "explain": saved.explain,
        "question": None if asked is None else {"targets": asked.targets, "given": asked.given},
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _table_document(one: PublicTable) -> dict[str, object]:
    family = [{"name": v.name, "states": v.states} for v in one.family]
    return {"family": family, "cells": one.cells, "source": one.source}


def read_scenario(name: str, data: bytes) -> SavedScenario:
    """The scenario again; whatever is not one is refused in one sentence."""
    document = read_json(name, data, limit=LARGEST)
    if document.get(MARK) != VERSION:
        raise EquipoiseError(
            f"{name} is no scenario of this version of Equipoise; choose a file that 'Save this "
            "scenario' or --save-scenario wrote"
        )
    with naming(name), as_written(name, "choose the file as it was saved"):
        return _saved(document)


def _saved(document: Plain) -> SavedScenario:
    network = document["network"]
    if network is not None and network not in sample_names():
        raise EquipoiseError(f"there is no sample network {shown(network)}; choose another file")
    options = Options(
        _number(document["prior"]),
        _named(document["floors"]),
        _named(document["weights"]),
        _number(document["delta"]),
        tuple(map(_table, _a(list, document["known"]))),
        tuple(map(_table, _a(list, document["possible"]))),
    )
    replicates = check_count("the number of replicates", _whole(document["replicates"]),
                             REPLICATE_LIMIT)  # fmt: skip
    return SavedScenario(
        None if network is None else _a(str, network),
        _a(str, document["digest"]),
        Scenario(
            epsilon=_number(document["epsilon"]),
            split=_number(document["split"]),
            rate=_number(document["rate"]),
            neighbours=Neighbours(document["neighbours"]),
            replicates=replicates,
            seed=_whole(document["seed"]),
            options=options,
        ),
        check_count("the number of records", _whole(document["records"]), RECORD_LIMIT),
        _whole(document["data_seed"]),
        tuple((c, _texts(parents)) for c, parents in _a(dict, document["parents"]).items()),
        method_named(_a(str, document["method"])).name,
        _question(document["question"]),
        document["explain"] is True,
    )  # fmt: skip


def check_question(asked: Query, network: Network) -> None:
    """Refuse a question about variables or states that the network does not have."""
    target_positions(network, asked.targets, observe(network, asked.given).variables)


def _question(value: object) -> Query | None:
    if value is None:
        return None
    told = _a(dict, value)
    given = {key: _a(str, state) for key, state in _a(dict, told["given"]).items()}
    return Query(_texts(told["targets"]), given)


def _table(value: object) -> PublicTable:
    told = _a(dict, value)
    family = (
        Variable(_a(str, one["name"]), _texts(one["states"])) for one in _a(list, told["family"])
    )
    cells = tuple(map(_number, _a(list, told["cells"])))
    return PublicTable(tuple(family), cells, _a(str, told["source"]))


def _a(kind: type[T], value: object) -> T:
    """The value, which is of this type."""
    if not isinstance(value, kind):
        raise TypeError
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_a(str, text) for text in _a(list, value))


def _number(value: object) -> float:
    if not math.isfinite(number := _a(float, value)):
        raise ValueError
    return number


def _whole(value: object) -> int:
    if (number := _number(value)) != int(number) or number < 0:
        raise ValueError
    return int(number)


def _named(value: object) -> tuple[tuple[str, float], ...]:
    return tuple((key, _number(number)) for key, number in _a(dict, value).items())
