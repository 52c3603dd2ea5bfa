"""Measurements: the noisy tables of a release as drawn, and the model made from them again.

Everything a method makes follows from its noisy tables, its choices and public knobs. They are what
was paid for, so they may be published as the model is; who has them can fit another model at no
cost, and prove that the released one was made as it says: rebuilt, it is the same byte for byte on
the same machine, and the same to ``ROUNDING`` on another.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from core.errors import EquipoiseError
from core.methods.randomness import Candidates, Histograms
from core.methods.registry import method_named
from core.network import Network
from core.parameters import Model
from core.scenario import Scenario
from core.table import Array, Variable
from release.files import network_files
from release.meter import Kept
from release.preview import Nothing, run
from release.published import Document, Published, document, published_from
from release.uncertainty import drawn_values, intervals_file, row_intervals
from sources.json_network import network_document
from sources.text import as_written, check_parts

MEASUREMENTS = "measurements.json"
FORMAT = "equipoise measurements 1"
ROUNDING = 1e-9
"""How far two processors may be apart in a probability: they add in different orders."""

_NUMBER = re.compile(rb"(?<![\w.])(\d+\.\d+(?:e-?\d+)?|\d+e-?\d+)(?![\w.])")

NOTE = (
    "Noisy counts as they were drawn, whole numbers: one list for each table, the last variable "
    "varying fastest. Noise is of the named law and scale; negative counts are noise."
)


def measurements_file(published: Published, kept: Kept) -> bytes:
    """The file: public knobs, then every measurement with what was drawn, one on a line."""
    facts = document(published)
    listed, tables = facts.pop("measurements"), iter(kept.tables)
    told = [m.is_choice for m in published.measurements]
    if len(kept.tables) != len(told) - sum(told):
        raise EquipoiseError(
            f"{published.method!r} has drawn {len(told) - sum(told)} tables and noted "
            f"{len(kept.tables)} (core.methods.randomness.noted); correct the method"
        )
    rows = [
        one if is_choice else {**one, "values": next(tables).tolist()}
        for one, is_choice in zip(listed, told, strict=True)
    ]
    head: Document = {
        "format": FORMAT,
        "note": NOTE,
        "given": network_document(_given(published), name=f"release {published.id}"),
        "release": facts,
        "records": kept.records,
        "places": kept.places,
    }
    lines = [f" {json.dumps(key)}: {_text(value)}" for key, value in head.items()]
    measured = ",\n  ".join(map(_text, rows))
    body = ",\n".join([*lines, f' "measurements": [\n  {measured}\n ]'])
    return f"{{\n{body}\n}}\n".encode()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _given(published: Published) -> Network:
    """The graph that the method was given: none where it has learned one."""
    network = published.model.network
    if not method_named(published.method).learns:
        return network
    return Network(published.columns, ((),) * len(published.columns))


@dataclass(eq=False)
class Replayed:
    """Randomness (a ``core.methods.randomness.Fresh``) that gives what was drawn before.

    Over a source of zeros, the noisy tables are what the noise adds up to.
    """

    tables: list[Array]
    places: list[int]
    drawn: int = field(default=0)

    def spawn(self, streams: int, /) -> list[Self]:
        """Itself: what was drawn is in order."""
        return [self] * streams

    def laplace(self, histograms: Histograms, scales: Array, rate: float) -> Array:
        """The next tables."""
        return self.gaussian(histograms, scales)

    def gaussian(self, histograms: Histograms, deviations: Array) -> Array:
        """The next tables."""
        sizes = np.bincount(histograms.owner, minlength=len(histograms.tables)).tolist()
        own = self.tables[self.drawn : self.drawn + len(sizes)]
        self.drawn += len(sizes)
        if [len(table) for table in own] != sizes:
            raise EquipoiseError("the measurements are not those that the method asks for")
        values = np.empty(len(histograms.owner))
        values[np.argsort(histograms.owner, kind="stable")] = np.concatenate(own)
        return values

    def thinned(self, counts: Array, rate: float) -> Array:
        """Zeros as they are: the sample is in its tables."""
        return counts

    def choice(self, candidates: Candidates, epsilon: float) -> int:
        """The next place."""
        place = self.places.pop(0) if self.places else len(candidates.tables)
        if not 0 <= place < len(candidates.tables):
            raise EquipoiseError("the choices are not those that the method makes")
        return place

    def keep(self, histograms: Histograms, noisy: Array) -> None:
        """Nothing: it was kept before."""


def rebuilt(data: bytes) -> dict[str, bytes]:
    """The model files and intervals of a release, made again from its measurements alone.

    Synthetic records are not among them: they were drawn from the model with entropy that is gone.
    """
    check_parts(MEASUREMENTS, data)
    with as_written(MEASUREMENTS, "take it as it was released"):
        return _rebuilt(json.loads(data))


def _rebuilt(whole: Mapping[str, Any]) -> dict[str, bytes]:
    if whole["format"] != FORMAT:
        raise EquipoiseError(f"{MEASUREMENTS} is not of the format {FORMAT!r}; take another")
    rows = whole["measurements"]
    tables = drawn_values([m for m in rows if "values" in m])
    listed = [{key: value for key, value in m.items() if key != "values"} for m in rows]
    facts = {**whole["release"], "measurements": listed}
    network = _network(whole["given"])
    blank = published_from(facts, Model(network, np.zeros(network.layout.size)))
    scenario = Scenario(
        epsilon=float(blank.model_epsilon),
        neighbours=blank.neighbours,
        split=blank.split,
        rate=blank.rate,
        options=blank.options,
    )
    replayed = Replayed(tables, list(whole["places"]))
    drawn = run(network, Nothing(whole["records"]), blank.method, scenario, replayed)
    if replayed.places or replayed.drawn != len(tables):
        raise EquipoiseError(f"{MEASUREMENTS} holds more than the method asks for")
    model = Model(drawn.model.network, drawn.model.values[0])
    intervals = row_intervals(model, blank.measurements, tables)
    published = replace(blank, model=model, intervals=intervals)
    return {**network_files(published), **intervals_file(published)}


def _network(given: Mapping[str, Any]) -> Network:
    variables = given["variables"]
    return Network(
        tuple(Variable(v["name"], tuple(v["states"])) for v in variables),
        tuple(tuple(v["parents"]) for v in variables),
    )


def not_rebuilt(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Names of model files that are not what the measurements beside them give."""
    again = rebuilt(files[MEASUREMENTS])
    return tuple(name for name, data in again.items() if not _same(files.get(name, b""), data))


def _same(released: bytes, again: bytes) -> bool:
    """The same text, and the same numbers in it as far as processors agree how to add."""
    if released == again:
        return True
    texts, others = _NUMBER.split(released), _NUMBER.split(again)
    if texts[::2] != others[::2]:
        return False
    numbers, likewise = (np.array(parts[1::2], dtype=np.float64) for parts in (texts, others))
    return bool((np.abs(numbers - likewise) <= ROUNDING).all())


def check_rebuilt(files: Mapping[str, bytes]) -> None:
    """Refuse files of a release whose model is not the one that its measurements give."""
    for name in not_rebuilt(files):
        raise EquipoiseError(f"{name} is not what the method makes of {MEASUREMENTS}")
