"""The dossier as PDF, where a Chromium is present: printed in a process of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from core.errors import EquipoiseError

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 60.0
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


def find_chromium() -> str | None:
    """The Chromium of this machine, if there is one."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def to_pdf(page: bytes, *, seconds: float = SECONDS) -> bytes:
    """A page printed on A4; refused where there is no Chromium or it does not answer."""
    program = find_chromium()
    if program is None:
        raise EquipoiseError("there is no Chromium here to print with; print the HTML file instead")
    with tempfile.TemporaryDirectory(prefix="dossier-") as place:
        source, target = Path(place, "dossier.html"), Path(place, "dossier.pdf")
        source.write_bytes(page)
        own = [f"--user-data-dir={Path(place, 'profile')}", f"--print-to-pdf={target}"]
        _run([program, *FLAGS, *own, source.as_uri()], seconds)
        if not target.is_file():
            raise EquipoiseError("Chromium printed nothing; print the HTML file instead")
        return target.read_bytes()


def _run(command: list[str], seconds: float) -> None:
    """Run to the end, or end it with everything it started."""
    started = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        started.wait(seconds)
    except subprocess.TimeoutExpired:
        raise EquipoiseError(
            f"Chromium did not print within {seconds:g} s; print the HTML file instead"
        ) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()
