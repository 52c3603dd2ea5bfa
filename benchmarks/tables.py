"""A large table through the shell: how long it takes and how much memory, as CSV and Parquet.

The table repeats a million rows: an owner, numbers, a date, words. ``cli.py describe`` reads it in
a process of its own, against a schema, with and without a bound on the records of one owner.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
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


def main(megabytes: int) -> None:
    """Prints seconds and the peak of memory of each reading."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text, typed, rows = write(folder, megabytes * 10**6)
        (folder / "s.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
        edges = EDGES + "".join(f"answer0,answer{i}\n" for i in range(1, 6))
        (folder / "e.csv").write_text(edges, encoding="utf-8")
        print(f"{rows:,} rows of 10 columns: CSV {text.stat().st_size / 1e6:,.0f} MB, "
              f"Parquet {typed.stat().st_size / 1e6:,.0f} MB")  # fmt: skip
        for path in (text, typed):
            for more in ([], ["--unit-column", "owner", "--per-unit", "3"]):
                print(f"{path.suffix} {' '.join(more) or 'whole'}: {read(folder, path, more)}")


def read(folder: Path, path: Path, more: list[str]) -> str:
    """What one reading took."""
    shell = [sys.executable, "cli.py", "describe", "--json", "--dag", str(folder / "e.csv")]
    shell += ["--data", str(path), "--schema", str(folder / "s.json"), *more]
    code = (
        "import resource, subprocess, sys; "
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "sys.stdout.buffer.write(done.stdout); "
        "print(used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)"
    )
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *shell], capture_output=True, text=True)
    seconds = time.perf_counter() - started
    if done.returncode:
        sys.exit(done.stderr)
    peak, cpu = map(float, done.stderr.split("\n")[-2].split())
    records = json.loads(done.stdout)["records"]
    unit = 1 if sys.platform == "darwin" else 1024
    return (
        f"{records:,} records, {seconds:.1f} s ({cpu:.1f} s of a processor), peak "
        f"{peak * unit / 2**20:,.0f} MB"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    main(parser.parse_args().megabytes)
