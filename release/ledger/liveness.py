"""Which process is releasing, and whether it still does."""

import os
from dataclasses import dataclass
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Process:
    """A process; where the system tells, also when it started, because numbers come again."""

    number: int
    started: str
    boot: str


MAKING: set[str] = set()
"""Releases that this process works at: one that failed where the ledger could not be written has
no entry to say so, and the process may live on."""


def at_work(process: Process, release: str) -> bool:
    """Whether that process still works at that release."""
    return release in MAKING if process == this_process() else alive(process)


def this_process() -> Process:
    """The process that asks."""
    return Process(os.getpid(), _started(os.getpid()), _boot())


def alive(process: Process) -> bool:
    """Whether the process still runs on this machine."""
    if process.boot != _boot():
        return False
    if process.started:
        return _started(process.number) == process.started
    try:
        os.kill(process.number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _boot() -> str:
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:  # not Linux
        return ""


def _started(number: int) -> str:
    """Start time in clock ticks, empty for a process that has ended or cannot be looked up."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    state, *rest = text.rpartition(")")[2].split()
    return "" if state == "Z" else rest[18]
