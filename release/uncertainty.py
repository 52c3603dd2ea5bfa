"""Intervals with a release: for every row in a file of their own, and for any question asked of it.

Made from the published measurements alone, with noise drawn again from a fixed seed: anyone gets
the same ones, and nothing more is learned about any record.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.parameters import Model
from core.study.pivot import LEVEL, REPLICATES, MeasuredTable, Pivot, RowIntervals
from core.table import Array, Variable
from release.published import GAUSSIAN, Document, Measurement, Published, read_measurement
from sources.json_network import read_json_network
from sources.loaded import Loaded
from sources.text import as_written

INTERVALS = "intervals.json"
FORMAT = "equipoise intervals 1"
ABOUT = (
    "An interval is about what the same network without noise would say of the same records: it "
    "covers the noise, and not that other records might have been collected."
)
NOTE = (
    "For every conditional of model.json, cell by cell, the least and the largest value that the "
    "noisy tables leave open, nine times in ten; from measurements.json alone. " + ABOUT
)
MOST = 2**24
"""Cells times replicates: a few hundred megabytes."""

FEWEST = 100
"""Replicates below which five per cent on each side mean little."""

LITTLE = 0.5
"""A row with an interval wider than this in some state: the release says little about it."""


def noisy_tables(
    measured: Iterable[Measurement], values: Iterable[Array | NDArray[np.int64]]
) -> tuple[MeasuredTable, ...]:
    """The measured tables with what was drawn; those of a Poisson sample and totals left out."""
    pairs = zip((m for m in measured if not m.is_choice), values, strict=False)
    return tuple(
        MeasuredTable(m.variables, np.asarray(v, float), float(m.scale), m.noise == GAUSSIAN)
        for m, v in pairs
        if m.variables and m.rate == 1
    )


def size(model: Model, tables: Iterable[MeasuredTable]) -> int:
    """Cells of one replicate."""
    return sum(table.values.size for table in tables) + model.network.layout.size


def pivot(model: Model, tables: tuple[MeasuredTable, ...]) -> Pivot:
    """Counts that the records may have had; refused where there would be too many of them."""
    replicates = min(REPLICATES, MOST // size(model, tables))
    if replicates < FEWEST or not tables:
        raise EquipoiseError(
            f"no intervals: {size(model, tables):,} cells are too many to draw again, of at most "
            f"{MOST // FEWEST:,}"
            if tables
            else "no intervals: no table of this release was measured"
        )
    return Pivot.of(model, tables, replicates=replicates, rng=np.random.default_rng(0))


def row_intervals(
    model: Model, measured: Iterable[Measurement], values: Iterable[Array | NDArray[np.int64]]
) -> RowIntervals | None:
    """Rounded outwards to four decimals; none without tables or with too many cells."""
    tables = noisy_tables(measured, values)
    if not tables or FEWEST * size(model, tables) > MOST:
        return None
    return outwards(pivot(model, tables).rows())


def outwards(rows: RowIntervals) -> RowIntervals:
    """Limits to four decimals, outwards; one that is of four already stays, whatever its last bit.

    Many are: shares of few replicates. Processors add in different orders.
    """
    low, high = (np.round(limit * 1e4, 6) for limit in (rows.low, rows.high))
    return RowIntervals(np.floor(low) / 1e4, np.ceil(high) / 1e4)


def intervals_file(published: Published) -> dict[str, bytes]:
    """The file, where there are intervals."""
    limits, network = published.intervals, published.model.network
    if limits is None:
        return {}
    low, high = (
        [
            network.layout.unpack(side, place).reshape(-1, variable.cardinality).tolist()
            for place, variable in enumerate(network.variables)
        ]
        for side in (limits.low, limits.high)
    )
    rows = [
        {"name": name, "parents": parents, "low": least, "high": most}
        for name, parents, least, most in zip(
            network.names, network.parents, low, high, strict=True
        )
    ]
    receipt = {"number": published.receipt.number, "digest": published.receipt.digest}
    head: Document = {
        "format": FORMAT,
        "note": NOTE,
        "level": LEVEL,
        "release": {"id": published.id, "receipt": receipt},
    }
    lines = [f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
    listed = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    body = ",\n".join([*lines, f' "variables": [\n  {listed}\n ]'])
    return {INTERVALS: f"{{\n{body}\n}}\n".encode()}


def described(published: Published) -> Document:
    """Variable by variable, how much the release leaves open, for the dossier; or why not."""
    limits, network = published.intervals, published.model.network
    if limits is None:
        return {"absent": _absent(published)}
    layout, rows = network.layout, []
    for place, variable in enumerate(network.variables):
        cells = layout.slices[place]
        width = (limits.high - limits.low)[cells].reshape(-1, variable.cardinality).max(axis=1)
        rows.append(
            {
                "variable": variable.name,
                "rows": len(width),
                "median": round(float(np.median(width)), 4),
                "widest": round(float(width.max()), 4),
                "little": int((width > LITTLE).sum()),
            }
        )
    return {"level": LEVEL, "about": ABOUT, "file": INTERVALS, "variables": rows}


def _absent(published: Published) -> str:
    if not any(m.variables and m.rate == 1 for m in published.measurements if not m.is_choice):
        return "There are no intervals: no table of this release was measured on all records."
    return (
        "There are no intervals: the measured tables and the model have more than "
        f"{MOST // FEWEST:,} cells, too many to draw again. The noise of each table is in "
        "measurements.json, with its law and scale."
    )


@dataclass(frozen=True, eq=False)
class ReleasedAnswer:
    """What a released model says to a question, state by state, and what else fits the tables."""

    release: str
    variables: tuple[Variable, ...]
    told: Array
    low: Array
    high: Array

    @property
    def rows(self) -> list[Document]:
        """Each combination of states, the last variable fastest."""
        shape = tuple(v.cardinality for v in self.variables)
        named = [
            {v.name: v.states[k] for v, k in zip(self.variables, code, strict=True)}
            for code in np.ndindex(shape)
        ]
        told = zip(named, self.told.tolist(), self.low.tolist(), self.high.tolist(), strict=True)
        return [
            {"states": s, "probability": p, "low": low, "high": high} for s, p, low, high in told
        ]


def ask(model: bytes, measurements: bytes, asked: Query) -> ReleasedAnswer:
    """A question to the files of a release; no record is looked at, so it may be asked freely."""
    name, other = "model.json", "measurements.json"
    loaded = read_json_network(name, model)
    try:
        facts, whole = json.loads(model)["release"], json.loads(measurements)
        same, tables = facts["receipt"] == whole["release"]["receipt"], _read(whole)
        release = str(facts["id"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, ArithmeticError):
        raise EquipoiseError(
            f"{name} or {other} is not of a release; take both as released"
        ) from None
    if not same or not isinstance(loaded, Loaded) or loaded.model is None:
        raise EquipoiseError(f"{name} and {other} are of two releases; take them from one folder")
    with as_written(other, "take it as released"):
        told, low, high = pivot(loaded.model, tables).answers(asked)
    network = loaded.network
    variables = tuple(network.variables[network.index(name)] for name in asked.targets)
    return ReleasedAnswer(release, variables, told, low, high)


def _read(whole: Mapping[str, Any]) -> tuple[MeasuredTable, ...]:
    rows = [m for m in whole["measurements"] if "values" in m]
    return noisy_tables([read_measurement(m) for m in rows], drawn_values(rows))


def drawn_values(rows: Sequence[Mapping[str, Any]]) -> list[Array]:
    """The numbers of each measured table; what no noise adds up to is refused."""
    values = [np.array(m["values"], dtype=np.float64) for m in rows]
    if not all((np.abs(table) <= 2.0**63).all() for table in values):
        raise EquipoiseError("a table holds what is no count with noise; take it as released")
    return values
