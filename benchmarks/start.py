"""What it costs to import the engine: processor time and memory above a bare interpreter.

Imported is what the first page and the command line's sweeps stand on, see ``ENGINE``, in a fresh
process each time. Processor time, because a busy machine lengthens waiting, not work. Memory is the
largest resident set. numpy alone is shown because most of it is numpy. Bytecode is written once and
kept for the measurement, as on any second start.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.timing import Goal, print_goals, print_times

ENGINE = (
    "import core.methods.registry, core.study.metrics, core.inference.queries, "
    "core.inference.sampling, core.study.experiments, core.scenario, core.membership.bound"
)
PROGRAMS = {"bare interpreter": "pass", "numpy": "import numpy", "core": ENGINE}
USED = (
    "; import resource; used = resource.getrusage(resource.RUSAGE_SELF); "
    "print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
)
MEBIBYTE = 1024 if sys.platform.startswith("linux") else 1024**2


def used(code: str, settings: Mapping[str, str]) -> tuple[float, float]:
    """Processor seconds and mebibytes of a fresh interpreter that runs some code."""
    printed = subprocess.run(
        [sys.executable, "-c", code + USED],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        env=settings,
    ).stdout
    seconds, peak = printed.split()
    return float(seconds), int(peak) / MEBIBYTE


def main(rounds: int) -> None:
    """Prints seconds and mebibytes."""
    settings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as bytecode:
        settings["PYTHONPYCACHEPREFIX"] = bytecode
        for place in range(rounds + 1):
            for name, code in PROGRAMS.items():
                measured = used(code, settings)
                if place:  # the first round writes the bytecode
                    found[name].append(measured)
    times = {name: statistics.median(s for s, _ in runs) for name, runs in found.items()}
    peaks = {name: statistics.median(p for _, p in runs) for name, runs in found.items()}
    print_times("Start of a process that imports", times)
    for name, peak in peaks.items():
        print(f"  {name:<16}  {peak:>10.1f} MiB")
    seconds = times["core"] - times["bare interpreter"]
    memory = peaks["core"] - peaks["bare interpreter"]
    print_goals(
        [
            Goal("import core", "above bare", seconds * 1e3, 150, at_most=True, unit="ms"),
            Goal("import core", "above bare", memory, 40, at_most=True, unit="MiB"),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    main(parser.parse_args().rounds)
