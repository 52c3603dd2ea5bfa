"""A page printed or photographed by the Chromium of this machine, in a process of its own."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from core.errors import EquipoiseError

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 60.0
FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


TOGETHER = 2
"""Browsers of this process at the same time, whoever asks: each takes a few hundred megabytes."""

_turns = threading.BoundedSemaphore(TOGETHER)


def find_chromium() -> str | None:
    """The Chromium of this machine, if there is one."""
    return next((program for name in PROGRAMS if (program := shutil.which(name))), None)


def to_pdf(page: bytes, *, seconds: float = SECONDS) -> bytes:
    """A page printed on A4; refused where there is no Chromium or it does not answer."""
    with _opened(page, "print") as (command, place):
        target = place / "page.pdf"
        _run([*command[:-1], f"--print-to-pdf={target}", command[-1]], seconds)
        if not target.is_file():
            raise EquipoiseError("Chromium printed nothing; print the HTML file instead")
        return target.read_bytes()


def final_markup(page: bytes) -> str:
    """The page's markup once its scripts have run."""
    with _opened(page, "draw") as (command, _):
        wait = "--virtual-time-budget=20000"
        return _run([*command[:-1], wait, "--dump-dom", command[-1]], SECONDS)


@contextlib.contextmanager
def _opened(page: bytes, purpose: str) -> Iterator[tuple[list[str], Path]]:
    """The command that opens the page, and a folder that goes with it."""
    program = find_chromium()
    if program is None:
        raise EquipoiseError(
            f"there is no Chromium here to {purpose} with; take the HTML file instead"
        )
    with contextlib.ExitStack() as stack:
        try:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="page-")))
            source = place / "page.html"
            source.write_bytes(page)
        except OSError as problem:
            reason = (problem.strerror or str(problem)).lower()
            raise EquipoiseError(
                f"the page cannot be put where Chromium reads it ({reason}); make room, or take "
                "the HTML file instead"
            ) from None
        own = f"--user-data-dir={place / 'profile'}"
        yield [program, *FLAGS, *_unboxed(), own, source.as_uri()], place


def _unboxed() -> tuple[str, ...]:
    """Chromium's sandbox stays on unless we are root, where it does not start."""
    return ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()


def _run(command: list[str], seconds: float) -> str:
    """What it wrote; run to the end, or ended with everything it started."""
    if not _turns.acquire(timeout=seconds):
        raise EquipoiseError("others print just now; try again in a minute, or take the HTML file")
    try:
        return _answered(command, seconds)
    finally:
        _turns.release()


def _answered(command: list[str], seconds: float) -> str:
    try:
        started = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as problem:  # no memory for another process
        reason = (problem.strerror or str(problem)).lower()
        raise EquipoiseError(
            f"Chromium cannot be started ({reason}); take the HTML file instead"
        ) from None
    with started:
        try:
            written, _ = started.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise EquipoiseError(
                f"Chromium did not answer within {seconds:g} s; take the HTML file instead"
            ) from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
    return written.decode(errors="replace")
