"""A large table through shell and page: how long it takes and how much memory it needs at most.

The table repeats a million rows: an owner, numbers, a date, words. Each reading has a process of
its own: ``cli.py describe`` of CSV and Parquet against a schema, with and without a bound on the
records of one owner; then, of the CSV, ``cli.py schema``, ``cli.py release`` with a graph to be
learned, and the page Data with a path of the server's machine, up to *Use this data*.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet

WORDS = np.array(["never", "sometimes", "often", "always", "NA"])
PIECE = 200_000
SCHEMA = {
    "columns": [
        {"name": "age", "bins": [0, 20, 40, 60, 80, 100], "missing": "state"},
        {"name": "dose", "bins": [0, 25, 50, 75, 100], "outside": "state"},
        {"name": "visit", "date": "ISO8601", "bins": ["2000-01-01", "2010-01-01", "2020-01-01"]},
        *(
            {"name": f"answer{i}", "states": WORDS[:4].tolist(), "missing": "state"}
            for i in range(6)
        ),
    ],
    "left_out": ["owner"],
}
EDGES = "parent,child\n" + "".join(f"age,{name}\n" for name in ("dose", "visit", "answer0"))


def piece(rng: np.random.Generator) -> pd.DataFrame:
    """Some rows."""
    days = np.datetime64("2000-01-01") + rng.integers(0, 7000, PIECE)
    answers = {f"answer{i}": WORDS[rng.integers(0, 5, PIECE)] for i in range(6)}
    return pd.DataFrame(
        {
            "owner": rng.integers(0, 3_000_000, PIECE),
            "age": rng.integers(0, 100, PIECE),
            "dose": rng.uniform(-1, 101, PIECE).round(4),
            "visit": days.astype(str),
            **answers,
        }
    )


def write(folder: Path, size: int) -> tuple[Path, Path, int]:
    """The table as CSV of at least ``size`` bytes, the same as Parquet, and its rows."""
    rng, rows = np.random.default_rng(0), 0
    text, typed = folder / "t.csv", folder / "t.parquet"
    frames = [piece(rng) for _ in range(5)]
    tables = [pa.Table.from_pandas(frame, preserve_index=False) for frame in frames]
    lines = [frame.to_csv(index=False, header=False).encode() for frame in frames]
    with text.open("wb") as file, pa.parquet.ParquetWriter(typed, tables[0].schema) as writer:
        file.write(",".join(frames[0].columns).encode() + b"\n")
        while file.tell() < size:
            file.write(lines[rows // PIECE % 5])
            writer.write_table(tables[rows // PIECE % 5])
            rows += PIECE
    return text, typed, rows


def main(megabytes: int, only: str) -> None:
    """Prints seconds and the peak of memory of each reading whose title begins so."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text, typed, rows = write(folder, megabytes * 10**6)
        (folder / "s.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
        edges = EDGES + "".join(f"answer0,answer{i}\n" for i in range(1, 6))
        (folder / "e.csv").write_text(edges, encoding="utf-8")
        print(f"{rows:,} rows of 10 columns: CSV {text.stat().st_size / 1e6:,.0f} MB, "
              f"Parquet {typed.stat().st_size / 1e6:,.0f} MB", flush=True)  # fmt: skip
        for title, code, arguments in readings(folder, text, typed, rows):
            if title.startswith(only):
                print(f"{title}: {taken(code, arguments, folder)}", flush=True)


def readings(
    folder: Path, text: Path, typed: Path, rows: int
) -> Iterator[tuple[str, str, list[str]]]:
    """Title, program and arguments of everything that is measured."""
    schema, graph = ["--schema", str(folder / "s.json")], ["--dag", str(folder / "e.csv")]
    for path in (text, typed):
        for more in ([], ["--unit-column", "owner", "--per-unit", "3"]):
            told = ["describe", *graph, "--data", str(path), *schema, *more]
            yield f"describe {path.suffix} {' '.join(more) or 'whole'}", SHELL, told
    yield "schema .csv", SHELL, ["schema", "--data", str(text), "--out", str(folder / "p.json")]
    told = ["release", "--method", "privbayes-plus", "--data", str(text), *schema]
    told += ["--name", "large", "--budget", "1", "--unit", "person", "--public-records", str(rows)]
    told += ["--ledger", str(folder / "l.db"), "--out", str(folder / "out"), "--synthetic", "1000"]
    told += ["--override", "measured on made-up records only", "--signed", "the benchmark"]
    yield "release .csv", SHELL, told
    yield "page .csv", PAGE, [text.name]


SHELL = "import sys; from cli import main; sys.exit(main(sys.argv[1:]))"
PAGE = """
import sys
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("app.py", default_timeout=3600)
at.session_state["first"] = "Start"
at.run()
at.switch_page("pages/load_data.py").run()
at.text_input(key="data_path").set_value(sys.argv[1]).run()
at.segmented_control(key="missing").set_value("state").run()
at.segmented_control(key="graph_from").set_value("learn").run()
for label in ("Read the records", "Use this data"):
    next(b for b in at.button if b.label == label).click().run()
problems = [e.value for e in (*at.exception, *at.error)]
if problems:
    sys.exit("; ".join(problems))
assert at.session_state["session"].upload.records
"""
CODE = (
    "import resource, subprocess, sys; "
    "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
    "print(used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr); "
    "sys.exit(done.returncode)"
)


def taken(code: str, arguments: list[str], folder: Path) -> str:
    """What one reading took, processes that it started included."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CODE, sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "EQUIPOISE_FILES": str(folder)},
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        sys.exit(done.stderr)
    peak, cpu = map(float, done.stderr.split("\n")[-2].split())
    unit = 1 if sys.platform == "darwin" else 1024
    return (
        f"{seconds:.1f} s ({cpu:.1f} s of a processor), peak {peak * unit / 2**20:,.0f} MB "
        "in one process"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--only", default="", help="readings whose title begins so")
    main(**vars(parser.parse_args()))
