"""A real server and a real browser, for the browser tests and the live benchmark."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parent.parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_path() -> str | None:
    """The system's Chromium, or none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


PORT = "--server.port"
Secrets = Callable[[int], str]
"""What ``secrets.toml`` says, for a server on this port."""


@contextlib.contextmanager
def served(script: Path | str = "serve.py", secrets: Secrets | None = None) -> Iterator[str]:
    """A running server's address; it is stopped afterwards."""
    with running(script, secrets=secrets) as (address, _):
        yield address


@contextlib.contextmanager
def running(
    script: Path | str = "serve.py",
    *options: str,
    secrets: Secrets | None = None,
    log: Path | None = None,
    environment: Mapping[str, str] | None = None,
    module: str = "streamlit",
) -> Iterator[tuple[str, int]]:
    """A running server's address and process number; it is stopped afterwards."""
    with (log or Path(os.devnull)).open("ab") as told:
        command = [sys.executable, "-m", module, "run", str(script), *options]
        started = (_start(command, secrets, told, environment or {}) for _ in range(3))
        process, address = next(filter(None, started), (None, ""))
    if process is None:
        raise RuntimeError("the server did not answer, three times")
    try:
        yield address, process.pid
    finally:
        _stop(process)


def _start(
    command: list[str], secrets: Secrets | None, log: IO[bytes], more: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], str] | None:
    """A server that answers, or none: someone may take the port before it does."""
    port = free_port()
    if PORT in command:
        port = int(command[command.index(PORT) + 1])
    command = [*command, PORT, str(port)]
    if secrets is not None:
        file = Path(tempfile.mkdtemp(prefix="equipoise-")) / "secrets.toml"
        file.write_text(secrets(port), encoding="utf-8")
        command += ["--secrets.files", str(file)]
    as_make = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    environment = {**os.environ, **as_make, **more}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    if _answers(f"http://localhost:{port}/_stcore/health", process):
        return process, f"http://localhost:{port}"
    _stop(process)
    return None


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:  # it has nothing left to say
        process.kill()


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Whether it answers within five minutes."""
    for _ in range(3000):
        if process.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(address, timeout=1):
                return process.poll() is None
        except OSError:
            time.sleep(0.1)
    return False


def choose(page, key, path):
    """Put a file into the uploader of that key; uploaders load one by one, in any order."""
    uploader = page.locator(f".st-key-{key} [data-testid=stFileUploader] input")
    uploader.wait_for(state="attached")
    uploader.set_input_files(path)


def launch(playwright):
    """Headless Chromium: the system's, or Playwright's own."""
    return playwright.chromium.launch(
        executable_path=chromium_path(), args=list(FLAGS), timeout=120_000
    )
