"""``python -m benchmarks``: every measurement, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

MODULES = (
    "start",
    "tables",
    "counting",
    "sampling",
    "inference",
    "noise",
    "attack",
    "synthesis",
    "undirected",
    "publishing",
    "intervals",
    "parallel",
    "live",
    "load",
)


def main() -> int:
    """Runs all of them; the exit code is the number of those that failed to run."""
    codes = [subprocess.run([sys.executable, "-m", f"benchmarks.{m}"]).returncode for m in MODULES]
    return sum(code != 0 for code in codes)


if __name__ == "__main__":
    sys.exit(main())
