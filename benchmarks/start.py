"""What it costs to import the engine: seconds and memory above a bare interpreter.

Every module of ``core`` is imported, in a fresh process each time. Memory is the largest resident
set of the process. numpy alone is shown because most of it is numpy. Bytecode is written once and
kept for the measurement, as on any second start.
"""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import Goal, medians, print_goals, print_times

ROOT = Path(__file__).parent.parent
PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
MEBIBYTE = 1024 if sys.platform.startswith("linux") else 1024**2


def modules() -> str:
    """An import statement for every module of the engine."""
    files = sorted(p.relative_to(ROOT) for p in (ROOT / "core").rglob("*.py"))
    names = [".".join(f.with_suffix("").parts).removesuffix(".__init__") for f in files]
    return "import " + ", ".join(names)


def run(code: str, bytecode: str) -> str:
    """Output of a fresh interpreter that keeps its bytecode in a folder."""
    settings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**settings, "PYTHONPYCACHEPREFIX": bytecode},
    ).stdout


def main(rounds: int) -> None:
    """Prints seconds and mebibytes."""
    programs = {"bare interpreter": "pass", "numpy": "import numpy", "core": modules()}
    with tempfile.TemporaryDirectory() as bytecode:
        tasks = {name: functools.partial(run, code, bytecode) for name, code in programs.items()}
        times = medians(tasks, rounds=rounds)
        peaks = {
            name: statistics.median(int(run(f"{code}; {PEAK}", bytecode)) for _ in range(3))
            / MEBIBYTE
            for name, code in programs.items()
        }
    print_times("Start of a process that imports", times)
    for name, peak in peaks.items():
        print(f"  {name:<16}  {peak:>10.1f} MiB")
    seconds = times["core"] - times["bare interpreter"]
    memory = peaks["core"] - peaks["bare interpreter"]
    goals = [
        Goal("import core", "above bare", seconds * 1e3, 150, at_most=True, unit="ms"),
        Goal("import core", "above bare", memory, 40, at_most=True, unit="MiB"),
    ]
    print_goals(goals)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    main(parser.parse_args().rounds)
