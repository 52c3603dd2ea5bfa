"""Counting all families of alarm over many rows of Parquet, against reading its columns once.

    python -m benchmarks.scale --rows 20000000
    python -m benchmarks.scale --rows 100000000 --file big.parquet --write     in pieces:
    python -m benchmarks.scale --rows 100000000 --file big.parquet             the file is there
    python -m benchmarks.scale --rows 8000000 --results docs/scale.jsonl       keep what it took
    python -m benchmarks.scale --chart docs/scale.svg                          and draw all of it

Prints CPU seconds (of this process and its workers), the ratio to reading, and the peak memory of
each way, each in a process of its own; then whether the tables are those that numpy counts.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from core.counts import Rows
from core.dataset import Dataset
from core.inference.sampling import sample as draw
from sources.connected import connected_study
from sources.networks import sample
from sources.places import place_of

PIECE = 1_000_000
KEPT = 4
"""Pieces that are drawn; the file repeats them."""


def pieces() -> list[Dataset]:
    """Different records of alarm."""
    model = sample("alarm").model
    assert model is not None
    return [draw(model, PIECE, rng=np.random.default_rng(seed)) for seed in range(KEPT)]


def write(path: Path, rows: int) -> None:
    """A file of so many records, states as text, a group of rows at a time."""
    tables = []
    for piece in pieces():
        columns = {
            v.name: pa.DictionaryArray.from_arrays(piece.codes[:, j].astype(np.int8), v.states)
            for j, v in enumerate(piece.variables)
        }
        tables.append(pa.table(columns))
    with pa.parquet.ParquetWriter(path, tables[0].schema, compression="zstd") as file:
        for at in range(rows // PIECE):
            file.write_table(tables[at % KEPT])


def read_pyarrow(path: Path) -> None:
    """Every column once, as pyarrow hands it over."""
    names = sample("alarm").network.names
    with pa.parquet.ParquetFile(path, read_dictionary=list(names)) as file:
        for batch in file.iter_batches(2**17, columns=list(names), use_threads=False):
            for column in batch.columns:
                column.indices.to_numpy(zero_copy_only=False)


def read_duckdb(path: Path) -> None:
    """Every column once, as DuckDB reads it."""
    import duckdb

    names = sample("alarm").network.names
    lengths = ", ".join(f'sum(length("{name}"))' for name in names)
    duckdb.connect(config={"threads": 2}).execute(f"select {lengths} from '{path}'").fetchall()


def count(address: str) -> None:
    """All families."""
    study = connected_study("alarm", None, place=place_of(address), schema=None, missing="refuse")
    study.counts.counts(study.network.families)


def same(path: Path, rows: int) -> bool:
    """Whether every table is what numpy counts, all records together."""
    whole = None
    network = sample("alarm").network
    times = [rows // PIECE // KEPT + (k < rows // PIECE % KEPT) for k in range(KEPT)]
    for piece, often in zip(pieces(), times, strict=True):
        own = [often * t.values for t in Rows(piece).counts(network.families)]
        whole = own if whole is None else [a + b for a, b in zip(whole, own, strict=True)]
    agreed = True
    for address in (f"duckdb://{path}", f"{path}*"):
        study = connected_study(
            "alarm", None, place=place_of(address), schema=None, missing="refuse"
        )
        tables = study.counts.counts(network.families)
        agreed &= all(np.array_equal(t.values, w) for t, w in zip(tables, whole or [], strict=True))
    return agreed


WAYS = {
    "nothing": lambda path: None,
    "read, pyarrow": read_pyarrow,
    "count, pyarrow": lambda path: count(f"{path}*"),
    "read, DuckDB": read_duckdb,
    "count, DuckDB": lambda path: count(f"duckdb://{path}"),
}


def measured(way: str, path: Path) -> dict[str, float]:
    """CPU seconds and peak memory of a process that does this alone."""
    command = [sys.executable, "-m", "benchmarks.scale", "--way", way, "--file", str(path)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(answer))


def once(way: str, path: Path) -> None:
    """Do it, and say what it took."""
    WAYS[way](path)
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    status = Path("/proc/self/status").read_text(encoding="ascii")  # ru_maxrss has the parent's
    peak = (int(status.partition("VmHWM:")[2].split()[0]) + 2 * others.ru_maxrss) / 1024
    print(json.dumps({"cpu": cpu, "peak": peak}))


def chart(results: Path, picture: Path) -> None:
    """CPU of counting and of reading for each million rows, against the rows; every run a point."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "equipoise"
    from matplotlib import pyplot as plt

    runs = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    figure, axes = plt.subplots(figsize=(7.5, 4), layout="constrained")
    looks = {"pyarrow": ("#0072b2", "o"), "DuckDB": ("#d55e00", "s")}
    for way in list(WAYS)[1:]:
        kind, _, reader = way.partition(", ")
        own = sorted((r["rows"], 1e6 * r["cpu"] / r["rows"]) for r in runs if r["way"] == way)
        colour, marker = looks[reader]
        style = "-" if kind == "count" else ":"
        axes.plot(*zip(*own, strict=True), style, marker=marker, color=colour, label=way)
    axes.set(
        xscale="log", xlabel="rows of alarm (37 columns of text states)",
        ylabel="CPU seconds per million rows", ylim=(0, None),
        title="Counting all families, against reading the columns once",
    )  # fmt: skip
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(picture, metadata={"Date": None})


def main() -> None:
    """The table of ways."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20 * PIECE)
    parser.add_argument("--way", choices=list(WAYS))
    parser.add_argument("--file", type=Path)
    parser.add_argument("--write", action="store_true", help="only write the file")
    parser.add_argument("--results", type=Path, help="append what was measured to this file")
    parser.add_argument("--chart", type=Path, help="only draw docs/scale.jsonl")
    arguments = parser.parse_args()
    if arguments.chart:
        chart(Path("docs/scale.jsonl"), arguments.chart)
        return
    if arguments.way:
        once(arguments.way, arguments.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or Path(folder) / "alarm.parquet"
        if not path.is_file():
            write(path, arguments.rows)
        print(
            f"{arguments.rows:,} rows of alarm, {path.stat().st_size / 2**20:,.0f} MB", flush=True
        )
        if not arguments.write:
            table(path, arguments.rows, arguments.results)


def table(path: Path, rows: int, results: Path | None) -> None:
    """Every way in a process of its own, then what they counted against numpy."""
    start = measured("nothing", path)
    print(f"{'way':16} {'CPU s':>8} {'ratio':>6} {'peak MB':>8}   (start of Python left out)")
    reading = 0.0
    for way in list(WAYS)[1:]:
        taken = measured(way, path)
        cpu = taken["cpu"] - start["cpu"]
        reading = cpu if way.startswith("read") else reading
        print(f"{way:16} {cpu:8.2f} {cpu / reading:6.2f} {taken['peak']:8.0f}", flush=True)
        if results is not None:
            line = {"rows": rows, "way": way, "cpu": round(cpu, 3), "peak": round(taken["peak"])}
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
    print("tables identical to numpy:", same(path, rows))


if __name__ == "__main__":
    main()
